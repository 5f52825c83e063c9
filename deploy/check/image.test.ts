import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readLock } from "../../scripts/lock/lock.ts";
import { copyPackage, isTaken, packagesOf } from "../image/tree.ts";

const ROOT = join(import.meta.dirname, "../..");
const DOCKERFILE = readFileSync(join(ROOT, "deploy/image/Dockerfile"), "utf8");

test.each([
  ["package.json", true],
  ["dist/main.js", true],
  ["dist/THIRD-PARTY-LICENSES.md", true],
  ["LICENSE", true],
  ["LICENSE.md", true],
  ["lib/web/fetch/LICENSE", true],
  ["Notice.txt", true],
  ["lib/test/assert.js", true],
  ["lib/tests.js", true],
  ["dist/index.js.map", false],
  ["dist/index.d.ts", false],
  ["dist/index.d.cts", false],
  ["src/index.ts", false],
  ["README.md", false],
  ["test/index.js", false],
  ["node_modules/other/index.js", false],
  ["node_modules/other/LICENSE", false],
  ["Makefile", false],
  [".eslintrc", false],
])("%s of a package is taken: %s", (path, expected) => {
  expect(isTaken(path)).toBe(expected);
});

test("the image has the command, the gateway and what they need, and nothing to develop with", () => {
  const folders = packagesOf(readLock(join(ROOT, "package-lock.json")));
  expect(folders).toEqual(expect.arrayContaining(["packages/cli", "packages/gateway", "packages/stores"]));
  expect(folders).toEqual(expect.arrayContaining(["node_modules/pg", "node_modules/@redis/client"]));
  expect(folders.filter((one) => /typescript|vitest|test-kit|node-linux/.test(one))).toEqual([]);
});

interface Given {
  readonly manifest: object;
  readonly files?: Readonly<Record<string, string>>;
}

function copied({ manifest, files = {} }: Given): string {
  const work = mkdtempSync(join(tmpdir(), "recourse-tree-"));
  onTestFinished(() => rmSync(work, { recursive: true, force: true }));
  const from = join(work, "node_modules/pack");
  mkdirSync(from, { recursive: true });
  writeFileSync(join(from, "package.json"), JSON.stringify({ version: "1.2.3", ...manifest }));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(from, name), content);
  copyPackage({ name: "pack", from, to: join(work, "out") });
  return join(work, "out");
}

test("a package without a file of terms gets them from its page", () => {
  const page =
    "# pack\n\n## License\n\nCopyright (c) 2014 Somebody\n\nPermission is hereby granted, free of charge, …\n";
  const out = copied({ manifest: { license: "MIT" }, files: { "README.md": page, "index.js": "" } });
  expect(readdirSync(out).toSorted()).toEqual(["LICENSE", "index.js", "package.json"]);
  expect(readFileSync(join(out, "LICENSE"), "utf8")).toMatch(/^Copyright \(c\) 2014 Somebody\n\nPermission/);
});

test("a package that only names MIT gets its text, with its authors", () => {
  const out = copied({
    manifest: { license: "MIT", author: { name: "Ann" } },
    files: { "README.md": "## License\n\nMIT" },
  });
  const terms = readFileSync(join(out, "LICENSE"), "utf8");
  expect(terms).toContain("Copyright (c) Ann\n");
  expect(terms).toContain("pack 1.2.3 names this licence");
  expect(terms).toContain("Permission is hereby granted");
});

test("terms that the package brings are kept as they are", () => {
  const out = copied({ manifest: { license: "ISC" }, files: { "license.txt": "ISC terms" } });
  expect(readFileSync(join(out, "license.txt"), "utf8")).toBe("ISC terms");
  expect(existsSync(join(out, "LICENSE"))).toBe(false);
});

test("a package whose terms are not known, or that is for one platform, is refused", () => {
  expect(() => copied({ manifest: { license: "ISC" } })).toThrow("pack has no file with its terms (ISC)");
  expect(() => copied({ manifest: {} })).toThrow("pack has no file with its terms (none named)");
  const files = { LICENSE: "", "addon.node": "" };
  expect(() => copied({ manifest: {}, files })).toThrow(/addon\.node is for one platform/);
});

test("without a folder, or with one that is not empty, nothing is written", () => {
  const run = (...args: readonly string[]) =>
    spawnSync(process.execPath, ["deploy/image/tree.ts", ...args], { cwd: ROOT, encoding: "utf8" });
  expect(run()).toMatchObject({ status: 2, stderr: "usage: node deploy/image/tree.ts <folder>\n" });
  const full = run("packages");
  expect(full.status).toBe(1);
  expect(full.stderr).toContain("packages is not empty");
});

test("the compiler's image is the one that the check runs in, by digest; the base has no default", () => {
  const image = /^ARG BUILD_IMAGE=(\S+@sha256:[0-9a-f]{64})$/m.exec(DOCKERFILE)?.[1];
  const workflow = readFileSync(join(ROOT, ".github/workflows/check.yml"), "utf8");
  expect(image).toBeDefined();
  expect(workflow).toContain(`image: ${image}\n`);
  expect(DOCKERFILE).toMatch(/^ARG RUN_IMAGE$/m);
});

test("the image has no health check, no root, and no shell form of a command", () => {
  expect(DOCKERFILE).not.toMatch(/^HEALTHCHECK/m);
  expect(DOCKERFILE.match(/^USER .*/gm)).toEqual(["USER 65532:65532"]);
  expect(DOCKERFILE.match(/^(?:ENTRYPOINT|CMD) .*/gm)?.every((line) => / \["/.test(line))).toBe(true);
});
