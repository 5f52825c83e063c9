// Parameters that several methods read.
import { type JsonObject, memberAt } from "../../../json/read.ts";
import { cursor_expired, invalid_cursor } from "../../../reasons/library/pagination.ts";
import { invalid_params } from "../../../reasons/library/protocol.ts";
import type { MethodContext, ServerState } from "./state.ts";

/** The fault for a parameter that is required and missing. */
export function missingParameter(name: string): Error {
  return invalid_params({}, { quote: { text: `Missing required parameter: ${name}`, from: "peer" } });
}

/** One page of a list, beginning where the cursor of the request points. */
export function pageOf({ state, request }: MethodContext, list: string, items: readonly JsonObject[]): JsonObject {
  const from = positionOf(memberAt(request.params, "cursor"), list, state);
  const to = from + state.limits.pageSize;
  const page = { [list]: items.slice(from, to) };
  if (to >= items.length) return page;
  const nextCursor = state.nextId("page");
  state.cursors.set(nextCursor, { list, from: to, at: state.clock.now() });
  return { ...page, nextCursor };
}

function positionOf(cursor: unknown, list: string, { cursors, clock, limits }: ServerState): number {
  if (cursor === undefined) return 0;
  if (typeof cursor !== "string")
    throw invalid_params({}, { quote: { text: "Wrong type of parameter: cursor", from: "peer" } });
  const known = cursors.get(cursor);
  if (known === undefined || known.list !== list) throw invalid_cursor({ cursor });
  if (clock.now() - known.at >= limits.cursorMs) throw cursor_expired({ cursor, ttlMs: limits.cursorMs });
  return known.from;
}
