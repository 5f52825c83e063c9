import { amendFault } from "../../fault/amend.ts";
import type { Fault } from "../../fault/fault.ts";
import { type Kind, knownKind } from "../../fault/kinds.ts";
import { RELEASED } from "../../fault/provenance.ts";
import { pickFilterOptions } from "../../safety/show-line.ts";
import type { ReasonOptions } from "../build-safely.ts";
import { readOpenedReply } from "../http/read-reply.ts";
import { openHttpReply } from "../http/reply.ts";
import type { Reply } from "./meaning.ts";

/** Kinds that are about the service itself. What it says then is for its operators, not for a caller. */
const NOT_FOR_CALLERS: readonly Kind[] = ["upstream_failed", "unavailable", "timeout", "internal", "unknown"];

/**
 * The fault of a reply of another service that a library threw as an error. The credential that the service saw is the one of
 * this server, so no caller is asked for another one.
 */
export function thrownReplyFault(
  reply: Reply,
  mode: "hide" | "public" | "quote",
  details: ReasonOptions,
): Fault | undefined {
  const { status, headers, body, isGuess = false, afterMs } = reply;
  const wire = { status, headers, ...(body !== undefined && { body }) };
  const filter = { ...pickFilterOptions(details), textPolicy: "foreign" } as const;
  const isShown = mode === "quote" || (mode === "public" && !isGuess && status < 500);
  const opened = openHttpReply(wire, { ...filter, credential: "own", text: isShown ? "quote" : "hide" });
  const read = opened && readOpenedReply(opened);
  if (read === undefined) return undefined;
  const isPrivate = mode !== "quote" && NOT_FOR_CALLERS.includes(knownKind(read));
  const isWaiting = afterMs !== undefined && read.retry?.afterMs === undefined && read.retry?.allowed !== false;
  return amendFault(
    read,
    {
      quote: isPrivate ? undefined : (read.quote ?? details.quote),
      ...(isWaiting && { retry: { allowed: true, afterMs } }),
      ...(isGuess && { basis: "guessed" }),
      ...(details.origin !== undefined && { origin: details.origin as Fault["origin"] }),
      ...(status === 409 && { effect: "possible" }),
    },
    // Which texts are shown is decided here.
    { provenance: RELEASED },
  );
}
