// The built program on a Node.js that is too old for it: what it imports may not even be parsed there.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { rolldown } from "rolldown";
import { expect, onTestFinished, test } from "vitest";
import { isOlder } from "../src/program/node-version.ts";

const PACKAGE = resolve(import.meta.dirname, "..");
const { engines } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8")) as {
  readonly engines: { readonly node: string };
};

/** A Node.js on this machine that is too old. Versions before 16 have no modules of this kind. */
function findOldNode(): string | undefined {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/bin", "/usr/local/bin"];
  return folders
    .map((folder) => join(folder, "node"))
    .filter((file) => existsSync(file))
    .find((file) => {
      const version = spawnSync(file, ["--version"], { encoding: "utf8" }).stdout.trim().replace(/^v/, "");
      return isOlder(version, engines.node) && !isOlder(version, ">=16");
    });
}

const oldNode = findOldNode();

test.skipIf(oldNode === undefined)(
  "says which version it needs (skipped where no old Node.js is installed)",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "old-node-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    copyFileSync(join(PACKAGE, "package.json"), join(folder, "package.json"));
    const build = await rolldown({
      input: { main: join(PACKAGE, "src/main.ts") },
      platform: "node",
      external: /^node:|^@/,
      logLevel: "silent",
    });
    await build.write({
      dir: join(folder, "dist"),
      format: "esm",
      entryFileNames: "[name].js",
      chunkFileNames: "chunks/[name].js",
    });
    await build.close();
    const run = (...args: string[]) =>
      spawnSync(oldNode ?? "", [join(folder, "dist/main.js"), ...args], { encoding: "utf8", env: { NO_COLOR: "1" } });
    for (const args of [[], ["--help"], ["explain", "-32001"], ["probe", "node", "x.js"]]) {
      const { status, stdout, stderr } = run(...args);
      expect({ status, stdout }).toEqual({ status: 3, stdout: "" });
      expect(stderr).toMatch(/^recourse needs Node\.js \d+\.\d+\.\d+ or later\. This is \d+\.\d+\.\d+\.\n$/);
    }
    expect(JSON.parse(run("probe", "--json", "x").stderr)).toMatchObject({ error: { code: "node-version" } });
  },
);
