import { invalid_result } from "../reasons/library/protocol.ts";
import type { Outcome } from "./outcome.ts";
import type { ListedTool } from "./types.ts";

/** One page as a server gives it. */
interface Page {
  readonly tools?: readonly ListedTool[];
  readonly nextCursor?: string;
}

/** More pages than any sound list has; a list that goes round in circles would never end. */
const MOST_PAGES = 100;

/** All pages of a list, each one got by `next`; version 2 of the SDK gives all of them as one. */
export async function allTools(
  next: (cursor: string | undefined) => Promise<Outcome<unknown>>,
): Promise<Outcome<readonly ListedTool[]>> {
  const tools: ListedTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const outcome = await next(cursor);
    if (outcome.ok !== true) return outcome;
    const { tools: found = [], nextCursor } = outcome.result as Page;
    tools.push(...found);
    if (nextCursor === undefined) return { ok: true, result: tools };
    cursor = nextCursor;
  }
  return { ok: false, fault: invalid_result.fault({}, { effect: "none", origin: { layer: "client" } }) };
}
