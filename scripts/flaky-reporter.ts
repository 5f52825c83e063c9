// Names every test that passed only on a repetition, so that CI does not hide it.
import type { Reporter, TestCase } from "vitest/node";

export default class FlakyReporter implements Reporter {
  readonly #flaky: string[] = [];

  onTestCaseResult(test: TestCase): void {
    const retries = test.diagnostic()?.retryCount ?? 0;
    if (retries === 0 || test.result().state !== "passed") return;
    this.#flaky.push(`${test.module.relativeModuleId}: ${test.fullName} (attempt ${retries + 1})`);
  }

  onTestRunEnd(): void {
    if (this.#flaky.length === 0) return;
    console.log(`\n${this.#flaky.length} passed only when repeated:\n  ${this.#flaky.join("\n  ")}`);
  }
}
