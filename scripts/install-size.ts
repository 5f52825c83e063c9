// Prints what installing each package brings: its tarball, its files, and the packages that come with it at run time.
// Fails when @recourse/faults brings any.
//
//   node scripts/build.ts && node scripts/install-size.ts
import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { command, packAll } from "./packed.ts";

const INSTALL = [
  "install",

  "--ignore-scripts",
  "--no-audit",
  "--no-fund",
  "--loglevel=error",
];
/** What must come alone. */
const ALONE = "@recourse/faults";

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

interface Packed extends Manifest {
  readonly tarball: string;
}

const work = mkdtempSync(join(tmpdir(), "recourse-install-"));
try {
  const packed = packAll(work).map((tarball): Packed => ({ ...manifestIn(tarball), tarball }));
  console.log("| package | tarball | unpacked | direct dependencies | all that is installed with it | installed |");
  console.log("| --- | --- | --- | --- | --- | --- |");
  for (const one of packed.toSorted((a, b) => (a.name < b.name ? -1 : 1))) report(one, packed);
} finally {
  rmSync(work, { recursive: true, force: true });
}

function report(one: Packed, packed: readonly Packed[]): void {
  const folder = mkdtempSync(join(work, "project-"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "empty", private: true }));
  // Packages of this repository are not published yet, so those that it depends on are installed from their tarballs too.
  const ours = packed.filter(({ name }) => name === one.name || one.dependencies?.[name] !== undefined);
  command("npm", [...INSTALL, ...ours.map(({ tarball }) => tarball)], folder);
  const installed = globSync(["node_modules/*/package.json", "node_modules/@*/*/package.json"], { cwd: folder });
  const names = installed.map((file) => (JSON.parse(readFileSync(join(folder, file), "utf8")) as Manifest).name);
  const others = names.filter((name) => name !== one.name).toSorted();
  const cells = [
    one.name,
    kilobytes(statSync(one.tarball).size),
    kilobytes(sizeOf(join(folder, "node_modules", one.name))),
    list(Object.keys(one.dependencies ?? {})),
    list(others),
    kilobytes(sizeOf(join(folder, "node_modules"))),
  ];
  console.log(`| ${cells.join(" | ")} |`);
  if (one.name !== ALONE || others.length === 0) return;
  console.error(`${ALONE} must have no run-time dependencies, and brings ${others.join(", ")}`);
  process.exitCode = 1;
}

function manifestIn(tarball: string): Manifest {
  return JSON.parse(command("tar", ["-xzOf", tarball, "package/package.json"], ".")) as Manifest;
}

function sizeOf(folder: string): number {
  const files = globSync("**/*", { cwd: folder, exclude: [".package-lock.json"] }).map((file) =>
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
