import { globSync } from "node:fs";
import { dirname } from "node:path";
import { configDefaults, defineConfig } from "vitest/config";

// The private condition makes the tests run the sources, with no build in between.
const conditions = ["@recourse/source"];
// Examples with a package.json of their own have dependencies of their own: scripts/example-projects.ts runs them.
const exampleProjects = globSync("examples/*/package.json").map((file) => `${dirname(file)}/**`);

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    // Properties run a thousand times, and machines are busy; what must be fast says so itself.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    // Deadlines and processes are real, and CI has two busy cores. What passes only when repeated is printed by name.
    retry: process.env["CI"] === undefined ? 0 : 2,
    // Left alone it keeps a core free, which is half of a machine with two.
    maxWorkers: "100%",
    setupFiles: ["./vitest.setup.ts"],
    projects: [
      {
        extends: true,
        // Tests beside the sources leave nothing behind, so that they can share a process and what it has loaded.
        test: { name: "sources", include: ["{packages,reference}/*/src/**/*.test.ts"], isolate: false },
      },
      {
        extends: true,
        test: {
          name: "runs",
          include: ["{packages,reference}/*/test/**/*.test.ts", "{conformance,examples,scripts}/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...exampleProjects],
        },
      },
    ],
    coverage: {
      provider: "v8",
      include: ["packages/*/src/**/*.ts"],
      exclude: ["**/*.test.ts"],
      reporter: ["text-summary", "json-summary", "lcov"],
    },
  },
});
