// Names every test that passed only on a repetition, so that CI does not hide it, and tells run-tests.ts which files had errors
// outside of their tests.
import { writeFileSync } from "node:fs";
import type { Reporter, SerializedError, TestCase, TestModule } from "vitest/node";

export default class FlakyReporter implements Reporter {
  readonly #flaky: string[] = [];

  onTestCaseResult(test: TestCase): void {
    const retries = test.diagnostic()?.retryCount ?? 0;
    if (retries === 0 || test.result().state !== "passed") return;
    this.#flaky.push(`${test.module.relativeModuleId}: ${test.fullName} (attempt ${retries + 1})`);
  }

  onTestRunEnd(_: readonly TestModule[], errors: readonly SerializedError[]): void {
    const file = process.env["RECOURSE_UNHANDLED"];
    const paths = new Set(errors.map((error) => String(error["VITEST_TEST_PATH"] ?? "")));
    if (file !== undefined) writeFileSync(file, JSON.stringify([...paths]));
    if (this.#flaky.length === 0) return;
    console.log(`\n${this.#flaky.length} passed only when repeated:\n  ${this.#flaky.join("\n  ")}`);
  }
}
