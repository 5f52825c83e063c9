// Tells run-tests.ts which files had errors outside of their tests, which the JSON report leaves out.
import { writeFileSync } from "node:fs";
import type { Reporter, SerializedError, TestModule } from "vitest/node";

export default class StrayErrorsReporter implements Reporter {
  onTestRunEnd(_: readonly TestModule[], errors: readonly SerializedError[]): void {
    const file = process.env["RECOURSE_STRAY_ERRORS"];
    const paths = new Set(errors.map((error) => String(error["VITEST_TEST_PATH"] ?? "")));
    if (file !== undefined) writeFileSync(file, JSON.stringify([...paths]));
  }
}
