import { at, type Members, numberAt } from "./read.ts";

/** A lower and an upper end; what is not given is open. */
export interface Bounds {
  readonly least?: number;
  readonly most?: number;
}

/** The narrowest of the sizes that the parts allow, such as `minLength` and `maxLength`. */
export function sizesOf(parts: readonly Members[], low: string, high: string): Bounds {
  return bounds(
    parts.map((part) => numberAt(part, low)),
    parts.map((part) => numberAt(part, high)),
  );
}

/** The range of a number: ends that belong to it, and ends that do not. */
export interface NumberRange {
  readonly within: Bounds;
  readonly between: Bounds;
  /** Steps that it must be a multiple of. */
  readonly step?: number;
}

/** The narrowest range that the parts allow. */
export function rangeOf(parts: readonly Members[]): NumberRange {
  // In draft 4 the exclusive keywords are flags beside the bound.
  const flagged = (part: Members, keyword: string) => at(part, keyword) === true;
  const within = bounds(
    parts.map((part) => (flagged(part, "exclusiveMinimum") ? undefined : numberAt(part, "minimum"))),
    parts.map((part) => (flagged(part, "exclusiveMaximum") ? undefined : numberAt(part, "maximum"))),
  );
  const between = bounds(
    parts.map((part) => numberAt(part, flagged(part, "exclusiveMinimum") ? "minimum" : "exclusiveMinimum")),
    parts.map((part) => numberAt(part, flagged(part, "exclusiveMaximum") ? "maximum" : "exclusiveMaximum")),
  );
  const step = parts.map((part) => numberAt(part, "multipleOf")).find((one) => one !== undefined && one > 0);
  return { within, between, ...(step !== undefined && { step }) };
}

function bounds(lows: readonly (number | undefined)[], highs: readonly (number | undefined)[]): Bounds {
  const given = (values: readonly (number | undefined)[]) => values.filter((value) => value !== undefined);
  const [least, most] = [Math.max(...given(lows)), Math.min(...given(highs))];
  return { ...(Number.isFinite(least) && { least }), ...(Number.isFinite(most) && { most }) };
}

/** Tells whether a number keeps to its bounds. */
export function isInBounds(value: number, { least, most }: Bounds): boolean {
  return (least === undefined || value >= least) && (most === undefined || value <= most);
}

/** Tells whether a number lies in a range; steps are told apart. */
export function isInRange(value: number, { within, between }: NumberRange): boolean {
  const above = between.least === undefined || value > between.least;
  const below = between.most === undefined || value < between.most;
  return above && below && isInBounds(value, within);
}

/** Tells whether a number is a multiple of a step, as far as floating point can tell. */
export function isMultiple(value: number, step: number): boolean {
  const times = value / step;
  return !Number.isFinite(times) || Math.abs(times - Math.round(times)) <= 1e-9 * Math.max(1, Math.abs(times));
}
