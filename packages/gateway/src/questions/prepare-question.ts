import { isUtf8 } from "node:buffer";
import { isObject, parseJson } from "@recourse/core/wire";
import { type Abilities, canAnswer } from "../call/abilities.ts";
import type { Call } from "../call/call.ts";
import type { RequestHead } from "../call/head.ts";
import { membersOf, skipSpace } from "../call/json-bytes.ts";
import { withMetaMember, withSpans } from "../call/json-edit.ts";
import { isTooDeep } from "../call/json-scanner.ts";
import { malformedRequest, refusedRequest, type ServerAnswer, type ServerRequest } from "../call/server-request.ts";
import type { UpstreamOptions } from "../config/types.ts";
import type { CredentialCutter } from "../judge/credential-cutter.ts";
import { MAX_QUESTION_BYTES } from "../upstreams/server-requests.ts";

/** Where callers find the name of the upstream that asks. */
const UPSTREAM_KEY = "recourse/upstream";

interface PrepareParts {
  readonly abilities: Abilities;
  readonly upstream: UpstreamOptions;
  readonly head: RequestHead;
  /** The fetched tokens that the upstream was shown. @default none */
  readonly shownTokens?: readonly string[] | undefined;
  readonly cutter: Pick<CredentialCutter, "cutNotification">;
}

const NO_PARAMS = Buffer.from("{}");

/**
 * The params of a question as the caller reads them: without the credentials of the gateway, with the name of the
 * upstream, and otherwise the bytes that came. An answer to the upstream if the question cannot be passed on.
 */
export function prepareQuestion(
  { method, params = NO_PARAMS }: ServerRequest,
  { abilities, upstream, head, shownTokens, cutter }: PrepareParts,
): Buffer | ServerAnswer {
  if (params.length > MAX_QUESTION_BYTES) return malformedRequest("The params are too large to be passed on.");
  if (!isUtf8(params) || isTooDeep(params)) return malformedRequest("The params cannot be passed on.");
  const parsed = parseJson(params.toString(), MAX_QUESTION_BYTES);
  if (!isObject(parsed) || !hasPlainMembers(params, parsed)) return malformedRequest("The params cannot be passed on.");
  if (!canAnswer(abilities, method, parsed)) {
    return refusedRequest("The client has not declared that it can be asked this.");
  }
  const cut = cutter.cutNotification(params, upstream, head, shownTokens);
  return withMetaMember(withAskerName(cut, method, upstream), skipSpace(cut, 0), { [UPSTREAM_KEY]: upstream.name });
}

/** No member is repeated where it matters: two readers could otherwise read two questions. */
function hasPlainMembers(params: Buffer, parsed: object): boolean {
  const members = membersOf(params, skipSpace(params, 0));
  if (members === undefined) return false;
  const meta = members.get("_meta");
  return meta === undefined || (isObject(Reflect.get(parsed, "_meta")) && membersOf(params, meta.start) !== undefined);
}

/** A prefix distinguishes the tools of an upstream, and also what the upstream says to a person. */
function withAskerName(params: Buffer, method: string, { name, prefix }: UpstreamOptions): Buffer {
  const message = membersOf(params, skipSpace(params, 0))?.get("message");
  if (method !== "elicitation/create" || prefix === "" || message === undefined) return params;
  if (params[message.start] !== QUOTATION_MARK) return params;
  const inside = message.start + 1;
  return withSpans(params, [{ start: inside, end: inside }], JSON.stringify(`${name}: `).slice(1, -1));
}

const QUOTATION_MARK = 0x22;

/** A request of an upstream on its way to the caller: checked, with the name of the upstream, without credentials. */
export interface CallerQuestion {
  readonly method: string;
  readonly params: Buffer;
  readonly upstream: string;
  /**
   * Aborted when the answer is no longer needed, with the reason: the time is up, the caller has left, or the upstream
   * has withdrawn it. What was begun for the question is then to be ended; the promise may stay open.
   */
  readonly signal: AbortSignal;
}

/** Why a question has no answer. The reason of its signal. */
export type UnansweredReason = "late" | "left" | "withdrawn";

/**
 * Puts a question to the caller of a call, and gives its answer. Around it `askCaller` counts, bounds and stops the clocks,
 * and ends the waiting. It never rejects.
 */
export type Ask = (call: Call, question: CallerQuestion) => Promise<ServerAnswer>;
