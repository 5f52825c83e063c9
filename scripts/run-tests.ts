// Runs the tests. A few files that failed run once more, alone, and are named at the end: if a machine stood still for
// seconds, real deadlines passed; what fails alone too has failed.
//   node scripts/run-tests.ts <name of the report> [arguments of vitest]
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { relative, resolve } from "node:path";

interface Report {
  readonly testResults: readonly FileResult[];
}

interface FileResult {
  readonly name: string;
  readonly status: string;
  readonly startTime: number;
  readonly endTime: number;
  readonly assertionResults: readonly { readonly status: string }[];
}

interface TestRun {
  readonly ok: boolean;
  readonly results: readonly FileResult[];
  /** The paths of the files that failed or had an error outside of their tests; "" for an error of an unknown file. */
  readonly failed: readonly string[];
}

/** More failed files than this are not the machine's doing. */
const MAX_REPEATED = 5;
const SLOWEST = 20;
/** The unit of times in /proc, on every Linux that Node.js runs on. */
const CLOCK_TICKS_PER_S = 100;

const [name = "current", ...given] = process.argv.slice(2);
mkdirSync(".cache", { recursive: true });
const first = run(`.cache/tests-${name}.json`, given);
const failed = first.ok ? [] : first.failed;
const isRepeated = failed.length > 0 && failed.length <= MAX_REPEATED && !failed.includes("");
const second = isRepeated ? repeat(failed) : undefined;
const results = [
  ...first.results.filter((file) => second === undefined || !failed.includes(file.name)),
  ...(second?.results ?? []),
];
writeFileSync(`.cache/tests-${name}.json`, JSON.stringify({ ...countTests(results), testResults: results }));
printSlowest(results);
const cpuS = childrenCpuS();
if (cpuS !== undefined) console.log(`CPU of the tests and of all programs that they started: ${cpuS.toFixed(0)} s`);
if (second?.ok === true) console.log(`\nPassed only when repeated; mend these:\n  ${failed.map(shorten).join("\n  ")}`);
process.exitCode = (second ?? first).ok ? 0 : 1;

function repeat(files: readonly string[]): TestRun {
  const paths = files.map(shorten);
  console.log(`\nThese failed beside others, and run once more, alone:\n  ${paths.join("\n  ")}`);
  const options = given.filter((argument) => argument.startsWith("--exclude"));
  return run(`.cache/repeated-${name}.json`, [...paths, ...options, "--no-file-parallelism"]);
}

function run(output: string, args: readonly string[]): TestRun {
  const stray = resolve(`.cache/stray-errors-${name}.json`);
  for (const file of [output, stray]) rmSync(file, { force: true });
  const reporters = ["--reporter=default", "--reporter=./scripts/stray-errors-reporter.ts", "--reporter=json"];
  const { status } = spawnSync(
    process.execPath,
    ["node_modules/vitest/vitest.mjs", "run", ...args, ...reporters, `--outputFile.json=${output}`],
    { stdio: "inherit", env: { ...process.env, RECOURSE_STRAY_ERRORS: stray } },
  );
  if (!existsSync(output) || !existsSync(stray)) return { ok: status === 0, results: [], failed: [] };
  const { testResults: results } = JSON.parse(readFileSync(output, "utf8")) as Report;
  const outside = JSON.parse(readFileSync(stray, "utf8")) as readonly string[];
  const failing = results.filter((file) => file.status !== "passed").map((file) => file.name);
  return { ok: status === 0, results, failed: [...new Set([...failing, ...outside])] };
}

function printSlowest(files: readonly FileResult[]): void {
  const timed = files.map(({ name, startTime, endTime }) => ({ name, seconds: (endTime - startTime) / 1_000 }));
  const all = timed.reduce((sum, { seconds }) => sum + seconds, 0);
  const slowest = timed.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
  console.log(`\nThe slowest of ${files.length} files (${all.toFixed(0)} s added up):`);
  for (const { name, seconds } of slowest) console.log(`${seconds.toFixed(1).padStart(7)} s  ${shorten(name)}`);
}

/** The CPU of all processes below this one that have ended; undefined where the system does not tell. */
function childrenCpuS(): number | undefined {
  if (!existsSync("/proc/self/stat")) return undefined;
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1)?.split(" ") ?? [];
  const [user, system] = fields.slice(13, 15).map(Number);
  return ((user ?? 0) + (system ?? 0)) / CLOCK_TICKS_PER_S;
}

function countTests(files: readonly FileResult[]): Record<string, number> {
  const statuses = files.flatMap((file) => file.assertionResults.map(({ status }) => status));
  const passed = statuses.filter((status) => status === "passed").length;
  const failures = statuses.filter((status) => status === "failed").length;
  return {
    numPassedTests: passed,
    // A file that failed before its first test counts as one failure.
    numFailedTests:
      failures + files.filter((file) => file.status !== "passed" && file.assertionResults.length === 0).length,
    numPendingTests: statuses.length - passed - failures,
  };
}

function shorten(file: string): string {
  return relative(process.cwd(), file);
}
