import { globSync } from "node:fs";
import { dirname } from "node:path";
import { configDefaults, defineConfig } from "vitest/config";
import { isNightly } from "./packages/test-kit/src/runs.ts";

// The private condition makes the tests run the sources, with no build in between.
const conditions = ["@recourse/source"];
// Examples with a package.json of their own have dependencies of their own: scripts/example-projects.ts runs them.
const exampleProjects = globSync("examples/*/package.json").map((file) => `${dirname(file)}/**`);

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: [
      "{packages,reference}/*/{src,test}/**/*.test.ts",
      "{action,bench,conformance,examples,research,scripts}/**/*.test.ts",
      "deploy/check/**/*.test.ts",
      "site/{build,check,content,data,figures}/**/*.test.ts",
      "site/*.test.ts",
    ],
    // What takes too long for every change runs in the nightly parts: scripts/check/nightly.ts.
    exclude: [...configDefaults.exclude, ...exampleProjects, ...(isNightly ? [] : ["**/*.nightly.test.ts"])],
    // Test files leave nothing behind, so that they can share a process and what it has loaded: loading the gateway alone
    // takes three seconds.
    isolate: false,
    // Machines are busy; what must be fast says so itself.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 20_000 } },
    // Left alone it keeps a core free, which is half of a machine with two.
    maxWorkers: "100%",
    setupFiles: ["./vitest.setup.ts"],
    coverage: {
      provider: "v8",
      include: ["packages/*/src/**/*.ts"],
      exclude: ["**/*.test.ts"],
      reporter: ["text-summary", "json-summary", "lcov"],
    },
  },
});
