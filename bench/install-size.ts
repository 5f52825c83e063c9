// Prints what installing each package brings: its tarball, its files, and the packages that come with it at run time.
// Fails when @recourse/faults brings any.
//
//   node scripts/build.ts && node bench/install-size.ts
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { command, NPM, packAll } from "../scripts/packed.ts";

/** What these may bring: nothing of others. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  "@recourse/core": [],
  "@recourse/faults": ["@recourse/core"],
};

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

interface Packed extends Manifest {
  readonly tarball: string;
}

const work = mkdtempSync(join(tmpdir(), "recourse-install-"));
try {
  const packed = packAll().map((tarball): Packed => ({ ...manifestIn(tarball), tarball }));
  writeFileSync(join(work, "package.json"), JSON.stringify({ name: "empty", private: true }));
  // One project has all of them; what each brings is found by what its package.json asks for.
  command("npm", ["install", ...NPM, ...packed.map(({ tarball }) => tarball)], work);
  console.log("| package | tarball | unpacked | direct dependencies | all that is installed with it | installed |");
  console.log("| --- | --- | --- | --- | --- | --- |");
  for (const one of packed.toSorted((a, b) => (a.name < b.name ? -1 : 1))) report(one);
} finally {
  rmSync(work, { recursive: true, force: true });
}

function report(one: Packed): void {
  const folders = [...broughtBy(join(work, "node_modules", one.name))];
  const others = [...new Set(folders.map(nameIn).filter((name) => name !== one.name))].toSorted();
  const cells = [
    one.name,
    kilobytes(statSync(one.tarball).size),
    kilobytes(sizeOf(join(work, "node_modules", one.name))),
    list(Object.keys(one.dependencies ?? {})),
    list(others),
    kilobytes(folders.reduce((sum, folder) => sum + sizeOf(folder), 0)),
  ];
  console.log(`| ${cells.join(" | ")} |`);
  const foreign = others.filter((other) => ALLOWED[one.name]?.includes(other) === false);
  if (foreign.length === 0) return;
  console.error(`${one.name} must not bring ${foreign.join(", ")}`);
  process.exitCode = 1;
}

/** The folders of an installed package and of all that npm installs with it. */
function broughtBy(folder: string, found = new Set<string>()): Set<string> {
  if (found.has(folder)) return found;
  found.add(folder);
  const { dependencies, peerDependencies = {}, peerDependenciesMeta = {} } = manifestOf(folder);
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  for (const name of [...Object.keys(dependencies ?? {}), ...peers]) broughtBy(resolveFrom(folder, name), found);
  return found;
}

/** The folder of a dependency, found as Node finds it. */
function resolveFrom(folder: string, name: string): string {
  if (folder.length < work.length) throw new Error(`${name} is not installed`);
  const own = join(folder, "node_modules", name);
  return existsSync(own) ? own : resolveFrom(dirname(folder), name);
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
}

function nameIn(folder: string): string {
  return manifestOf(folder).name;
}

function manifestIn(tarball: string): Manifest {
  return JSON.parse(command("tar", ["-xzOf", tarball, "package/package.json"], ".")) as Manifest;
}

/** The size of a package without those that are installed inside of it. */
function sizeOf(folder: string): number {
  const files = globSync("**/*", { cwd: folder, exclude: (path) => basename(path) === "node_modules" }).map((file) =>
    statSync(join(folder, file)),
  );
  return files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
}

function kilobytes(bytes: number): string {
  return `${Math.round(bytes / 1_000)} kB`;
}

function list(names: readonly string[]): string {
  return names.length === 0 ? "0" : `${names.length}: ${names.join(", ")}`;
}
