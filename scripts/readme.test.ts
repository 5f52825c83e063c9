import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const read = (name: string) => readFileSync(join(root, name), "utf8");
/** READMEs that are read outside the repository name its files by this address. */
const HOME = "https://github.com/recourse-mcp/recourse/blob/main/";
const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...globSync("{docs,design,reference,conformance,packages/*,examples/*}/**/*.md", { cwd: root }).filter(
    (page) => !/node_modules|create-recourse\/templates/.test(page),
  ),
];

test.each(pages)("the links of %s lead somewhere", (page) => {
  for (const [, link = ""] of read(page).matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)) {
    const target = link.startsWith(HOME) ? link.slice(HOME.length) : normalize(join(dirname(page), link));
    if (link.startsWith(HOME) || !link.includes(":")) expect(globSync(target, { cwd: root }), link).not.toEqual([]);
  }
});

/** Files that people read and copy from, and the sources of what is printed. */
const copied = globSync(
  "{*.md,{docs,packages,examples,reference,conformance,scripts}/**/*.{md,ts,js,mjs,json,yaml,yml}}",
  {
    cwd: root,
    exclude: (name) => /(?:^|\/)(?:node_modules|dist)$/.test(name),
  },
).filter((file) => file !== "CHANGELOG.md");

test("no command runs a package of somebody else that has the name of our program", () => {
  expect(copied.length).toBeGreaterThan(500);
  // Without a local installation these fetch the package `recourse`, which is not ours.
  const strange = /\b(?:npx|npm exec|npm x|pnpm dlx|pnpx|yarn dlx|bunx)\s+(?:-\S+\s+)*recourse(?![\w./-])/;
  expect(copied.filter((file) => strange.test(read(file)))).toEqual([]);
  expect(strange.test(["npx", "-y", "recourse serve"].join(" "))).toBe(true);
});

test("the README fits on a few screens", () => {
  expect(read("README.md").split("\n").length).toBeLessThanOrEqual(160);
});

test.each(["faults", "bridge", "stores", "gateway", "cli", "create-recourse"])(
  "packages/%s has the licence of the repository",
  (name) => {
    expect(read(`packages/${name}/LICENSE`)).toBe(read("LICENSE"));
  },
);

describe("the table of the README says what its server really answers", () => {
  const [, server = ""] = /```ts file=server\.ts\n([\s\S]*?)```/.exec(read("README.md")) ?? [];
  const folder = mkdtempSync(join(root, "examples", ".readme-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const rows = [...read("README.md").matchAll(/^\| `(\{ order: .+ \})` \| (.*?) \| (.*?) \|$/gm)];

  test.each(["bare", "guarded"] as const)("%s", async (how) => {
    const code = how === "guarded" ? server : server.replace(/guard\((new McpServer\(.*?\))\)/, "$1");
    expect(code === server).toBe(how === "guarded");
    writeFileSync(join(folder, `${how}.ts`), code);
    const client = new Client({ name: "readme", version: "1.0.0" });
    const args = ["--conditions=@recourse/source", join(folder, `${how}.ts`)];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }));
    const said: string[] = [];
    for (const [, call = ""] of rows) {
      const order: unknown = JSON.parse(call.replace("order", '"order"'))["order"];
      const { content } = await client.callTool({ name: "cancel_order", arguments: { order } });
      said.push((content as readonly { readonly text?: string }[])[0]?.text?.replaceAll("\n", " ") ?? "");
    }
    await client.close();
    const plain = (text: string) => text.replace(/incident \w{26}/i, "Incident ID");
    expect(said.map(plain)).toEqual(rows.map((row) => plain(row[how === "bare" ? 2 : 3] ?? "")));
    expect(rows).toHaveLength(3);
  });
});
