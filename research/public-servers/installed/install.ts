// Installs the servers in a folder of their own, exactly as project/package-lock.json says.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PROJECT = fileURLToPath(new URL("../project", import.meta.url));

/** The folder in which the servers are installed. */
export const INSTALLED = fileURLToPath(new URL("../../../.cache/public-servers", import.meta.url));

const MANIFESTS = ["package.json", "package-lock.json"] as const;

/** Installs the servers where they are missing or of other versions. */
export function installServers(): void {
  if (isInstalled()) return;
  mkdirSync(INSTALLED, { recursive: true });
  for (const file of MANIFESTS) cpSync(join(PROJECT, file), join(INSTALLED, file));
  const options = ["--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund", "--loglevel=error"];
  const { status } = spawnSync("npm", ["ci", ...options], { cwd: INSTALLED, stdio: "inherit" });
  if (status !== 0) throw new Error("the public servers cannot be installed");
}

function isInstalled(): boolean {
  const same = (file: string): boolean =>
    existsSync(join(INSTALLED, file)) &&
    readFileSync(join(INSTALLED, file), "utf8") === readFileSync(join(PROJECT, file), "utf8");
  // npm writes this file when it is done.
  return existsSync(join(INSTALLED, "node_modules/.package-lock.json")) && MANIFESTS.every(same);
}

/** The installed version of a package. */
export function versionOf(name: string): string {
  const manifest = JSON.parse(readFileSync(join(PROJECT, "package.json"), "utf8")) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const version = manifest.dependencies[name];
  if (version === undefined) throw new Error(`no such server: ${name}`);
  return version;
}
