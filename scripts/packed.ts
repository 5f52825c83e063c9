// The packages of this repository as a user gets them: packed tarballs.
import { spawnSync } from "node:child_process";
import { globSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";

/** Packs every package into a folder. Returns the paths of the tarballs. */
export function packAll(destination: string): readonly string[] {
  mkdirSync(destination, { recursive: true });
  return globSync("packages/*").map((folder) => {
    const packed = command("npm", ["pack", "--silent", "--pack-destination", resolve(destination)], folder);
    return join(resolve(destination), packed.trim().split("\n").at(-1) as string);
  });
}

/** Runs a command to its end and returns what it printed; throws where it fails. */
export function command(name: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(name, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${name} ${args.join(" ")}\n${stderr}${stdout}`);
  return stdout;
}
