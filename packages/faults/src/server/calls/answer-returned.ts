import type { Fault } from "../../fault/fault.ts";
import { FAULT_KEY } from "../../json/names.ts";
import { type JsonObject, memberAt, objectAt } from "../../json/read.ts";
import { failed } from "../../reasons/library/tool.ts";
import { secretsOf, signalOf } from "../../sdk/context.ts";
import type { GuardOptions } from "../options.ts";
import type { Wire } from "../replies/checked-wire.ts";
import type { ReplyPlace } from "../replies/reply.ts";
import type { Failure } from "../reporter.ts";
import type { Outcome } from "./outcome.ts";
import { checkReturned } from "./returned-failure.ts";

/** What turns a failure into an answer. */
interface Answering {
  readonly options: GuardOptions;
  /** The tool changes nothing. @default false */
  readonly isReadOnly?: boolean;
  /** Stamps and reports a failure. */
  readonly finalize: (failure: Failure, place: ReplyPlace) => Fault;
  /** Writes a fault in the dialect of the request. */
  readonly write: (fault: Fault, place: ReplyPlace) => Wire;
}

/** The answer to a call whose handler returned a failure: the result with its fault, or the fault alone. */
export function answerReturned(
  returned: JsonObject,
  place: ReplyPlace,
  { options, isReadOnly = false, finalize, write }: Answering,
): Outcome {
  const { tool, sent, context } = place;
  const by = { ...options, tool, sent, isReadOnly, secrets: secretsOf(context) };
  const { result, failure } = checkReturned(returned, by);
  if (failure === undefined) return { result };
  if (result === undefined) return { fault: finalize(failure, place) };
  const asResult = { ...place, asResult: true } as const;
  const fault = finalize(failure, asResult);
  return { result: withFault(result, fault, write(fault, asResult)) };
}

/** Members in which a result says itself what failed. */
const OWN_MEMBERS = ["error", "structuredContent"] as const;

/**
 * A failed result with its fault. What stands in it stays. The dialect of the request adds its members where a fault is
 * stated and the result has no form of its own. No system has a code for a mere sentence: the code of an internal error, which
 * some allow to repeat, would say too much. So such a result gets only what the dialect writes into `_meta`.
 */
function withFault(result: JsonObject, fault: Fault, { result: wire = {} }: Wire): JsonObject {
  const { content: _content, resultType: _type, ...written } = wire;
  const meta = objectAt(result, "_meta");
  const writtenMeta = objectAt(written, "_meta");
  const isPlain = OWN_MEMBERS.every((name) => result[name] === undefined);
  if (!isPlain) return { ...result, _meta: { ...meta, [FAULT_KEY]: fault } };
  const isSentence = fault.reason === failed.id;
  const isMcp = memberAt(writtenMeta, FAULT_KEY) !== undefined;
  if (isSentence || isMcp) return { ...result, _meta: { ...writtenMeta, ...meta, [FAULT_KEY]: fault } };
  return { ...written, ...result, _meta: { ...writtenMeta, ...meta } };
}

/** Each request has a signal of its own, however often the SDK copies the rest of its context. */
const answered = new WeakSet<AbortSignal>();

/** Notes that the answer to a call was checked. */
export function markAnswered(context: unknown): void {
  const signal = signalOf(context);
  if (signal !== undefined) answered.add(signal);
}

/** Whether the answer to a call was checked. A handler that replaces the SDK's own has not. */
export function wasAnswered(context: unknown): boolean {
  const signal = signalOf(context);
  return signal !== undefined && answered.has(signal);
}
