// Files of the repository that this project is part of, wherever its copy is.
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { VectorFile } from "./vectors.ts";

function rootFrom(folder: string): string {
  if (existsSync(join(folder, "conformance/README.md"))) return folder;
  if (dirname(folder) === folder) throw new Error("this example needs the repository around it, for its vectors");
  return rootFrom(dirname(folder));
}

const ROOT = rootFrom(import.meta.dirname);

/** The guide page whose tables the tests check. */
export const readPage = (): string => readFileSync(join(ROOT, "docs/guide/runtimes.md"), "utf8");

/** Every file of conformance vectors. */
export function readVectors(): readonly VectorFile[] {
  const files = globSync("conformance/*/*.json", { cwd: ROOT, exclude: ["conformance/facts/**"] }).toSorted();
  return files.map((file) => JSON.parse(readFileSync(join(ROOT, file), "utf8")) as VectorFile);
}
