// Replicas of the gateway, their engines and two upstreams are killed and paused while the client kit makes calls through them.
// Afterwards the effects that the upstreams wrote down are compared with the answers that callers got.
// Usage: node --conditions=@recourse/source bench/gateway-chaos.ts [--seconds 600] [--seed 1] [--short]
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { reportOf, textOf } from "./gateway-chaos/report.ts";
import { run } from "./gateway-chaos/run.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "600" },
    seed: { type: "string", default: "1" },
    /** For CI: 20 s of disturbances, in about 45 s. */
    short: { type: "boolean", default: false },
    /** Where report, ledgers, records and logs are kept. @default a temporary folder, which is kept after a failure */
    folder: { type: "string" },
  },
});
const seconds = values.short ? 20 : Number(values.seconds);
const seed = Number(values.seed);
const folder = values.folder ?? mkdtempSync(join(tmpdir(), "gateway-chaos-"));

const report = reportOf(await run({ seconds, seed, folder }), { seed, seconds });
const text = textOf(report);
console.log(text);
writeFileSync(join(folder, "report.txt"), `${text}\n`);
writeFileSync(join(folder, "report.json"), `${JSON.stringify(report, undefined, 2)}\n`);
/** These depend on how fast the machine is, so a short run on a busy one only prints them. */
const TIMED: readonly string[] = [
  "a call that ended later than its deadline allows",
  "an incident that was lost outside the bound",
  "a replica whose memory or handles grow",
];
const hasFailed = report.checks.some(({ bad, name }) => bad > 0 && !(values.short && TIMED.includes(name)));
if (hasFailed) console.error("Checks failed; everything is kept in the temporary folder gateway-chaos-….");
else if (values.folder === undefined) rmSync(folder, { recursive: true });
process.exitCode = hasFailed ? 1 : 0;
