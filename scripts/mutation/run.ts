// Runs the mutation tests part by part, each with the tests that are about it: `npm run mutation -- lines search`.
// Without names all parts run. Options go to Stryker: `npm run mutation -- lines --concurrency=1`. The report of a part is reports/mutation/<part>.json.
import { spawnSync } from "node:child_process";
import { mkdirSync, renameSync } from "node:fs";

interface Part {
  /** The sources that are changed. */
  readonly mutate: readonly string[];
  /** The tests that have to notice. */
  readonly tests: readonly string[];
}

const SOURCE = "packages/core/src";
/** Stryker takes a list with commas, so patterns cannot contain any. */
const safetyFiles = (...names: readonly string[]) => names.map((name) => `${SOURCE}/safety/${name}.ts`);
const safetyTests = (...names: readonly string[]) => names.map((name) => `${SOURCE}/safety/${name}.test.ts`);

// What a test calls is measured, and tables are not: `ignoreStatic` leaves out what runs when a file is loaded.
const PARTS = {
  cuts: {
    mutate: safetyFiles("cut-text", "cut-result", "find-matches", "folded-text", "full-search"),
    tests: safetyTests("cut-text"),
  },
  secrets: {
    mutate: safetyFiles("secrets", "decoders", "encoded-forms"),
    tests: safetyTests("secrets", "redact-json"),
  },
  lines: {
    mutate: safetyFiles("line", "show-line", "redact-json", "caller-texts"),
    tests: safetyTests("line", "show-line", "redact-json", "caller-texts"),
  },
  values: {
    mutate: safetyFiles("rules/checks", "rules/rule"),
    tests: [
      ...safetyTests("rules/checks", "rules/personal", "rules/cut-rules"),
      "packages/core/test/text/authored-rules.test.ts",
    ],
  },
  fault: { mutate: [`${SOURCE}/fault/**/!(*.test).ts`], tests: [`${SOURCE}/{fault,reasons}/**/*.test.ts`] },
  reasons: {
    mutate: [`${SOURCE}/reasons/**/!(*.test).ts`, `!${SOURCE}/reasons/library/**`],
    tests: [`${SOURCE}/{fault,reasons}/**/*.test.ts`],
  },
} satisfies Readonly<Record<string, Part>>;

type PartName = keyof typeof PARTS;

function isPart(name: string): name is PartName {
  return Object.hasOwn(PARTS, name);
}

function runPart(name: PartName, options: readonly string[]): boolean {
  const { mutate, tests } = PARTS[name];
  const { status } = spawnSync("stryker", ["run", "--mutate", mutate.join(","), ...options], {
    stdio: "inherit",
    env: { ...process.env, MUTATION_TESTS: tests.join(" ") },
  });
  if (status !== 0) return false;
  mkdirSync("reports/mutation", { recursive: true });
  renameSync("reports/mutation/mutation.json", `reports/mutation/${name}.json`);
  return true;
}

const options = process.argv.slice(2).filter((each) => each.startsWith("--"));
const names = process.argv.slice(2).filter((each) => !each.startsWith("--"));
const unknown = names.filter((name) => !isPart(name));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(", ")}. The parts are ${Object.keys(PARTS).join(", ")}.`);
  process.exitCode = 2;
} else {
  const chosen = names.length > 0 ? names.filter(isPart) : Object.keys(PARTS).filter(isPart);
  for (const name of chosen) if (!runPart(name, options)) process.exitCode = 1;
}
