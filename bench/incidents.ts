// Incidents of four replicas in one PostgreSQL: exact counts, bounded memory, outage, kill, and questions about many:
//   node --conditions=@recourse/source bench/incidents.ts [--short] [--only steady,outage,kill,latency,questions] [--question-ms 100]
import { parseArgs } from "node:util";
import { runFlow } from "./incidents/flow.ts";
import { compareLatency } from "./incidents/latency.ts";
import { askAboutMany } from "./incidents/million.ts";

const { values } = parseArgs({
  options: {
    short: { type: "boolean", default: false },
    only: { type: "string" },
    /** How long a question may take; the default is the aim on a quiet machine. */
    "question-ms": { type: "string" },
  },
});
const isShort = values.short;
const only = values.only?.split(",");
const isAsked = (part: string) => only?.includes(part) ?? true;
const RATE = isShort ? 2_000 : 5_000;
/** A killed replica loses what came in the last 250 ms, and what a flush that was under way had taken. */
const MAX_LOST_MS = isShort ? 10_000 : 1_000;
/** Bytes that the memory of a replica may grow by: the spool, and what the runtime needs around it. */
const MAX_GROWTH = 300 * 1_024 * 1_024;
const MAX_QUESTION_MS = Number(values["question-ms"] ?? (isShort ? 1_000 : 100));
const mib = (bytes: number) => `${Math.round(bytes / 1_024 / 1_024)} MiB`;
let failures = 0;
const check = (what: string, isRight: boolean) => {
  if (isRight) return;
  failures += 1;
  console.log(`  WRONG: ${what}`);
};

const FLOWS = {
  steady: { seconds: isShort ? 4 : 30, disturbance: "none" },
  outage: { seconds: isShort ? 4 : 20, disturbance: "outage", outageSeconds: isShort ? 2 : 10 },
  "long outage": { seconds: 10, disturbance: "outage", outageSeconds: 60 },
  // What is lost is bounded where PostgreSQL keeps up, so this flow is slower.
  kill: { seconds: isShort ? 3 : 10, disturbance: "kill", rate: RATE / 5 },
} as const;

for (const [name, flow] of Object.entries(FLOWS)) {
  if (!isAsked(name) || (isShort && name === "long outage")) continue;
  const asked = { rate: RATE, ...flow };
  const report = await runFlow(asked);
  const { pushed, reached, dropped, rows, minutes, hours, maxWaiting, rssBefore, maxRss, cpuUs, killed } = report;
  console.log(`\n${name}: ${asked.rate} incidents a second from 4 replicas asked for, ${reached.toFixed(0)} reached`);
  console.log(`  pushed ${pushed}, rows ${rows}, counted by hour ${hours}, by minute ${minutes}, not kept ${dropped}`);
  console.log(`  longest queue of a replica ${maxWaiting}, memory ${mib(rssBefore)} → at most ${mib(maxRss)}`);
  console.log(`  CPU of the replicas for one incident: ${cpuUs.toFixed(0)} µs, making it included`);
  check("memory", maxRss - rssBefore < MAX_GROWTH);
  if (killed === undefined) {
    check("counts", hours === pushed && minutes === pushed);
    check("rows", rows === pushed - dropped);
    if (name !== "long outage") check("nothing is given up", dropped === 0);
    continue;
  }
  const lost = killed.pushed - killed.rows;
  console.log(
    `  the killed replica had pushed ${killed.pushed}; lost ${lost}, the last ${killed.lostMs.toFixed(0)} ms`,
  );
  check("what a killed replica lost", killed.lostMs < MAX_LOST_MS && hours === pushed - lost && rows === hours);
}

if (isAsked("latency")) {
  console.log(
    "\nlatency of calls, half of them failing, without and with 1,250 incidents a second in the same process",
  );
  for (const { name, calls, p50, p99 } of await compareLatency({
    rounds: isShort ? 2 : 10,
    seconds: isShort ? 1 : 3,
  })) {
    console.log(`  ${name}: ${calls} calls, p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`);
    check("calls were made", calls > 0);
  }
}

if (isAsked("questions")) {
  const total = isShort ? 20_000 : 1_000_000;
  console.log(`\nquestions about ${total} incidents, in ms: median, longest`);
  for (const { question, medianMs, maxMs, rows } of await askAboutMany(total, isShort ? 5 : 21)) {
    console.log(`  ${question}: ${medianMs.toFixed(1)}, ${maxMs.toFixed(1)} (${rows} rows)`);
    check(question, medianMs < MAX_QUESTION_MS);
  }
}
if (failures > 0) process.exitCode = 1;
