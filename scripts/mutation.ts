// Runs the mutation tests part by part, each with the tests that are about it: `npm run mutation -- text search`.
// Without names all parts run. The report of a part is reports/mutation/<part>.json.
import { spawnSync } from "node:child_process";
import { mkdirSync, renameSync } from "node:fs";

interface Part {
  /** The sources that are changed. */
  readonly mutate: readonly string[];
  /** The tests that have to notice. */
  readonly tests: readonly string[];
}

const SOURCE = "packages/faults/src";
/** Stryker takes a list with commas, so patterns cannot contain any. */
const safetyFiles = (...names: readonly string[]) => names.map((name) => `${SOURCE}/safety/${name}.ts`);
const safetyTests = (...names: readonly string[]) => names.map((name) => `${SOURCE}/safety/${name}.test.ts`);

const PARTS = {
  search: {
    mutate: safetyFiles("layers", "string-search", "redact-json"),
    tests: safetyTests("layers", "string-search", "redact-json"),
  },
  // Properties over all encodings: the slowest part.
  secrets: { mutate: safetyFiles("secrets", "secret-forms", "layer-search"), tests: safetyTests("secrets") },
  patterns: {
    mutate: safetyFiles("prefilter", "pattern-requirements", "pattern-filter"),
    tests: safetyTests("prefilter", "pattern-requirements", "pattern-filter"),
  },
  text: {
    mutate: [
      ...safetyFiles("line", "filter-line", "read-text", "unescape", "redaction-counts"),
      ...safetyFiles("rules/values", "rules/opaque", "rules/digits", "rules/reads-like-text"),
    ],
    tests: [
      ...safetyTests("line", "filter-line", "read-text", "unescape", "rules/*"),
      "packages/faults/test/text/*.test.ts",
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

function runPart(name: PartName): boolean {
  const { mutate, tests } = PARTS[name];
  const { status } = spawnSync("stryker", ["run", "--mutate", mutate.join(",")], {
    stdio: "inherit",
    env: { ...process.env, MUTATION_TESTS: tests.join(" ") },
  });
  if (status !== 0) return false;
  mkdirSync("reports/mutation", { recursive: true });
  renameSync("reports/mutation/mutation.json", `reports/mutation/${name}.json`);
  return true;
}

const names = process.argv.slice(2);
const unknown = names.filter((name) => !isPart(name));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(", ")}. The parts are ${Object.keys(PARTS).join(", ")}.`);
  process.exitCode = 2;
} else {
  const chosen = names.length > 0 ? names.filter(isPart) : Object.keys(PARTS).filter(isPart);
  for (const name of chosen) if (!runPart(name)) process.exitCode = 1;
}
