// Adds up the reports of the test runs and prints the one line that counts.
import { readFileSync } from "node:fs";
import type { PartResult } from "./run-part.ts";

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
}

/** What `printTotals` adds up. */
export interface TotalsInput {
  /** JSON files in the form of vitest's reporter. */
  readonly reports: readonly string[];
  /** A part that failed without a failed test counts as one failure. */
  readonly failedParts: readonly PartResult[];
}

/** Prints a line for each report and the totals; the exit code says whether all passed. */
export function printTotals({ reports, failedParts }: TotalsInput): void {
  const totals = { passed: 0, failed: 0, skipped: 0 };
  for (const file of reports) {
    const report = JSON.parse(readFileSync(file, "utf8")) as Report;
    console.log(
      `${file}: ${report.numPassedTests} passed, ${report.numFailedTests} failed, ${report.numPendingTests} skipped`,
    );
    totals.passed += report.numPassedTests;
    totals.failed += report.numFailedTests;
    totals.skipped += report.numPendingTests;
  }
  const failed = Math.max(totals.failed, failedParts.length);
  if (failedParts.length > 0) console.log(`failed parts: ${failedParts.map(({ name }) => name).join(", ")}`);
  const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : "";
  console.log(`${totals.passed} passed, ${failed} failed${skipped}`);
  process.exitCode = failed > 0 ? 1 : 0;
}
