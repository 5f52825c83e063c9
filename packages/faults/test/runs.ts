/** How many cases a property is tried with; `RECOURSE_RUNS` overrides it for a long run. */
export function runs(most = 1000): number {
  const asked = Number(process.env["RECOURSE_RUNS"]);
  return Number.isSafeInteger(asked) && asked > 0 ? asked : most;
}
