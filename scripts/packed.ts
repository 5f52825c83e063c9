// The packages of this repository as a user gets them: packed tarballs.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { text } from "node:stream/consumers";

/** The options of `npm install` in a project of ours: nothing runs, and nothing is asked that the cache knows. */
export const NPM = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--prefer-offline"] as const;
const CACHE = resolve(".cache/packed");
/** What goes into the tarballs: the packages, and the examples that are the templates of create-recourse. */
const CONTENT = ["packages/*/**", "examples/starter-*/**"];
const NOT_PACKED = /(?:\/node_modules|^packages\/[^/]+\/(?:test|templates))$/;

/** Packing takes some seconds. */
const LOCK_MS = 120_000;
let tarballs: readonly string[] | undefined;

/** Packs every package, or takes the tarballs of an earlier run with the same content. Returns their paths. */
export function packAll(): readonly string[] {
  tarballs ??= packOnce();
  return tarballs;
}

function packOnce(): readonly string[] {
  const folder = join(CACHE, keyOf(CONTENT));
  mkdirSync(CACHE, { recursive: true });
  // Scripts that run at the same time want the same tarballs: the first one packs, the others wait for it.
  while (!existsSync(folder) && !takeLock(`${folder}.lock`))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  if (!existsSync(folder)) {
    for (const old of globSync(join(CACHE, "*")).filter((one) => one !== `${folder}.lock`))
      rmSync(old, { recursive: true });
    // Whole or not there, so that an interrupted run leaves nothing that looks complete.
    const packing = mkdtempSync(join(CACHE, "packing-"));
    const packages = globSync("packages/*/package.json")
      .filter(isPublished)
      .map((one) => `./${dirname(one)}`);
    command("npm", ["pack", "--silent", "--pack-destination", packing, ...packages], ".");
    renameSync(packing, folder);
    rmSync(`${folder}.lock`, { recursive: true });
  }
  return globSync(join(folder, "*.tgz")).toSorted();
}

function isPublished(manifest: string): boolean {
  return (JSON.parse(readFileSync(manifest, "utf8")) as { readonly private?: boolean }).private !== true;
}

/** Whether this process is the one that packs. The lock of a process that died counts for a while only. */
function takeLock(lock: string): boolean {
  try {
    if (existsSync(lock) && Date.now() - statSync(lock).mtimeMs > LOCK_MS)
      rmSync(lock, { recursive: true, force: true });
    mkdirSync(lock);
    return true;
  } catch {
    return false;
  }
}

/** The tarball of a package by its name. */
export function tarballOf(name: string): string {
  const start = `${name.replace("@", "").replace("/", "-")}-`;
  const found = packAll().find((file) => basename(file).startsWith(start));
  if (found === undefined) throw new Error(`${name} is not packed`);
  return found;
}

/** Runs a command to its end and returns what it printed; throws if it fails. */
export function command(name: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(name, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${name} ${args.join(" ")}\n${stderr}${stdout}`);
  return stdout;
}

/** `command` beside other work. */
export async function commandBeside(name: string, args: readonly string[], cwd: string): Promise<string> {
  const child = spawn(name, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  if (child.exitCode !== 0) throw new Error(`${name} ${args.join(" ")}\n${stderr}${stdout}`);
  return stdout;
}

function keyOf(patterns: readonly string[]): string {
  const hash = createHash("sha256");
  const paths = globSync(patterns, { exclude: (path) => NOT_PACKED.test(path) });
  for (const path of paths.filter((one) => statSync(one).isFile()).toSorted()) {
    hash.update(`${path}\0`).update(createHash("sha256").update(readFileSync(path)).digest());
  }
  return hash.digest("hex").slice(0, 16);
}
