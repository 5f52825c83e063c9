// The checks of this repository. scripts/check/every-change.ts and scripts/check/nightly.ts list their parts.
//
//   node scripts/check.ts                      what every change must pass: .ci/run. It names the nightly parts whose files
//                                              have changed since they last passed
//   node scripts/check.ts --since <commit>     what the changes since a commit touch, with uncommitted ones and with the nightly
//                                              parts, shortened
//   node scripts/check.ts --nightly [name …]   the nightly parts, or those named; .ci/nightly.json records what passed
//   node scripts/check.ts --only <name …>      parts by name, as a change runs them
import { globSync, mkdirSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { BUILD, EVERY_CHANGE, type Stage, TESTS } from "./check/every-change.ts";
import { changedSince, filesIn, listFiles } from "./check/files.ts";
import { NIGHTLY } from "./check/nightly.ts";
import { recordPass, touchedParts } from "./check/nightly-record.ts";
import type { NightlyPart, Part } from "./check/part.ts";
import { type PartResult, runPart } from "./check/run-part.ts";
import { startServices } from "./check/services.ts";
import { printTotals } from "./check/totals.ts";
import { twoAtOnce } from "./two-at-once.ts";

const { values, positionals } = parseArgs({
  options: { since: { type: "string" }, nightly: { type: "boolean" }, only: { type: "boolean" } },
  allowPositionals: true,
});
Object.assign(process.env, {
  CI: "1",
  NO_COLOR: "1",
  // Hundreds of programs start here, most of them from the same sources.
  NODE_COMPILE_CACHE: resolve(".cache/compiled"),
  // npm does not ask again for what it fetched once, and gives up connections that stand still.
  npm_config_prefer_offline: "true",
  npm_config_fetch_timeout: "60000",
  npm_config_fetch_retries: "4",
  npm_config_fetch_retry_mintimeout: "2000",
});
mkdirSync(".cache", { recursive: true });
for (const report of globSync(".cache/tests-*.json")) rmSync(report);

const stages = chooseStages();
const services = await startServices();
Object.assign(process.env, services.env);
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void services.stop().finally(() => process.exit(1)));
}
const results: PartResult[] = [];
try {
  for (const stage of stages) {
    const ended = await runStage(stage);
    results.push(...ended);
    if (ended.some(({ ok }) => !ok) && values.nightly !== true) break;
  }
} finally {
  await services.stop();
}
console.log("\n== time by part, in seconds");
for (const { name, ok, startedS, seconds } of results) {
  console.log(`${seconds.toFixed(0).padStart(6)}  ${name}${ok ? "" : " FAILED"} (from ${startedS.toFixed(0)})`);
}
if (values.nightly !== true && values.only !== true) printDueParts();
printTotals({ reports: globSync(".cache/tests-*.json"), failedParts: results.filter(({ ok }) => !ok) });

function chooseStages(): readonly Stage[] {
  const everyChange = EVERY_CHANGE.flatMap(({ parts }) => parts);
  if (values.nightly === true) {
    const chosen = byName(NIGHTLY, positionals);
    return [BUILD, ...chosen].map((part) => ({ oneByOne: true, parts: [part] }));
  }
  if (values.only === true) return byName(everyChange, positionals).map((part) => ({ oneByOne: true, parts: [part] }));
  return values.since === undefined ? EVERY_CHANGE : stagesSince(values.since);
}

/** The parts that cover a changed file; of the tests those that import one. */
function stagesSince(commit: string): readonly Stage[] {
  const changed = changedSince(commit);
  const isTouched = ({ covers = ["**"] }: Part) => filesIn(covers, changed).length > 0;
  const narrowed = (part: Part): Part =>
    part === TESTS ? { ...part, commands: part.commands.map((one) => [...one, "--changed", commit]) } : part;
  const parts = EVERY_CHANGE.map((stage) => ({ ...stage, parts: stage.parts.filter(isTouched).map(narrowed) }));
  return [...parts, { oneByOne: true, parts: NIGHTLY.filter(isTouched).map(shortened) }];
}

function printDueParts(): void {
  const due = touchedParts(NIGHTLY, listFiles()).map(({ name }) => name);
  if (due.length > 0) console.log(`\nfor the nightly check, since their files have changed: ${due.join(", ")}`);
}

function shortened(part: NightlyPart): Part {
  return { ...part, title: `${part.title}, short since its files have changed`, commands: part.whenTouched };
}

function byName<P extends Part>(parts: readonly P[], names: readonly string[]): readonly P[] {
  const unknown = names.filter((name) => !parts.some((part) => part.name === name));
  if (unknown.length > 0) {
    throw new Error(`no such part: ${unknown.join(", ")}; there are ${parts.map(({ name }) => name).join(", ")}`);
  }
  return names.length === 0 ? parts : parts.filter(({ name }) => names.includes(name));
}

async function runStage({ parts, oneByOne = false }: Stage): Promise<readonly PartResult[]> {
  const isLive = oneByOne || parts.length === 1;
  const jobs = parts.map((part) => async () => {
    const result = await runPart(part, { isLive });
    const nightly = NIGHTLY.find(({ name }) => name === part.name);
    if (values.nightly === true && result.ok && nightly !== undefined) recordPass(nightly, NIGHTLY, listFiles());
    return result;
  });
  if (!isLive) return twoAtOnce(jobs);
  const ended: PartResult[] = [];
  for (const job of jobs) ended.push(await job());
  return ended;
}
