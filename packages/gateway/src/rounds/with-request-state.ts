import { parseJson } from "@recourse/faults/internal-do-not-use";
import { valuesOf, withSpans } from "../json/members.ts";
import { CLOSE_OBJECT, skipSpace } from "../json/skip.ts";

/** A JSON-RPC response with another `requestState` in its result. `change` gets the one that is there, if it is a text. */
export function withRequestState(response: Buffer, change: (state: string | undefined) => string): Buffer {
  const result = valuesOf(response, skipSpace(response, 0), "result").at(-1);
  if (result === undefined) return response;
  // Of repeated members the last one counts, as it does for `JSON.parse`.
  const known = valuesOf(response, result.start, "requestState");
  const last = known.at(-1);
  const sent = last && parseJson(response.toString("utf8", last.start, last.end));
  const state = JSON.stringify(change(typeof sent === "string" ? sent : undefined));
  if (known.length > 0) return withSpans(response, known, state);
  const inside = skipSpace(response, result.start + 1);
  const comma = response[inside] === CLOSE_OBJECT ? "" : ",";
  return withSpans(response, [{ start: inside, end: inside }], `"requestState":${state}${comma}`);
}
