import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * The rows of the corpora as a module. The corpora are data files; browsers and workers cannot read files, so the package
 * imports this instead.
 */
export function corporaModule(): string {
  const [leaks, benign] = [linesOf("leaks"), linesOf("benign")];
  const sets = new Set(leaks.map((line) => (JSON.parse(line) as { readonly set: string }).set));
  return [
    "// Generated from packages/testing/corpora. Change the files there, then: npm run generate",
    'import type { BenignRow, LeakTemplate } from "./templates.ts";',
    "",
    "/** A category of leaks, such as `cred-known` or `sql`. */",
    `export type LeakCategory = ${[...sets].map((set) => JSON.stringify(set)).join(" | ")};`,
    "",
    "export const LEAK_ROWS: readonly LeakTemplate<LeakCategory>[] = [",
    ...leaks.map((line) => `  ${line},`),
    "];",
    "",
    "export const BENIGN_ROWS: readonly BenignRow[] = [",
    ...benign.map((line) => `  ${line},`),
    "];",
    "",
  ].join("\n");
}

function linesOf(corpus: string): readonly string[] {
  const path = fileURLToPath(new URL(`../../packages/testing/corpora/${corpus}.jsonl`, import.meta.url));
  return readFileSync(path, "utf8").trimEnd().split("\n");
}
