// Runs TypeDoc over the entry points, and reads what it wrote.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ApiFile, ApiFiles } from "../content/api-page.ts";
import { ROOT } from "../content/sources.ts";
import type { EntryPoint } from "../data/entry-points.ts";

const SITE = join(import.meta.dirname, "..");
/** What TypeDoc wrote, and the digest of what it read. */
const CACHE = join(SITE, ".reference/api");
const DIGEST = join(CACHE, "digest");

/** Everything that changes what TypeDoc writes. */
const READ_BY_TYPEDOC: readonly string[] = [
  "packages/*/package.json",
  "packages/*/src/**/*.ts",
  "site/typedoc.json",
  "site/typedoc.tsconfig.json",
  "site/build/typedoc-plugin.mjs",
  "site/package-lock.json",
];

function digestSources(): string {
  const hash = createHash("sha256");
  const files = READ_BY_TYPEDOC.flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
    .filter((file) => !file.endsWith(".test.ts"))
    .toSorted();
  for (const file of files)
    hash
      .update(file)
      .update("\0")
      .update(readFileSync(join(ROOT, file)))
      .update("\0");
  return hash.digest("hex");
}

/** Runs TypeDoc, unless nothing changed since its last run. Its warnings are errors. */
export function runTypeDoc(entryPoints: readonly EntryPoint[]): void {
  const digest = digestSources();
  if (existsSync(DIGEST) && readFileSync(DIGEST, "utf8") === digest) return;
  rmSync(CACHE, { recursive: true, force: true });
  const sources = entryPoints.flatMap(({ source }) => ["--entryPoints", join("..", source)]);
  const args = ["node_modules/typedoc/bin/typedoc", "--options", "typedoc.json", "--markdown", CACHE, ...sources];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: SITE, encoding: "utf8" });
  if (status !== 0) throw new Error(`TypeDoc failed:\n${stdout}${stderr}`);
  writeFileSync(DIGEST, digest);
}

/** Reads what TypeDoc wrote. A module with namespaces is the README of a folder. */
export function readApiFiles(entryPoints: readonly EntryPoint[]): ApiFiles {
  const files = new Map<string, ApiFile>();
  for (const { source, address } of entryPoints) {
    const folder = source.replace(/(?:\/index)?\.ts$/, "");
    const path = [`${folder}.md`, `${folder}/README.md`].find((one) => existsSync(join(CACHE, one)));
    if (path === undefined) throw new Error(`TypeDoc wrote no page for ${source}`);
    files.set(path, { address, markdown: readFileSync(join(CACHE, path), "utf8") });
    for (const one of globSync(`${folder}/namespaces/*.md`, { cwd: CACHE })) {
      const [, namespace = ""] = /([^/]+)\.md$/.exec(one) ?? [];
      files.set(one, { address, namespace, markdown: readFileSync(join(CACHE, one), "utf8") });
    }
  }
  return files;
}
