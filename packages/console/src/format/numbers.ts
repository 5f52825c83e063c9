// Numbers as people read them. The only place that formats them.

const WHOLE = new Intl.NumberFormat("en-US");

/** A count, such as `18,204`. */
export function count(value: number): string {
  return WHOLE.format(value);
}

/** A share of a whole, such as `3.1 %`. */
export function share(part: number, whole: number): string {
  if (whole === 0) return "0 %";
  const percent = (part / whole) * 100;
  if (percent > 0 && percent < 0.1) return "< 0.1 %";
  return `${percent >= 10 || Number.isInteger(percent) ? Math.round(percent) : percent.toFixed(1)} %`;
}

/** A duration of a step or a call, such as `2,143 ms` or `0.4 ms`. */
export function milliseconds(ms: number): string {
  return `${ms >= 10 ? count(Math.round(ms)) : Number(ms.toFixed(1))} ms`;
}

/** A count with its noun, such as `1 incident` or `3 incidents`. */
export function withNoun(value: number, one: string, many: string = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}
