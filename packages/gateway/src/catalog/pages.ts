import { type Fault, type Origin, pagination } from "@recourse/faults";
import type { Placed } from "./merged.ts";

/** How many entries an answer has at most. */
const PAGE_SIZE = 250;

/** One page of a list. */
export interface PageOfEntries {
  readonly entries: readonly Placed[];
  readonly nextCursor: string | undefined;
}

/**
 * The page that starts behind a cursor. The cursor names the last entry of the page before, so it stays good when entries
 * are added and on other replicas. It is not good when that entry is gone, or is not one that the caller sees.
 */
export function pageOf(visible: readonly Placed[], cursor: unknown, origin: Origin): PageOfEntries | Fault {
  let start = 0;
  if (cursor !== undefined) {
    const key = typeof cursor === "string" ? Buffer.from(cursor, "base64url").toString("utf8") : undefined;
    start = 1 + visible.findIndex(({ entry }) => entry.key === key);
    if (start === 0) return pagination.invalid_cursor.fault(typeof cursor === "string" ? { cursor } : {}, { origin });
  }
  const entries = visible.slice(start, start + PAGE_SIZE);
  const last = entries.at(-1);
  const isLast = start + PAGE_SIZE >= visible.length || last === undefined;
  return { entries, nextCursor: isLast ? undefined : Buffer.from(last.entry.key, "utf8").toString("base64url") };
}
