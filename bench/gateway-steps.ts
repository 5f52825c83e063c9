// The CPU of each step of a call in µs, one after the other in this process, and whether it is within its budget:
//   node --conditions=@recourse/source bench/gateway-steps.ts [--calls 20000] [--slack 1] [--before <folder of another checkout>]
// The attempt itself is left out, since it waits; building its message is there. Limits, keys and incidents are in memory.
// With --before, the steps of both checkouts take turns. With --slack, budgets are this many times wider.
import { createServer } from "node:http";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { listenOnLoopback } from "@recourse/test-kit/loopback";
import { seededRandom } from "@recourse/test-kit/seeded-random";
import { answerAsUpstream } from "../packages/gateway/test/hostile/upstream.ts";
import { keepLogApart } from "./gateway/log-apart.ts";
import { estimateText, medianOf, pairedRatio, shuffled } from "./gateway/statistics.ts";
import { type CallTimes, openSteps, PARTS, type PartName, REPLIES, type ReplyName } from "./gateway/steps.ts";

const { values } = parseArgs({
  options: {
    calls: { type: "string", default: "20000" },
    slack: { type: "string", default: "1" },
    before: { type: "string" },
  },
});
/** The budgets in µs, by what the upstream answers. */
const BUDGETS: Readonly<Record<ReplyName, Partial<Record<PartName, number>>>> = {
  success: { head: 1, authenticate: 1, message: 10, resolve: 1, limits: 3, judge: 8 },
  sentence: { judge: 90 },
  "5xx": {},
};
const ROUNDS = 50;
/** Rounds before those that count, since the engine compiles what is called often. */
const WARM_ROUNDS = 15;
/** Ratios with wider intervals are shown as not measured. */
const MAX_HALF_WIDTH = 0.1;
const perRound = Math.max(10, Math.ceil(Number(values.calls) / ROUNDS));
const slack = Number(values.slack);

const random = seededRandom(7);

keepLogApart();
const upstream = await listenOnLoopback(createServer(answerAsUpstream));
const now = await openSteps(resolve(import.meta.dirname, ".."), upstream.url.href);
const before = values.before === undefined ? undefined : await openSteps(values.before, upstream.url.href);
for (const reply of Object.keys(REPLIES) as ReplyName[]) {
  const ours: CallTimes[] = [];
  const theirs: CallTimes[] = [];
  const subjects = [{ steps: now, seen: ours }, ...(before === undefined ? [] : [{ steps: before, seen: theirs }])];
  for (let round = -WARM_ROUNDS; round < ROUNDS; round++) {
    for (const { steps, seen } of shuffled(subjects, random)) {
      const times = await timesOf(steps, reply);
      if (round >= 0) seen.push(times);
    }
  }
  console.log(
    `\n| upstream answers with a ${reply} | µs | budget | before | now / before |\n| --- | --- | --- | --- | --- |`,
  );
  for (const part of [...PARTS, "all of it"] as const) print(reply, part, ours, theirs);
}
await now.close();
await before?.close();
await upstream.close();
process.exit();

/** The median of each part over the calls of one round. */
async function timesOf(steps: Awaited<ReturnType<typeof openSteps>>, reply: ReplyName): Promise<CallTimes> {
  const seen: CallTimes[] = [];
  for (let at = 0; at < perRound; at++) {
    const times = Object.fromEntries(PARTS.map((part) => [part, 0])) as CallTimes;
    await steps.run(reply, times);
    seen.push(times);
  }
  return Object.fromEntries(PARTS.map((part) => [part, medianOf(seen.map((one) => one[part]))])) as CallTimes;
}

function print(
  reply: ReplyName,
  part: PartName | "all of it",
  ours: readonly CallTimes[],
  theirs: readonly CallTimes[],
) {
  const of = (all: readonly CallTimes[]) =>
    all.map((times) => (part === "all of it" ? PARTS.reduce((sum, one) => sum + times[one], 0) : times[part]));
  const us = medianOf(of(ours));
  const budget = part === "all of it" ? undefined : BUDGETS[reply][part];
  const isOver = budget !== undefined && us > budget * slack;
  if (isOver) process.exitCode = 1;
  const compared =
    theirs.length === 0
      ? ["", ""]
      : [
          medianOf(of(theirs)).toFixed(1),
          estimateText(pairedRatio(of(ours), of(theirs)), { maxHalfWidth: MAX_HALF_WIDTH }),
        ];
  const cells = [part, us.toFixed(1), `${budget ?? ""}${isOver ? " (over it)" : ""}`, ...compared];
  console.log(`| ${cells.join(" | ")} |`);
}
