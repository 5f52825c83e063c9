// Projects outside of this repository with our packages from their tarballs, and those of others linked from here instead of
// fetched once more.
import { existsSync, globSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { command, packAll } from "./packed.ts";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Unpacks all of our packages into a project. Returns what they depend on of others, by name and exact version. */
export function unpackAll(project: string): readonly (readonly [name: string, version: string])[] {
  return packAll().flatMap((tarball) => {
    const { name, dependencies = {} } = JSON.parse(
      command("tar", ["-xzOf", tarball, "package/package.json"], "."),
    ) as Manifest;
    const folder = join(project, "node_modules", name);
    mkdirSync(folder, { recursive: true });
    command("tar", ["-xzf", tarball, "-C", folder, "--strip-components=1"], ".");
    return Object.entries(dependencies).filter(([one]) => !one.startsWith("@recourse/"));
  });
}

interface Link {
  readonly project: string;
  readonly name: string;
  readonly version: string;
  /**
   * The name in the project.
   *
   * @default `name`
   */
  readonly as?: string;
}

/** Links a package of this repository's node_modules into a project; throws if it has no such version. */
export function linkFromHere({ project, name, version, as = name }: Link): void {
  const link = join(project, "node_modules", as);
  if (existsSync(link)) return;
  const found = globSync([`node_modules/${name}`, `packages/*/node_modules/${name}`]).find((folder) => {
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
    return manifest.version === version;
  });
  if (found === undefined) throw new Error(`${name}@${version} is not installed here`);
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(resolve(found), link, "dir");
}
