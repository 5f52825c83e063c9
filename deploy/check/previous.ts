// The version before this one, as sources that run beside it.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A version of the repository in a folder of its own. */
export interface Version {
  readonly name: string;
  /** The root of its sources. */
  readonly root: string;
}

const ROOT = join(import.meta.dirname, "../..");

/** This version: the sources that the check belongs to. */
export const CURRENT: Version = { name: "this version", root: ROOT };

/** The sources of a commit. They are unpacked once. */
export function unpackVersion(commit: string): Version {
  const git = (...args: readonly string[]) => execFileSync("git", ["-C", ROOT, ...args], { maxBuffer: 2 ** 30 });
  const id = git("rev-parse", "--verify", "--end-of-options", `${commit}^{commit}`).toString().trim();
  const root = join(tmpdir(), `recourse-previous-${id}`);
  const version = { name: id.slice(0, 8), root };
  if (existsSync(root)) return version;
  const unfinished = `${root}.${process.pid}`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished);
  execFileSync("tar", ["-x", "-C", unfinished], { input: git("archive", "--format=tar", id) });
  if (isCovered(unfinished)) linkDependencies(unfinished);
  else execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: unfinished, stdio: "pipe" });
  renameSync(unfinished, root);
  return version;
}

interface LockFile {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly link?: boolean }>>;
}

/** Whether the dependencies of this version are those of the other one, and perhaps more. */
function isCovered(root: string): boolean {
  const packagesOf = (folder: string) =>
    (JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8")) as LockFile).packages;
  const own = packagesOf(ROOT);
  return Object.entries(packagesOf(root)).every(
    ([name, { version, link }]) => link === true || !name.includes("node_modules/") || own[name]?.version === version,
  );
}

/** The packages of npm are those of this version, and the packages of the repository its own. */
function linkDependencies(root: string): void {
  const from = join(ROOT, "node_modules");
  const to = join(root, "node_modules");
  mkdirSync(join(to, "@recourse"), { recursive: true });
  for (const name of readdirSync(from)) {
    if (name !== "@recourse" && name !== "create-recourse") symlinkSync(join(from, name), join(to, name));
  }
  for (const name of readdirSync(join(root, "packages"))) {
    symlinkSync(join("../../packages", name), join(to, "@recourse", name));
  }
}
