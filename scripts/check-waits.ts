// Fails when a test waits for a number of milliseconds, or compares how long something took with a number, without a comment that says
// why. A wait for an event does not depend on how fast the machine is; a clock of the test's own makes hours pass at once; what work
// costs is compared with other work: packages/test-kit/src/yardstick.ts.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { filesIn, listFiles } from "./check/files.ts";

const TESTS = [
  "**/*.test.{ts,tsx}",
  "**/test/**/*.{ts,tsx}",
  "packages/test-kit/src/*.ts",
  "packages/console/scenes/*.ts",
];
/** It has samples of waits. */
const OWN_TEST = "scripts/check-waits.test.ts";
/** Waits of the platform and of Playwright. `clock.sleep` of a virtual clock is none. */
const WAITS = ["setTimeout", "sleep", "waitForTimeout"];
const ALIAS = /import \{ setTimeout as (\w+) \} from "node:timers\/promises"/;
/** A measured time that has to be below a number. */
const BUDGET =
  /\bexpect\((?:[^()]*\b(?:performance|Date)\.now\(\)[^()]*|\(?[^()]*\b(?:ms|seconds|\w*(?:took|elapsed|cpu)(?:Ms|S)?)\)?[^()]*|.*\bcpuUsage\(.*)\)\.toBeLessThan(?:OrEqual)?\(/i;
const COMMENT = /\/\/|\/\*|^\s*\*/;

/** The lines of a test that wait or limit a time without a comment on the line itself or above it. */
export function findWaits(text: string): readonly number[] {
  const names = [...WAITS, ...(ALIAS.exec(text)?.slice(1) ?? [])];
  const call = new RegExp(String.raw`(?:(?<![.\w])(?:${names.join("|")})|\.waitForTimeout)\(`);
  const lines = text.split("\n");
  return lines.flatMap((line, at) => {
    const isExplained = COMMENT.test(line) || COMMENT.test(lines[at - 1] ?? "");
    return (call.test(line) || BUDGET.test(line)) && !isExplained ? [at + 1] : [];
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const tests = filesIn(TESTS, listFiles()).filter((file) => file !== OWN_TEST);
  const found = tests.flatMap((file) => findWaits(readFileSync(file, "utf8")).map((line) => `${file}:${line}`));
  for (const place of found) console.log(`${place} waits or limits a time without a comment that says why`);
  console.log(`${found.length} waits and limits of time in tests have no reason`);
  process.exitCode = found.length === 0 ? 0 : 1;
}
