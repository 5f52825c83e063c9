// Fails when a platform package named in package-lock.json has no entry of its own (`npm ci` refuses such a lock), or
// when the lock names the host that a package was downloaded from.
import { readFileSync } from "node:fs";

interface Entry {
  readonly resolved?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const lock = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: Record<string, Entry> };
const entries = Object.entries(lock.packages);
const have = new Set(entries.map(([path]) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length)));
const missing = entries.flatMap(([path, entry]) =>
  Object.keys(entry.optionalDependencies ?? {})
    .filter((name) => !have.has(name))
    .map((name) => `${path || "root"} needs ${name}, which has no entry`),
);
const hosts = entries
  .filter(([, entry]) => entry.resolved?.includes("://") === true)
  .map(([path]) => `${path} names a download address`);
const problems = [...missing, ...hosts];
console.log(problems.length === 0 ? `lock ok: ${have.size} packages` : problems.join("\n"));
process.exitCode = problems.length === 0 ? 0 : 1;
