// Runs the tests. A few files that failed run once more, alone: where a machine stood still for seconds, deadlines passed
// that are real; what fails alone too has failed. Usage: run-tests.ts <name of the report> [arguments of vitest]
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { relative, resolve } from "node:path";

interface Report {
  readonly testResults: readonly FileResult[];
}

interface FileResult {
  readonly name: string;
  readonly status: string;
  readonly assertionResults: readonly { readonly status: string }[];
}

interface TestRun {
  readonly ok: boolean;
  readonly results: readonly FileResult[];
  /** The paths of the files that failed or had an error outside of their tests; "" for an error of an unknown file. */
  readonly failed: readonly string[];
}

/** More failed files than this are no accident. */
const MAX_AGAIN = 5;

const [name = "current", ...given] = process.argv.slice(2);
mkdirSync(".cache", { recursive: true });
const first = run(`.cache/tests-${name}.json`, given);
const again = first.ok ? [] : first.failed;
const second = again.length > 0 && again.length <= MAX_AGAIN && !again.includes("") ? runAlone(again) : undefined;
const results = [
  ...first.results.filter((file) => second === undefined || !again.includes(file.name)),
  ...(second?.results ?? []),
];
writeFileSync(`.cache/tests-${name}.json`, JSON.stringify({ ...countsOf(results), testResults: results }));
process.exitCode = (second ?? first).ok ? 0 : 1;

function runAlone(files: readonly string[]): TestRun {
  const paths = files.map((file) => relative(process.cwd(), file));
  console.log(`\nThese failed beside others, and run again alone:\n  ${paths.join("\n  ")}`);
  return run(`.cache/again-${name}.json`, [...paths, "--no-file-parallelism"]);
}

function run(output: string, args: readonly string[]): TestRun {
  const unhandled = resolve(`.cache/unhandled-${name}.json`);
  for (const file of [output, unhandled]) rmSync(file, { force: true });
  const reporters = ["--reporter=default", "--reporter=./scripts/flaky-reporter.ts", "--reporter=json"];
  const { status } = spawnSync(
    process.execPath,
    ["node_modules/vitest/vitest.mjs", "run", ...args, ...reporters, `--outputFile.json=${output}`],
    { stdio: "inherit", env: { ...process.env, RECOURSE_UNHANDLED: unhandled } },
  );
  if (!existsSync(output) || !existsSync(unhandled)) return { ok: false, results: [], failed: [] };
  const { testResults: results } = JSON.parse(readFileSync(output, "utf8")) as Report;
  const outside = JSON.parse(readFileSync(unhandled, "utf8")) as readonly string[];
  const failed = results.filter((file) => file.status !== "passed").map((file) => file.name);
  return { ok: status === 0, results, failed: [...new Set([...failed, ...outside])] };
}

function countsOf(results: readonly FileResult[]): Record<string, number> {
  const statuses = results.flatMap((file) => file.assertionResults.map(({ status }) => status));
  const passed = statuses.filter((status) => status === "passed").length;
  const failures = statuses.filter((status) => status === "failed").length;
  return {
    numPassedTests: passed,
    // A file that failed before its first test counts as one failure.
    numFailedTests:
      failures + results.filter((file) => file.status !== "passed" && file.assertionResults.length === 0).length,
    numPendingTests: statuses.length - passed - failures,
  };
}
