// Reads package-lock.json: its entries, and what an entry depends on at run time.
import { readFileSync } from "node:fs";

type Versions = Readonly<Record<string, string>>;

/** One package of the lock. */
export interface LockEntry {
  readonly name?: string;
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Versions;
  readonly devDependencies?: Versions;
  readonly optionalDependencies?: Versions;
  readonly peerDependencies?: Versions;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** The lock: each package by the folder that it is installed in. */
export interface Lock {
  readonly packages: Readonly<Record<string, LockEntry>>;
}

/** Reads the lock of this repository. */
export function readLock(path = "package-lock.json"): Lock {
  return JSON.parse(readFileSync(path, "utf8")) as Lock;
}

const FOLDER = "node_modules/";

/** The name of the package in a folder. */
export function nameAt(lock: Lock, path: string): string {
  const { name } = lock.packages[path] ?? {};
  return name ?? path.slice(path.lastIndexOf(FOLDER) + (path.includes(FOLDER) ? FOLDER.length : 0));
}

/** Whether a folder holds a package of this repository. */
export function isOwn(path: string): boolean {
  return !path.includes(FOLDER);
}

/** The folders of the packages that a package needs at run time, itself not included, sorted. */
export function runtimeReach(lock: Lock, from: string): readonly string[] {
  const reached = new Set([from]);
  for (const path of reached) for (const next of runtimeNeeds(lock, path)) reached.add(next);
  return [...reached].filter((path) => path !== from).sort();
}

/** The folders of the packages that a package itself asks for at run time. */
export function runtimeNeeds(lock: Lock, path: string): readonly string[] {
  const entry = lock.packages[path] ?? {};
  const peers = Object.keys(entry.peerDependencies ?? {}).filter(
    (name) => entry.peerDependenciesMeta?.[name]?.optional !== true,
  );
  const names = [...Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }), ...peers];
  return names.flatMap((name) => folderOf(lock, path, name) ?? []);
}

/** The folder that a package finds another one in: the nearest above it. A link leads to a package of this repository. */
function folderOf(lock: Lock, from: string, name: string): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf("/")))) {
    const path = `${at === "" ? "" : `${at}/`}${FOLDER}${name}`;
    const entry = lock.packages[path];
    if (entry !== undefined) return entry.link === true ? entry.resolved : path;
    if (at === "") return undefined;
  }
}
