// Four gateways on one Redis before an upstream that fails and recovers: how fast the breakers open and close on all of them,
// how many calls fail until then, and how many probes are in flight at the same time. It fails where there are two.
//   node --conditions=@recourse/source bench/breakers.ts [--outages 6] [--short]
import { parseArgs } from "node:util";
import { runOutages } from "../packages/gateway/test/breaker/support/outages.ts";

const { values } = parseArgs({
  options: { outages: { type: "string" }, short: { type: "boolean", default: false } },
});
const outages = Number(values.outages ?? (values.short ? 2 : 6));
const pauses = values.short ? { pauseMs: 300, maxPauseMs: 600 } : { pauseMs: 1_000, maxPauseMs: 30_000 };
const outageMs = values.short ? 1_000 : 3_000;
const report = await runOutages({ outages, replicas: 4, outageMs, ...pauses, everyMs: 20 });

console.log(`4 replicas, 50 calls/s on each, ${outages} outages of ${outageMs} ms, first pause ${pauses.pauseMs} ms`);
console.log(
  "| open on all after ms | failed calls until then | probes | most at once | closed on all after ms | spread ms |",
);
console.log("| --- | --- | --- | --- | --- | --- |");
for (const one of report.outages) {
  const { openMs, failedCalls, probes, mostAtOnce, closeMs, spreadMs } = one;
  const cells = [openMs.toFixed(0), failedCalls, probes, mostAtOnce, closeMs.toFixed(0), spreadMs.toFixed(1)];
  console.log(`| ${cells.join(" | ")} |`);
}
console.log(`Redis was lost ${report.switches} times`);
if (report.switches === 0 && report.outages.some(({ mostAtOnce }) => mostAtOnce > 1)) process.exitCode = 1;
