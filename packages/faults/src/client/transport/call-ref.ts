import { CALL_KEY } from "../../json/names.ts";
import { integerAt, objectAt, parseJson, stringAt } from "../../json/read.ts";
import type { CallRef } from "./types.ts";

const MARK = `"${CALL_KEY}":`;

/**
 * The attempt that the body of a request belongs to. Only the mark itself is parsed where possible: arguments can be large,
 * and every call passes here.
 */
export function callRefIn(body: string): CallRef | undefined {
  const at = body.indexOf(MARK);
  if (at === -1) return undefined;
  const from = at + MARK.length;
  const isOnly = body.indexOf(MARK, from) === -1;
  // Arguments may contain the mark of another call, and a key may contain a brace: then the whole request decides.
  const quick = isOnly ? refOf(parseJson(body.slice(from, body.indexOf("}", from) + 1))) : undefined;
  return quick ?? refOf(markIn(parseJson(body, Number.POSITIVE_INFINITY)));
}

function markIn(request: unknown): unknown {
  return objectAt(objectAt(objectAt(request, "params"), "_meta"), CALL_KEY);
}

function refOf(mark: unknown): CallRef | undefined {
  const id = stringAt(mark, "id");
  const attempt = integerAt(mark, "attempt");
  return id === undefined || attempt === undefined ? undefined : { id, attempt };
}
