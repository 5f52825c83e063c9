/**
 * The number of runs of a property test. The environment variable `RECOURSE_RUNS` overrides the default, and
 * `RECOURSE_MAX_RUNS` is the most of them.
 */
export function runs(byDefault = 1000): number {
  return Math.min(numberIn("RECOURSE_RUNS") ?? byDefault, numberIn("RECOURSE_MAX_RUNS") ?? Number.POSITIVE_INFINITY);
}

function numberIn(variable: string): number | undefined {
  const value = Number(process.env[variable]);
  return Number.isSafeInteger(value) && value > 0 ? value : undefined;
}
