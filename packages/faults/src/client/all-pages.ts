import { invalid_result } from "../reasons/library/protocol.ts";
import type { ListedTool } from "../sdk/client-types.ts";
import type { Outcome } from "./outcome.ts";

/** One page of a list as a server gives it. */
interface Page {
  readonly tools?: readonly ListedTool[];
  readonly nextCursor?: string;
}

/** More pages than any real list has; a list whose pages form a circle would never end. */
export const MAX_PAGES = 100;
/** More tools than any host can offer to a model. */
export const MAX_TOOLS = 10_000;

/**
 * All pages of a list of tools; version 2 of the SDK gives all of them as one. A list without a reasonable end is a fault, not
 * its beginning: whoever reads a part as the whole takes the other tools for missing.
 */
export async function allPages(
  page: (cursor: string | undefined) => Promise<Outcome<unknown>>,
): Promise<Outcome<readonly ListedTool[]>> {
  let tools: readonly ListedTool[] = [];
  let cursor: string | undefined;
  for (let count = 0; count < MAX_PAGES; count++) {
    const outcome = await page(cursor);
    if (!outcome.ok) return outcome;
    const { tools: found = [], nextCursor } = outcome.result as Page;
    if (tools.length + found.length > MAX_TOOLS) break;
    tools = [...tools, ...found];
    if (nextCursor === undefined) return { ok: true, result: tools };
    cursor = nextCursor;
  }
  return { ok: false, fault: invalid_result.fault({}, { effect: "none", origin: { layer: "client" } }) };
}
