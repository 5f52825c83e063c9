// Prints how the source is cut: files, their sizes, names that more than one file defines, and imports that run in circles.
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { GATEWAY_ORDER } from "./check-imports.ts";

const SMALL = 30;
/** Data tables may be long, and say nothing about how readable the code is. The types of answers have the names of the API. */
const DATA = /\/(?:explain\/src\/data|reasons\/library|console\/src\/api)\//;
const DEFINED =
  /^(?:export )?(?:default )?(?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) ([A-Za-z_$][\w$]*)/gm;

/** More than this is a step back. Raise a limit only with a reason. */
const LIMITS = { files: 830, small: 60, names: 10, circles: 0, upward: 0 };

// The test kit serves tests only, and the front doors are lists of names.
const files = globSync("packages/!(test-kit|faults|dialects)/src/**/*.ts")
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
const kinds = Object.entries(countLines(files.map(({ code }) => code))).map(([kind, count]) => `${kind} ${count}`);
console.log(`lines by kind: ${kinds.join(", ")}`);
console.log(`lines per file: median ${at(0.5)}, p90 ${at(0.9)}, longest ${lengths.at(-1)}`);
const small = lengths.filter((one) => one < SMALL).length;
console.log(`files under ${SMALL} lines: ${small}`);
console.log(`top-level names defined in more than one file: ${repeated.length}`);

/** The files that each file imports, types included. */
const imports = new Map(
  files.map(({ file, code }) => [
    file,
    [...code.matchAll(/\bfrom "(\.[^"]+)"/g)].map(([, from = ""]) => join(dirname(file), from)),
  ]),
);
const circles = findCircles(imports);
console.log(`circles of imports among files: ${circles.length}`);
for (const circle of circles) console.log(`  ${circle.join(" ")}`);

const GATEWAY = "packages/gateway/src/";
const roomOf = (file: string) => file.slice(GATEWAY.length).split("/")[0] ?? "";
const arrows = new Set(
  [...imports]
    .filter(([file]) => file.startsWith(GATEWAY))
    .flatMap(([file, targets]) => targets.map((target) => `${roomOf(file)} ${roomOf(target)}`)),
);
const between = [...arrows].map((arrow) => arrow.split(" ")).filter(([from, to]) => from !== to);
const rank = (room = "") => (GATEWAY_ORDER.includes(room) ? GATEWAY_ORDER.indexOf(room) : GATEWAY_ORDER.length);
const upward = between.filter(([from, to]) => rank(from) < rank(to));
console.log(`arrows between gateway folders: ${between.length}, of which ${upward.length} run back up`);

const counts = {
  files: files.length,
  small,
  names: repeated.length,
  circles: circles.length,
  upward: upward.length,
};
for (const [what, limit] of Object.entries(LIMITS)) {
  if (counts[what as keyof typeof LIMITS] <= limit) continue;
  console.error(`${what}: more than ${limit}`);
  process.exitCode = 1;
}

if (process.argv.includes("--names")) {
  for (const [name, where] of repeated.toSorted((a, b) => b[1].length - a[1].length))
    console.log(`  ${name}: ${[...new Set(where)].join(" ")}`);
}

/** Lines of code, of comments, of imports and exports, and blank ones. */
function countLines(codes: readonly string[]): Record<"code" | "comments" | "imports" | "blank", number> {
  const counted = { code: 0, comments: 0, imports: 0, blank: 0 };
  for (const code of codes) {
    let open: "comments" | "imports" | undefined;
    for (const line of code
      .trimEnd()
      .split("\n")
      .map((one) => one.trim())) {
      open ??= /^\/[/*]/.test(line)
        ? "comments"
        : /^(?:import\b|export (?:type )?[{*])/.test(line)
          ? "imports"
          : undefined;
      counted[line === "" ? "blank" : (open ?? "code")] += 1;
      if (open === "comments" && (line.startsWith("//") || line.endsWith("*/"))) open = undefined;
      if (open === "imports" && line.endsWith(";")) open = undefined;
    }
  }
  return counted;
}

/** Groups of files in which each imports each other, directly or not (Tarjan). */
function findCircles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (file: string) => {
    index.set(file, index.size);
    low.set(file, index.size - 1);
    stack.push(file);
    for (const next of graph.get(file) ?? []) {
      if (!graph.has(next)) continue;
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(file, Math.min(low.get(file) ?? 0, low.get(next) ?? 0));
    }
    if (low.get(file) !== index.get(file)) return;
    const circle = stack.splice(stack.indexOf(file));
    if (circle.length > 1) found.push(circle);
  };
  for (const file of graph.keys()) if (!index.has(file)) visit(file);
  return found;
}
