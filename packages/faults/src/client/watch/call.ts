import { integerAt, objectAt, parseJson, stringAt } from "../../dialects/wire.ts";
import type { CallRef } from "./watched.ts";

const MARK = '"recourse/call":';

/**
 * The attempt that the body of a request belongs to.
 *
 * Only the mark itself is parsed: arguments can be large, and every call passes here.
 */
export function callOf(body: string): CallRef | undefined {
  const at = body.indexOf(MARK);
  if (at === -1) return undefined;
  const from = at + MARK.length;
  const isOnly = body.indexOf(MARK, from) === -1;
  // Arguments may hold the mark of another call, and a key may hold a brace: then the whole request decides.
  const quick = isOnly ? refOf(parseJson(body.slice(from, body.indexOf("}", from) + 1))) : undefined;
  return quick ?? refOf(markOf(parseJson(body, Number.POSITIVE_INFINITY)));
}

function markOf(request: unknown): unknown {
  return objectAt(objectAt(objectAt(request, "params"), "_meta"), "recourse/call");
}

function refOf(mark: unknown): CallRef | undefined {
  const id = stringAt(mark, "id");
  const attempt = integerAt(mark, "attempt");
  return id === undefined || attempt === undefined ? undefined : { id, attempt };
}
