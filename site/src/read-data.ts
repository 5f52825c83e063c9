// Reads what the build has made with the library. Astro itself imports nothing of it.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Reads a file of `.data`. */
export function readData<T>(name: string): T {
  return JSON.parse(readFileSync(join(process.cwd(), ".data", `${name}.json`), "utf8")) as T;
}
