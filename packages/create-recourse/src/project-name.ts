import { basename, resolve } from "node:path";

/** Names that npm does not allow. */
const RESERVED = ["node_modules", "favicon.ico"];
const MAX_LENGTH = 214;

/** A name that npm accepts for the project in a folder: lower case, and nothing but letters, digits and `-`, `_`, `.`. */
export function projectName(folder: string, fallback: string): string {
  const name = basename(resolve(folder))
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, "-")
    .replaceAll(/^[._-]+|[._-]+$/g, "")
    .slice(0, MAX_LENGTH);
  return name === "" || RESERVED.includes(name) ? fallback : name;
}
