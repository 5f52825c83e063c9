import { readFileSync } from "node:fs";

/** An error as people pasted it into public issues. */
export interface PastedError {
  /** The rules were written with the `known` ones. The others were collected first, and kept from the author of the rules. */
  readonly set: "known" | "collected" | "later";
  readonly source: string;
  /** What a right answer says: a cause, a reason, or both. `unmarked_failure` means a failure that was sent as a success. */
  readonly answer: string;
  /** How the rules judged a collected one when they saw it for the first time. */
  readonly firstSeen?: "right" | "half" | "wrong";
  readonly text: string;
}

const lines = readFileSync(new URL("pasted-errors.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n");
export const PASTED_ERRORS: readonly PastedError[] = lines.map((line) => JSON.parse(line) as PastedError);
