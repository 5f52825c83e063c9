import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyTemplates } from "../../../scripts/templates.ts";
import { createProject, projectName, TEMPLATES, type TemplateName } from "./create-project.ts";

let home: string;
let templates: string;

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "create-recourse-"));
  templates = join(home, "templates");
  copyTemplates(templates);
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const manifestIn = (folder: string) =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    name: string;
    scripts: Record<string, string>;
    dependencies: Record<string, string>;
  };

test.each(Object.keys(TEMPLATES) as TemplateName[])("the template %s becomes a project of its own", (template) => {
  const folder = join(home, "new", `Shop ${template}`);
  expect(createProject({ folder, template, templates })).toEqual({ ok: true, name: `shop-${template}` });
  const { name, scripts, dependencies } = manifestIn(folder);
  expect(name).toBe(`shop-${template}`);
  expect(readFileSync(join(folder, ".gitignore"), "utf8")).toContain("node_modules");
  expect(existsSync(join(folder, "gitignore"))).toBe(false);
  expect(existsSync(join(folder, "package-lock.json"))).toBe(false);
  const version = manifestOf("faults").version;
  expect(dependencies["@recourse/faults"]).toBe(version);
  expect(manifestOf("create-recourse").version).toBe(version);
  for (const command of Object.keys(TEMPLATES[template].commands)) {
    expect(Object.keys(scripts)).toContain(command.split(" ").at(-1));
  }
});

test("the agent brings its server", () => {
  const folder = join(home, "with-server");
  createProject({ folder, template: "agent", templates });
  expect(readdirSync(join(folder, "server"))).toContain("main.ts");
});

test("an empty folder and a new repository may be used", () => {
  const folder = join(home, "empty");
  mkdirSync(join(folder, ".git"), { recursive: true });
  expect(createProject({ folder, template: "server", templates }).ok).toBe(true);
});

test.each(["work.txt", ".env"])("a folder with %s in it is left alone", (file) => {
  const folder = join(home, `full-${file}`);
  mkdirSync(folder);
  writeFileSync(join(folder, file), "mine");
  expect(createProject({ folder, template: "server", templates })).toEqual({
    ok: false,
    text: `The folder "${folder}" is not empty (it has "${file}"). Name a new one.`,
  });
  expect(readdirSync(folder)).toEqual([file]);
});

test("a file in the way is named", () => {
  const folder = join(home, "file");
  writeFileSync(folder, "");
  const refused = createProject({ folder, template: "server", templates });
  expect(refused).toEqual({ ok: false, text: `"${folder}" could not be written: there is a file of this name.` });
  const below = createProject({ folder: join(folder, "below"), template: "server", templates });
  expect(below).toMatchObject({ ok: false, text: expect.stringContaining("a part of the path is a file") });
});

function manifestOf(name: string): { readonly version: string } {
  const file = join(import.meta.dirname, "../../../packages", name, "package.json");
  return JSON.parse(readFileSync(file, "utf8")) as { version: string };
}

test.each([
  ["my-server", "my-server"],
  ["deep/down/Orders", "orders"],
  ["/tmp/My Server!", "my-server"],
  ["_private", "private"],
  [".hidden", "hidden"],
  ["größe", "gr-e"],
  ["日本", "fallback"],
  ["node_modules", "fallback"],
  ["x".repeat(300), "x".repeat(214)],
])("the project in %s is %s", (folder, name) => {
  expect(projectName(folder, "fallback")).toBe(name);
});

test("the project in this folder has its name", () => {
  expect(projectName(".", "fallback")).toBe(basename(process.cwd()).toLowerCase());
});
