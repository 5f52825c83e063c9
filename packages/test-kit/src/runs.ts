/** Whether this is the nightly check: full matrices and many runs of each property. `.ci/run` and `npm test` take the short ones. */
export const isNightly: boolean = process.env["RECOURSE_NIGHTLY"] === "1";

/** How often a property runs at most outside of the nightly check. */
const MAX_RUNS_BY_DAY = 40;

/**
 * The number of runs of a property test: `atNight` in the nightly check, at most 40 otherwise. The environment variable
 * `RECOURSE_RUNS` overrides both.
 */
export function runs(atNight = 1000): number {
  const given = Number(process.env["RECOURSE_RUNS"]);
  if (Number.isSafeInteger(given) && given > 0) return given;
  return isNightly ? atNight : Math.min(atNight, MAX_RUNS_BY_DAY);
}
