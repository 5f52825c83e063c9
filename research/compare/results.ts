// What was observed in the last complete run. A test observes the quick part of it anew, and compares.
import { readFileSync, writeFileSync } from "node:fs";
import type { FailureName, Observation } from "./failures.ts";
import type { Way } from "./way.ts";

/** The result of a complete run. */
export interface Results {
  /** The packages that took part, with their versions. */
  readonly versions: Readonly<Record<string, string>>;
  readonly cells: Readonly<Record<FailureName, Readonly<Record<Way, Observation>>>>;
}

const FILE = new URL("results.json", import.meta.url);

/** Reads the stored results. */
export function readResults(): Results {
  return JSON.parse(readFileSync(FILE, "utf8")) as Results;
}

/** Stores the results of a complete run. */
export function storeResults(results: Results): void {
  writeFileSync(FILE, `${JSON.stringify(results, undefined, 2)}\n`);
}
