// Runs the examples that are projects of their own: folders of `examples` with a package.json and a lock beside it. Each is
// copied, gets its own dependencies and the packed packages, is type checked, and runs its tests with `node --test`.
//
//   node scripts/example-projects.ts [name …]         runs all of them, or those named
//   node scripts/example-projects.ts --lock name      writes the lock anew after its package.json has changed
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { command, NPM, packAll } from "./packed.ts";
import { copyParts } from "./templates.ts";

const CACHE = resolve(".cache/example-projects");
/** What a project leaves behind when a person runs it in place. */
const NOT_COPIED = new Set(["node_modules", ".next", "dist"]);

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const { values, positionals } = parseArgs({ options: { lock: { type: "boolean" } }, allowPositionals: true });
const known = globSync("examples/*/package.json").map((file) => basename(dirname(file)));
const unknown = positionals.filter((name) => !known.includes(name));
if (unknown.length > 0) throw new Error(`no such project: ${unknown.join(", ")}; there are ${known.join(", ")}`);
const names = (positionals.length > 0 ? positionals : known).toSorted();

if (values.lock === true) for (const name of names) writeLock(name);
else runAll();

function runAll(): void {
  const tarballs = packAll();
  const totals = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0 };
  for (const name of names) {
    const started = performance.now();
    const folder = setUp(name, tarballs);
    const typed = isTyped(folder);
    const { passed, failed, skipped } = runTests(folder);
    totals.numPassedTests += passed;
    totals.numFailedTests += failed + (typed ? 0 : 1);
    totals.numPendingTests += skipped;
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    console.log(
      `${name}: ${passed} passed, ${failed} failed, ${skipped} skipped${typed ? "" : ", types wrong"}, ${seconds} s`,
    );
  }
  writeFileSync(`.cache/tests-example-projects-${names.join("-")}.json`, JSON.stringify(totals));
  process.exitCode = totals.numFailedTests > 0 || totals.numPassedTests === 0 ? 1 : 0;
}

/**
 * A copy of the project with everything installed. The dependencies of an earlier run are kept if the lock is the same.
 */
function setUp(name: string, tarballs: readonly string[]): string {
  const folder = join(CACHE, name);
  const lock = join(folder, "package-lock.json");
  const before = existsSync(lock) ? readFileSync(lock, "utf8") : undefined;
  copy(name, folder);
  if (before !== readFileSync(lock, "utf8") || !existsSync(join(folder, "node_modules"))) {
    command("npm", ["ci", ...NPM], folder);
  }
  // The version stays the same while the content changes, so npm would keep the old one.
  rmSync(join(folder, "node_modules/@recourse"), { recursive: true, force: true });
  command("npm", ["install", "--no-save", ...NPM, ...wanted(name, tarballs)], folder);
  return folder;
}

/** Copies a project. The packages of this repository are not in its lock, so they are not in the package.json of the copy. */
function copy(name: string, folder: string): void {
  for (const old of globSync(join(folder, "*"), { exclude: (path) => basename(path) === "node_modules" })) {
    rmSync(old, { recursive: true, force: true });
  }
  mkdirSync(folder, { recursive: true });
  cpSync(join("examples", name), folder, { recursive: true, filter: (path) => !NOT_COPIED.has(basename(path)) });
  copyParts(name, folder);
  const { dependencies = {}, devDependencies = {}, ...manifest } = readManifest(name);
  const foreign = (all: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(all).filter(([dependency]) => !isOurs(dependency)));
  const own = { ...manifest, dependencies: foreign(dependencies), devDependencies: foreign(devDependencies) };
  const text = JSON.stringify(own, undefined, 2);
  writeFileSync(join(folder, "package.json"), `${text}\n`);
}

/** The tarballs that a project asks for, and what those ask for. */
function wanted(name: string, tarballs: readonly string[]): readonly string[] {
  const { dependencies, devDependencies } = readManifest(name);
  const asked = Object.keys({ ...dependencies, ...devDependencies }).filter(isOurs);
  const all = asked.length > 0 ? [...new Set([...asked, "@recourse/core", "@recourse/faults"])] : [];
  return tarballs.filter((file) => all.some((one) => basename(file).startsWith(`${one.slice(1).replace("/", "-")}-`)));
}

function writeLock(name: string): void {
  const folder = join(CACHE, name);
  copy(name, folder);
  rmSync(join(folder, "package-lock.json"), { force: true });
  cpSync(".npmrc", join(folder, ".npmrc"));
  command("npm", ["install", "--package-lock-only", ...NPM], folder);
  cpSync(join(folder, "package-lock.json"), join("examples", name, "package-lock.json"));
  rmSync(join(folder, "package-lock.json"));
}

function isTyped(folder: string): boolean {
  if (!existsSync(join(folder, "tsconfig.json"))) return true;
  return spawnSync("tsc", ["-p", folder], { stdio: "inherit" }).status === 0;
}

function runTests(folder: string): { readonly passed: number; readonly failed: number; readonly skipped: number } {
  const report = join(folder, ".tests.tap");
  const reporters = ["spec", "stdout", "tap", report].map((value, index) =>
    index % 2 === 0 ? `--test-reporter=${value}` : `--test-reporter-destination=${value}`,
  );
  const { status } = spawnSync(process.execPath, ["--test", ...reporters], { cwd: folder, stdio: "inherit" });
  const text = readFileSync(report, "utf8");
  const count = (what: string) => Number(new RegExp(`^# ${what} (\\d+)$`, "m").exec(text)?.[1] ?? 0);
  const failed = count("fail") + count("cancelled");
  return { passed: count("pass"), failed: status === 0 ? failed : Math.max(1, failed), skipped: count("skipped") };
}

function readManifest(name: string): Manifest {
  return JSON.parse(readFileSync(join("examples", name, "package.json"), "utf8")) as Manifest;
}

function isOurs(dependency: string): boolean {
  return dependency.startsWith("@recourse/");
}
