import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** What the package says about this program. */
interface Manifest {
  readonly version: string;
  readonly engines: { readonly node: string };
}

/** The version of this program. */
export function programVersion(): string {
  return manifest().version;
}

/** The range of versions of Node.js that this program runs on. */
export function neededNode(): string {
  return manifest().engines.node;
}

function manifest(): Manifest {
  const file = fileURLToPath(import.meta.resolve("@recourse/cli/package.json"));
  return JSON.parse(readFileSync(file, "utf8")) as Manifest;
}
