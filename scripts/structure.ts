// Prints how the source is cut: files, their sizes, and names that more than one file defines.
import { globSync, readFileSync } from "node:fs";

const SMALL = 30;
/** Data tables may be long, and say nothing about how readable the code is. */
const DATA = /\/(?:explain\/data|testing\/corpus|reasons\/library)\//;
const DEFINED =
  /^(?:export )?(?:default )?(?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) ([A-Za-z_$][\w$]*)/gm;

const files = globSync("packages/*/src/**/*.ts")
  .filter((file) => !file.endsWith(".test.ts"))
  .map((file) => ({ file, code: readFileSync(file, "utf8") }));
const lengths = files.map(({ code }) => code.split("\n").length - 1).toSorted((a, b) => a - b);
const at = (share: number) => lengths[Math.min(lengths.length - 1, Math.floor(lengths.length * share))];

const places = new Map<string, string[]>();
for (const { file, code } of files) {
  if (DATA.test(file)) continue;
  for (const [, name = ""] of code.matchAll(DEFINED)) places.set(name, [...(places.get(name) ?? []), file]);
}
const repeated = [...places].filter(([, where]) => new Set(where).size > 1);

console.log(`source files: ${files.length}, lines: ${lengths.reduce((sum, one) => sum + one, 0)}`);
console.log(`lines per file: median ${at(0.5)}, p90 ${at(0.9)}, longest ${lengths.at(-1)}`);
console.log(`files under ${SMALL} lines: ${lengths.filter((one) => one < SMALL).length}`);
console.log(`top-level names defined in more than one file: ${repeated.length}`);
if (process.argv.includes("--names")) {
  for (const [name, where] of repeated.toSorted((a, b) => b[1].length - a[1].length))
    console.log(`  ${name}: ${[...new Set(where)].join(" ")}`);
}
