// The drawing of the packages in CONTRIBUTING.md: an arrow means that a source of one package imports another, with the
// entry points.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PLACE = /(<!-- packages -->\n)[\s\S]*?(\n<!-- \/packages -->)/;
const IMPORTED = /(?:from|import\() ?"@recourse\/([a-z-]+)((?:\/[a-z-]+)*)"/g;

/** CONTRIBUTING.md with the drawing as the sources have it. */
export function contributingPage(): string {
  const page = readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8");
  return page.replace(
    PLACE,
    (_, start: string, end: string) => `${start}\n\`\`\`mermaid\n${drawPackages()}\`\`\`\n${end}`,
  );
}

function drawPackages(): string {
  const arrows = new Map<string, Set<string>>();
  for (const file of globSync("packages/*/src/**/*.ts", { cwd: ROOT }).toSorted()) {
    const from = file.split("/")[1] ?? "";
    if (file.endsWith(".test.ts") || from === "test-kit") continue;
    // Samples in comments import packages too.
    const code = readFileSync(join(ROOT, file), "utf8").replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
    for (const [, to = "", door = ""] of code.matchAll(IMPORTED)) {
      if (to === from) continue;
      const key = `${from} ${to}`;
      arrows.set(key, (arrows.get(key) ?? new Set()).add(door === "" ? "." : door));
    }
  }
  const lines = [...arrows]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, doors]) => {
      const [from, to] = key.split(" ");
      const named = [...doors].toSorted().filter((door) => door !== ".");
      return `  ${from} -->${named.length === 0 ? "" : `|"${named.join(" ")}"|`} ${to}\n`;
    });
  return `graph BT\n${lines.join("")}`;
}
