import { isObject, type JsonObject, memberAt, numberAt, objectAt, stringAt } from "@recourse/wire";
import type { FaultDetails } from "../../fault/build.ts";
import type { Fault, RetryAdvice } from "../../fault/fault.ts";
import { isFaultClass, KINDS } from "../../fault/kinds.ts";
import { unauthorized } from "../../reasons/library/auth.ts";
import { readCarriedMembers } from "../carried-members.ts";
import type { DecodeContext, TableReason } from "../dialect.ts";
import { firstText, type ReplyParts, splitReply } from "../envelope.ts";
import { peerQuote } from "../sentence.ts";
import { ERROR_CLASS_KEY, QAQNUZ_CLASSES, QAQNUZ_WAIT_MS, qaqnuzReason, RETRY_HINT_KEY } from "./table.ts";

/** Recognises one of the five classes in the envelope, in `structuredContent` or in `_meta`. */
export function isQaqnuzReply({ result }: ReplyParts): boolean {
  return envelopePlaces(result).some(
    (place) =>
      [memberAt(place, "error_class"), memberAt(place, ERROR_CLASS_KEY)].some(isFaultClass) ||
      (stringAt(place, "error_class") !== undefined && stringAt(place, "sanitized_error") !== undefined),
  );
}

/** Reads the envelope, alone or in a reply, and a reply with nothing but the sentence. */
export function decodeQaqnuz(wire: unknown, context: DecodeContext = {}): Fault | undefined {
  const { result, status } = splitReply(wire);
  const failed = result?.["isError"] === true;
  const envelope = findQaqnuzEnvelope(result);
  if (!failed && envelope === undefined) {
    // A refused API key is answered before a tool is reached, with the status alone.
    return status === 401 ? unauthorized.fault({}, { ...context, basis: "mapped" }) : undefined;
  }
  const sentence = envelope?.sentence ?? firstText(result);
  const group = isFaultClass(envelope?.group) ? envelope.group : undefined;
  const retry = group !== undefined && QAQNUZ_CLASSES[group].hint ? fromRetryHint(envelope?.hint) : undefined;
  const reason = qaqnuzReason(group, sentence);
  return reason.fault(
    {},
    {
      ...context,
      ...readCarriedMembers(objectAt(result, "_meta") ?? result),
      ...peerQuote(sentence),
      ...(retry && { retry }),
      ...adviceOfClass(reason),
    },
  );
}

/** What the document advises for a class: a wait if the reply names none, and to stop after a permanent failure. */
function adviceOfClass({ kind }: TableReason): Pick<FaultDetails, "afterMs" | "recourse"> {
  switch (KINDS[kind].class) {
    case "retryable":
      return { afterMs: QAQNUZ_WAIT_MS };
    case "terminal":
      return { recourse: [{ do: "stop" }] };
    default:
      return {};
  }
}

interface QaqnuzParts {
  readonly group: string | undefined;
  readonly sentence: string | undefined;
  readonly hint: unknown;
}

function findQaqnuzEnvelope(result: JsonObject | undefined): QaqnuzParts | undefined {
  for (const place of envelopePlaces(result)) {
    const group = stringAt(place, "error_class") ?? stringAt(place, ERROR_CLASS_KEY);
    const sentence = stringAt(place, "sanitized_error");
    const hint = memberAt(place, "retry_hint") ?? memberAt(place, RETRY_HINT_KEY);
    if (group !== undefined || sentence !== undefined) return { group, sentence, hint };
  }
  return undefined;
}

function envelopePlaces(result: JsonObject | undefined): readonly (JsonObject | undefined)[] {
  return [result, objectAt(result, "structuredContent"), objectAt(result, "_meta")];
}

/** The hint as retry advice. Building the fault drops every member that does not fit. */
function fromRetryHint(hint: unknown): RetryAdvice | undefined {
  if (!isObject(hint)) return undefined;
  const maxAttempts = numberAt(hint, "max_attempts");
  return {
    allowed: maxAttempts !== 0,
    afterMs: numberAt(hint, "retry_after_ms"),
    maxAttempts,
    backoff: stringAt(hint, "backoff"),
    jitter: numberAt(hint, "jitter"),
  } as RetryAdvice;
}
