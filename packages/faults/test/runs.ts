/** The number of runs of a property test. The environment variable `RECOURSE_RUNS` overrides the default. */
export function runs(byDefault = 1000): number {
  const requested = Number(process.env["RECOURSE_RUNS"]);
  return Number.isSafeInteger(requested) && requested > 0 ? requested : byDefault;
}
