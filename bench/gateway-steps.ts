// The CPU of each step of a call in µs, one after the other in this process, and whether it is within its budget:
//   node --conditions=@recourse/source bench/gateway-steps.ts [--calls 20000] [--before <folder of another checkout>]
// A budget is a multiple of the time that parsing the message of the same call takes, so that it holds on any machine. The attempt
// itself is left out, since it waits; building its message is there. Limits, keys and incidents are in memory. With --before,
// the steps of both checkouts take turns.
import { createServer } from "node:http";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { listenOnLoopback } from "@recourse/test-kit/loopback";
import { seededRandom } from "@recourse/test-kit/seeded-random";
import { answerAsUpstream } from "../packages/gateway/test/hostile/upstream.ts";
import { keepLogApart } from "./gateway/log-apart.ts";
import { callBody, TOOL } from "./gateway/messages.ts";
import { estimateText, medianOf, pairedRatio, shuffled } from "./gateway/statistics.ts";
import { type CallTimes, openSteps, PARTS, type PartName, REPLIES, type ReplyName } from "./gateway/steps.ts";

const { values } = parseArgs({
  options: {
    calls: { type: "string", default: "20000" },
    before: { type: "string" },
  },
});
/** The budgets by what the upstream answers, as multiples of parsing the message of the call. */
const BUDGETS: Readonly<Record<ReplyName, Partial<Record<PartName, number>>>> = {
  success: { head: 3, authenticate: 3, message: 18, resolve: 3, limits: 4, judge: 10 },
  sentence: { judge: 200 },
  "5xx": {},
};
const MESSAGE = callBody(`stub__${TOOL.name}`);
const PARSES = 10;
const ROUNDS = 50;
/** Rounds before those that count, since the engine compiles what is called often. */
const WARM_ROUNDS = 15;
/** Ratios with wider intervals are shown as not measured. */
const MAX_HALF_WIDTH = 0.1;
const perRound = Math.max(10, Math.ceil(Number(values.calls) / ROUNDS));

const random = seededRandom(7);
/** The µs of parsing the message of a call, in each round that counts. */
let parses: number[] = [];

keepLogApart();
const upstream = await listenOnLoopback(createServer(answerAsUpstream));
const now = await openSteps(resolve(import.meta.dirname, ".."), upstream.url.href);
const before = values.before === undefined ? undefined : await openSteps(values.before, upstream.url.href);
for (const reply of Object.keys(REPLIES) as ReplyName[]) {
  const ours: CallTimes[] = [];
  const theirs: CallTimes[] = [];
  parses = [];
  const subjects = [{ steps: now, seen: ours }, ...(before === undefined ? [] : [{ steps: before, seen: theirs }])];
  for (let round = -WARM_ROUNDS; round < ROUNDS; round++) {
    for (const { steps, seen } of shuffled(subjects, random)) {
      const times = await timesOf(steps, reply);
      if (round >= 0) seen.push(times);
    }
    const parseUs = medianOf(Array.from({ length: perRound }, timeParse));
    if (round >= 0) parses.push(parseUs);
  }
  console.log(`\nparsing the message of the call: ${medianOf(parses).toFixed(2)} µs`);
  console.log(
    `\n| upstream answers with a ${reply} | µs | in parses | budget | before | now / before |\n| --- | --- | --- | --- | --- | --- |`,
  );
  for (const part of [...PARTS, "all of it"] as const) print(reply, part, ours, theirs);
}
await now.close();
await before?.close();
await upstream.close();
process.exit();

function timeParse(): number {
  const from = process.hrtime.bigint();
  for (let at = 0; at < PARSES; at++) JSON.parse(MESSAGE);
  return Number(process.hrtime.bigint() - from) / 1_000 / PARSES;
}

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
  const inParses = medianOf(of(ours).map((one, round) => one / (parses[round] ?? Number.NaN)));
  const budget = part === "all of it" ? undefined : BUDGETS[reply][part];
  const isOver = budget !== undefined && inParses > budget;
  if (isOver) process.exitCode = 1;
  const compared =
    theirs.length === 0
      ? ["", ""]
      : [
          medianOf(of(theirs)).toFixed(1),
          estimateText(pairedRatio(of(ours), of(theirs)), { maxHalfWidth: MAX_HALF_WIDTH }),
        ];
  const cells = [part, us.toFixed(1), inParses.toFixed(1), `${budget ?? ""}${isOver ? " (over it)" : ""}`, ...compared];
  console.log(`| ${cells.join(" | ")} |`);
}
