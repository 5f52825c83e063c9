import { mergeConfig } from "vitest/config";
import base from "./vitest.config.ts";

const merged = mergeConfig(base, {
  test: {
    // Every mutant runs the tests again, so properties get few runs here, and what only measures or is slow is left out.
    exclude: ["**/node_modules/**", "packages/core/src/safety/{patterns,speed}.test.ts"],
    env: { RECOURSE_RUNS: "3" },
  },
});

// scripts/mutation/run.ts names the tests of a part. Merging would add them to all others.
const tests = process.env["MUTATION_TESTS"]?.split(" ");
export default tests ? { ...merged, test: { ...merged["test"], include: tests } } : merged;
