import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { WORKFLOWS, workflowProblems } from "./workflows.ts";

const ROOT = join(import.meta.dirname, "../..");
const files = globSync(WORKFLOWS, { cwd: ROOT }).toSorted();
const read = (file: string) => readFileSync(join(ROOT, file), "utf8");

test.each(files)("%s keeps the rules", (file) => {
  expect(workflowProblems(file, read(file))).toEqual([]);
});

test("there are workflows for changes, nights, releases, the image and the website", () => {
  expect(files.map((file) => file.replace(/^.*\/|\.yml$/g, ""))).toEqual([
    "check",
    "image",
    "nightly",
    "release",
    "site",
  ]);
  expect(read(".github/workflows/check.yml")).toMatch(/ \.ci\/run$/m);
});

test("an action has one commit in all workflows", () => {
  const uses = files.flatMap((file) => [...read(file).matchAll(/uses: (?!\.\/)([^@\s]+)(.*)/g)]);
  const commits = Map.groupBy(uses, ([, name]) => name);
  for (const [name, found] of commits) expect(new Set(found.map(([, , commit]) => commit)).size, name).toBe(1);
  expect(commits.get("actions/checkout")?.length).toBeGreaterThanOrEqual(files.length);
});

test("the release publishes every package that is not private, after what it needs", () => {
  const [, list = ""] = /for name in (.+); do/.exec(read(".github/workflows/release.yml")) ?? [];
  const order = list.split(" ");
  const manifests = globSync("packages/*/package.json", { cwd: ROOT }).map((file) => ({
    folder: file.split("/")[1] ?? "",
    ...(JSON.parse(read(file)) as { name: string; private?: boolean; dependencies?: Record<string, string> }),
  }));
  const published = manifests.filter((one) => one.private !== true);
  expect(order.toSorted()).toEqual(published.map(({ folder }) => folder).toSorted());
  for (const { folder, dependencies = {} } of published) {
    for (const needed of published.filter(({ name }) => name in dependencies))
      expect(order.indexOf(needed.folder), `${needed.folder} before ${folder}`).toBeLessThan(order.indexOf(folder));
  }
});

test("the release runs what packages need before they are packed, since npm runs no scripts there", () => {
  const manifests = globSync("packages/*/package.json", { cwd: ROOT }).map(
    (file) => JSON.parse(read(file)) as { readonly name: string; readonly scripts?: Readonly<Record<string, string>> },
  );
  const needed = manifests.flatMap(({ scripts = {} }) => Object.entries(scripts));
  expect(needed).toEqual([["prepack", "node ../../scripts/templates.ts"]]);
  expect(read(".github/workflows/release.yml")).toMatch(/^ +node scripts\/templates\.ts$/m);
});

test("issue forms and other files of GitHub are YAML", () => {
  for (const file of globSync(".github/ISSUE_TEMPLATE/*.yml", { cwd: ROOT }))
    expect(parse(read(file))).toBeTypeOf("object");
});

const GOOD = `on:
  pull_request:
permissions: {}
concurrency:
  group: a
defaults: { run: { shell: bash } }
jobs:
  one:
    timeout-minutes: 5
    permissions:
      contents: read
    steps:
      - uses: actions/checkout@${"0".repeat(40)} # v4.2.2
        with: { persist-credentials: false }
      - run: npm ci --ignore-scripts
`;

describe("a rule that is broken is found", () => {
  test("and a good file has no problems", () => {
    expect(workflowProblems("a.yml", GOOD)).toEqual([]);
  });

  test.each([
    ["pull_request_target is not allowed", "pull_request:", "pull_request_target:"],
    ["workflow_run is not allowed", "pull_request:", "workflow_run:"],
    ["permissions at the top must be {}", "permissions: {}", "permissions: read-all"],
    ["permissions at the top must be {}", "permissions: {}\n", ""],
    ["concurrency has no group", "  group: a", "  cancel-in-progress: true"],
    ["defaults.run.shell must be bash", "shell: bash", "shell: sh"],
    ["not a commit with its version", `@${"0".repeat(40)} # v4.2.2`, "@v4"],
    ["not a commit with its version", " # v4.2.2", ""],
    ["one: needs permissions of its own", "    permissions:\n      contents: read\n", ""],
    ["one: needs permissions of its own", "    permissions:\n      contents: read\n", "    permissions: write-all\n"],
    ["one: a workflow for pull requests may not write", "contents: read", "contents: write"],
    ["one: needs timeout-minutes", "    timeout-minutes: 5\n", ""],
    ["one: needs timeout-minutes", "timeout-minutes: 5", "timeout-minutes: 360"],
    [
      "one: the image of its container",
      "    timeout-minutes: 5",
      "    timeout-minutes: 5\n    container: { image: node:24 }",
    ],
    ["one: passes secrets on", "    timeout-minutes: 5", "    timeout-minutes: 5\n    secrets: inherit"],
    [
      "one: an expression inside of a script",
      "--ignore-scripts",
      `--ignore-scripts \${{ github.event.pull_request.title }}`,
    ],
    ["one: npm installs without --ignore-scripts", " --ignore-scripts", ""],
    ["one: checkout must not keep its token", "        with: { persist-credentials: false }\n", ""],
  ])("%s", (problem, from, to) => {
    expect(GOOD).toContain(from);
    const found = workflowProblems("a.yml", GOOD.replace(from, to));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(`a.yml: ${problem}`);
  });
});

describe("change files", () => {
  const config = JSON.parse(read(".changeset/config.json")) as { readonly fixed: readonly (readonly string[])[] };

  test("all packages move together", () => {
    expect(config.fixed).toEqual([["@recourse/*", "create-recourse"]]);
    const versions = globSync("packages/*/package.json", { cwd: ROOT })
      .map((file) => JSON.parse(read(file)) as { readonly version: string; readonly private?: boolean })
      .filter((one) => one.private !== true)
      .map(({ version }) => version);
    expect(new Set(versions).size).toBe(1);
    expect(read("CHANGELOG.md")).toContain(`\n## ${versions[0]}`);
  });

  test("each says who is affected", () => {
    for (const file of globSync(".changeset/*.md", { cwd: ROOT }).filter((one) => !one.endsWith("README.md")))
      expect(read(file), file).toMatch(
        /^---\n(?:"(?:@recourse\/[a-z-]+|create-recourse)": (?:major|minor|patch)\n)+---\n\n(?:callers|operators|library): /,
      );
  });
});
