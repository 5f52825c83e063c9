// Reads the list of wrong parameters that FastMCP for TypeScript writes: `path: message`, separated by commas.
import type { Issue } from "../../fault/fault.ts";
import { fromZod } from "../zod.ts";

/** Messages contain commas, so a problem begins where a path does. */
const PROBLEM = /(?:^|, )([\w$.-]{1,256}): /g;
const MAX_PROBLEMS = 32;
const NO_PATH = "root";

/** The code of each message of Zod, which FastMCP leaves out. */
const CODES: readonly (readonly [RegExp, string])[] = [
  [/^invalid option/i, "invalid_value"],
  [/^invalid input|^required\b|^expected /i, "invalid_type"],
  [/^too small|must be at least/i, "too_small"],
  [/^too big|must be at most/i, "too_big"],
  [/^unrecognized key/i, "unrecognized_keys"],
  [/^invalid /i, "invalid_format"],
];

/** The wrong parameters in a text. */
export function parameterIssues(text: string): readonly Issue[] {
  const found = [...text.matchAll(PROBLEM)].slice(0, MAX_PROBLEMS);
  return found.map((match, at) => {
    const path = match[1] === NO_PATH ? "" : (match[1] ?? "");
    const message = text.slice(match.index + match[0].length, found[at + 1]?.index);
    return fromZod({ path, message, code: CODES.find(([pattern]) => pattern.test(message))?.[1] ?? "custom" });
  });
}
