import { mergeConfig } from "vitest/config";
import base from "./vitest.config.ts";

// Every mutant runs the tests again, so properties get few runs here, and what only measures or is slow is left out.
export default mergeConfig(base, {
  test: {
    exclude: [
      "**/node_modules/**",
      "conformance/**",
      "examples/**",
      "scripts/**",
      "packages/faults/src/{dialects,explain}/**",
      "packages/faults/src/safety/{patterns,speed}.test.ts",
      "packages/faults/test/{bundle,safety-table}.test.ts",
      "packages/faults/test/invariants/secrets.test.ts",
    ],
    env: { RECOURSE_RUNS: "10" },
  },
});
