import { mergeConfig } from "vitest/config";
import base from "./vitest.config.ts";

// Every mutant runs the tests again, so properties get few runs here, and what only measures is left out.
export default mergeConfig(base, {
  test: {
    exclude: ["**/node_modules/**", "examples/**", "scripts/**", "packages/faults/test/bundle.test.ts"],
    env: { RECOURSE_RUNS: "30" },
  },
});
