// .ci/nightly.json: on which content of its files each nightly part last passed. It is committed with a change, so that
// .ci/run knows which parts a change touches, in any clone and without the history.
import { readFileSync, writeFileSync } from "node:fs";
import { digestFiles, filesIn } from "./files.ts";
import type { NightlyPart } from "./part.ts";

const FILE = ".ci/nightly.json";

/** The digest of the covered files by the name of a part. */
export type NightlyRecord = Readonly<Record<string, string>>;

/** The nightly parts with a covered file that differs from the state in which the part last passed. */
export function touchedParts(
  parts: readonly NightlyPart[],
  files: readonly string[],
  record: NightlyRecord = readRecord(),
): readonly NightlyPart[] {
  return parts.filter((part) => record[part.name] !== digestFiles(filesIn(part.covers, files)));
}

/** Writes down that a part has passed on the files as they are; parts that no longer exist are left out. */
export function recordPass(part: NightlyPart, parts: readonly NightlyPart[], files: readonly string[]): void {
  const record = { ...readRecord(), [part.name]: digestFiles(filesIn(part.covers, files)) };
  const known = Object.entries(record).filter(([name]) => parts.some((one) => one.name === name));
  const sorted = Object.fromEntries(known.toSorted(([a], [b]) => a.localeCompare(b)));
  writeFileSync(FILE, `${JSON.stringify(sorted, undefined, 2)}\n`);
}

function readRecord(): NightlyRecord {
  return JSON.parse(readFileSync(FILE, "utf8")) as NightlyRecord;
}
