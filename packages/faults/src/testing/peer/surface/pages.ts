import { type Json, memberAt } from "../../../dialects/wire.ts";
import { cursor_expired, invalid_cursor } from "../../../reasons/library/pagination.ts";
import { invalid_params } from "../../../reasons/library/protocol.ts";
import type { Context } from "./world.ts";

/** One page of a list, from where the cursor of the request says. */
export function pageOf({ world, ask }: Context, list: string, items: readonly Json[]): Json {
  const from = startOf(memberAt(ask.params, "cursor"), list, world);
  const to = from + world.limits.pageSize;
  const page = { [list]: items.slice(from, to) };
  if (to >= items.length) return page;
  const nextCursor = world.mint("page");
  world.cursors.set(nextCursor, { list, from: to, at: world.clock.now() });
  return { ...page, nextCursor };
}

function startOf(cursor: unknown, list: string, { cursors, clock, limits }: Context["world"]): number {
  if (cursor === undefined) return 0;
  if (typeof cursor !== "string")
    throw invalid_params({}, { quote: { text: "Wrong type of parameter: cursor", from: "peer" } });
  const known = cursors.get(cursor);
  if (known === undefined || known.list !== list) throw invalid_cursor({ cursor });
  if (clock.now() - known.at >= limits.cursorMs) throw cursor_expired({ cursor, ttlMs: limits.cursorMs });
  return known.from;
}
