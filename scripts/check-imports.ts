// Fails when a folder of the library imports one that it must not know. The table is the architecture.
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

const SRC = "packages/faults/src";

/** What each folder may import, itself apart. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  safety: [],
  fault: ["safety"],
  reasons: ["safety", "fault"],
  render: ["safety", "fault", "reasons"],
  dialects: ["safety", "fault", "reasons", "render"],
  explain: ["fault", "reasons", "render"],
  retry: ["safety", "fault", "reasons"],
  server: ["safety", "fault", "reasons", "render", "dialects"],
  client: ["safety", "fault", "reasons", "render", "dialects", "retry"],
  telemetry: ["fault"],
  testing: ["safety", "fault", "reasons", "render", "dialects"],
};

/** Folders that must run anywhere: no platform module, clock, randomness or environment. */
const PURE = new Set(["safety", "fault", "reasons", "render", "dialects", "explain", "retry"]);
const IMPURE =
  /\b(?:process\.|Buffer\b|Date\.now|new Date\(\)|Math\.random|performance\.|crypto\.|setTimeout|console\.)/;

const problems: string[] = [];
for (const file of globSync(`${SRC}/**/*.ts`).filter((name) => !name.endsWith(".test.ts"))) {
  const folder = file.slice(SRC.length + 1).split("/")[0] ?? "";
  const text = readFileSync(file, "utf8");
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
  if (/^export \* from/m.test(code)) problems.push(`${file}: export * from`);
  if (PURE.has(folder) && IMPURE.test(code)) problems.push(`${file}: ${IMPURE.exec(code)?.[0]} in a pure folder`);
  if (folder === "index.ts") continue;
  const allowed = MAY_IMPORT[folder];
  if (allowed === undefined) problems.push(`${file}: the folder ${folder} is not in the table`);
  for (const [, from = ""] of code.matchAll(/\bfrom\s+"([^"]+)"|\bimport\("([^"]+)"\)/g)) {
    if (!from.startsWith(".")) {
      // The misbehaving peer is a server of its own, behind a door of its own.
      if (from.startsWith("node:") && file.startsWith(`${SRC}/testing/peer/`)) continue;
      problems.push(`${file}: imports ${from}, but the library has no dependencies`);
      continue;
    }
    const [target = "", inner = ""] = normalize(join(dirname(file), from))
      .slice(SRC.length + 1)
      .split("/");
    // One folder per wire: what dialects share lies beside the folders, never in one of them.
    const [, dialect = ""] = file.slice(SRC.length + 1).split("/");
    const isOther = folder === "dialects" && !dialect.endsWith(".ts") && !inner.endsWith(".ts") && inner !== dialect;
    if (target === "dialects" && isOther) problems.push(`${file}: the dialect ${dialect} may not import ${inner}`);
    if (target !== folder && allowed?.includes(target) !== true)
      problems.push(`${file}: ${folder} may not import ${target}`);
  }
}
console.log(problems.length === 0 ? "imports ok" : problems.join("\n"));
process.exitCode = problems.length === 0 ? 0 : 1;
