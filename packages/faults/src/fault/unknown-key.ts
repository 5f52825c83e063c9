import type { Issue } from "./fault.ts";
import { nearest } from "./nearest.ts";
import { toPointer } from "./pointer.ts";

/**
 * The issue for an argument that the tool does not have. The key itself was chosen by the caller, so it is never shown:
 * the issue points to the parent and names the nearest key that exists.
 */
export function unknownKey(parent: readonly (string | number)[], key: string, known: Iterable<string>): Issue {
  const [suggestion] = nearest(key, known, 1);
  const issue = { pointer: toPointer(parent), rule: "unknown" } as const;
  return suggestion === undefined ? issue : { ...issue, suggestion };
}
