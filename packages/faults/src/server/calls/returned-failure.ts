import { arrayAt, FAULT_KEY, isObject, type JsonObject, memberAt, objectAt, stringAt } from "@recourse/wire";
import { firstText } from "../../dialects/envelope.ts";
import { decodeEmbeddedFault } from "../../dialects/mcp/decode.ts";
import { LOOK_BEFORE_REPEATING } from "../../dialects/sentence.ts";
import { amendFault, worseEffect } from "../../fault/amend.ts";
import type { Fault } from "../../fault/fault.ts";
import { isBuiltHere } from "../../fault/provenance.ts";
import { readOwnFault } from "../../fault/read.ts";
import type { ReasonOptions } from "../../reasons/build-safely.ts";
import { internal } from "../../reasons/library/core.ts";
import { failed, result_unsendable } from "../../reasons/library/tool.ts";
import { renderModel } from "../../render/model.ts";
import { countRedaction, type FilterOptions } from "../../safety/filter-line.ts";
import { type ForbiddenText, findInResult } from "../../safety/find-in-result.ts";
import { containsSecret, type SecretFilter } from "../../safety/secrets.ts";
import { RequestMap, requestSecrets } from "../../sdk/context.ts";
import { ReturnedText } from "../development-hints.ts";
import type { ToolOutcome } from "../idempotency/run-once.ts";
import type { GuardOptions } from "../options.ts";
import { callerTextsFor, releaseFault, wasSentHere } from "../release.ts";
import type { Wire } from "../replies/dialect-choice.ts";
import type { ReplyPlace } from "../replies/reply.ts";
import type { PendingFailure } from "../reporter.ts";

/** What is known about the call that a failed result answers. */
interface ReturnContext extends Pick<GuardOptions, "foreignText" | "allow" | "speaksFaults"> {
  /** Name of the tool. @default unknown */
  readonly tool?: string | undefined;
  /** The tool changes nothing. */
  readonly isReadOnly: boolean;
  /** What the caller sent to it. */
  readonly sent: unknown;
  /** The secrets of the request. */
  readonly secrets?: SecretFilter | undefined;
}

/** A failed result that a handler returned, and the failure that it stands for. */
interface ReturnedFailure {
  /** Undefined if the result has a fault already that was stamped and reported elsewhere. */
  readonly failure?: PendingFailure;
  /** The result as it may be sent, beside its fault. Undefined if the fault has to replace it. */
  readonly result?: JsonObject;
}

/** Results that may leave this process as they are, whatever they say. */
const relayed = new WeakSet<object>();

/** Marks a failed result whose texts were checked elsewhere, or are passed on because the operator wants it. */
export function markRelayed<R extends object>(result: R): R {
  relayed.add(result);
  return result;
}

/** Whether a handler returned a failure. */
export function isFailedResult(result: unknown): result is JsonObject {
  return isObject(result) && Boolean(result["isError"]) && !relayed.has(result);
}

/**
 * Checks a failed result that a handler returned. Its texts may be the author's sentences, the message of a caught error, or
 * the words of another server whose answer the handler passes on. Nobody can tell them apart, so all of them pass the filter.
 * What passes is sent as it is, with a fault beside it.
 */
export function checkReturned(returned: JsonObject, by: ReturnContext): ReturnedFailure {
  let result: JsonObject;
  try {
    // What is checked is what is sent.
    result = { ...(JSON.parse(JSON.stringify(returned)) as JsonObject), isError: true };
  } catch (cause) {
    return { failure: { fault: result_unsendable.fault({}, returnEffect(by)), cause } };
  }
  const filter = { allow: by.allow, secrets: by.secrets, callerTexts: callerTextsFor(by.sent, by) };
  const stated = returnedFault(returned, by, filter);
  const isRendered = stated?.isOwn === true && isRendering(result, stated.fault);
  if (isRendered && stated.isNew) return { failure: { fault: stated.fault } };
  // The texts of a rendering were checked when its fault was built.
  const found = isRendered ? findSecret(result, by) : findInResult(withoutFault(result), filter);
  const isHidden = by.foreignText === "hide" && !isRendered && hasText(result);
  if (found === undefined && !isHidden && stated?.isNew === false) return { result };
  const cause = new ReturnedText(found?.text ?? resultText(result), { result: returned, rule: found?.rule });
  if (found === undefined && !isHidden) {
    const fault = stated?.fault ?? toolFailed(by, { ...filter, ...resultSentence(result) });
    return { failure: { fault, cause, textHidden: stated?.textHidden === true }, result };
  }
  if (found !== undefined) countRedaction(found.rule);
  const fault = stated?.withoutTexts();
  // A text that should never have been written is a defect; a sentence that is merely not shown is not.
  const unstated = found === undefined ? toolFailed(by) : internal.fault({}, returnEffect(by));
  return { failure: { fault: fault ?? unstated, cause, textHidden: true } };
}

interface ReturnedFault {
  readonly fault: Fault;
  /** Its texts may be shown: it was made here, or by a server of the same owner. */
  readonly isOwn: boolean;
  /** It was not stamped and reported before. */
  readonly isNew: boolean;
  readonly textHidden: boolean;
  /** The same without the texts of others. */
  withoutTexts(): Fault;
}

/**
 * The fault in a result. It may be the word of another server: then it is believed as far as kind and wait, its texts pass
 * `foreignText`, and it cannot say that nothing happened.
 */
function returnedFault(result: JsonObject, by: ReturnContext, filter: FilterOptions): ReturnedFault | undefined {
  const carried = memberAt(result["_meta"], FAULT_KEY);
  const isNew = isObject(carried) && isBuiltHere(carried) && !wasSentHere(carried);
  const isOwn = isNew || by.speaksFaults === true || wasSentHere(carried);
  const own = isOwn ? readOwnFault(carried) : undefined;
  if (own !== undefined) {
    const withoutTexts = () => amendFault(own, { quote: undefined });
    return { fault: own, isOwn, isNew, textHidden: false, withoutTexts };
  }
  const decoded = decodeEmbeddedFault(result, filter);
  if (decoded === undefined) return undefined;
  const effect = worseEffect(by.isReadOnly ? "none" : "possible", decoded.effect);
  const changes = { effect, incident: undefined, origin: { layer: "upstream" } } as const;
  const { fault, textHidden } = releaseFault(decoded, { ...filter, foreignText: by.foreignText });
  const withoutTexts = () => amendFault(releaseFault(decoded, { foreignText: "hide" }).fault, changes);
  return { fault: amendFault(fault, changes), isOwn: false, isNew: true, textHidden, withoutTexts };
}

/** A tool says that it failed. Its fault quotes the sentence, for readers of the fault alone. */
function toolFailed(by: ReturnContext, details: ReasonOptions = {}): Fault {
  const { tool } = by;
  const options = { ...details, ...returnEffect(by), basis: "mapped", recourse: LOOK_BEFORE_REPEATING } as const;
  return failed.fault(tool === undefined ? {} : { tool }, options);
}

function resultSentence(result: JsonObject): Pick<ReasonOptions, "quote"> {
  const text = firstText(result);
  return text === undefined ? {} : { quote: { text, from: "thrown" } };
}

function findSecret(result: JsonObject, { secrets }: ReturnContext): ForbiddenText | undefined {
  return containsSecret(JSON.stringify(result), secrets) ? { text: resultText(result), rule: "secret" } : undefined;
}

/** Whether a result says nothing but its fault, as the dialect `mcp` writes it. */
function isRendering(result: JsonObject, fault: Fault): boolean {
  const { content, structuredContent, _meta: meta } = result;
  if (!Array.isArray(content)) return false;
  const repeated = { fault: memberAt(meta, FAULT_KEY) };
  const isRepeated = structuredContent === undefined || JSON.stringify(structuredContent) === JSON.stringify(repeated);
  return isRepeated && content.every((block) => isTextBlock(block, renderModel(fault)));
}

function isTextBlock(block: unknown, text: string): boolean {
  return isObject(block) && Object.keys(block).length === 2 && block["type"] === "text" && block["text"] === text;
}

function withoutFault(result: JsonObject): JsonObject {
  const meta = objectAt(result, "_meta");
  if (meta === undefined || !Object.hasOwn(meta, FAULT_KEY)) return result;
  const { [FAULT_KEY]: _fault, ...rest } = meta;
  return { ...result, _meta: rest };
}

function returnEffect({ isReadOnly }: ReturnContext): { readonly effect?: "none" } {
  return isReadOnly ? { effect: "none" } : {};
}

function hasText({ content, structuredContent }: JsonObject): boolean {
  return structuredContent !== undefined || (Array.isArray(content) && content.length > 0);
}

/** The texts of a result, for the operator. */
function resultText(result: JsonObject): string {
  const texts = arrayAt(result, "content").flatMap((block) => stringAt(block, "text") ?? []);
  return texts.length > 0 ? texts.join("\n") : JSON.stringify(result["structuredContent"] ?? result["content"]);
}

/** What turns a failure into an answer. */
interface AnswerParts {
  readonly options: GuardOptions;
  /** The tool changes nothing. @default false */
  readonly isReadOnly?: boolean;
  /** Stamps and reports a failure. */
  readonly finalize: (failure: PendingFailure, place: ReplyPlace) => Fault;
  /** Writes a fault in the dialect of the request. */
  readonly write: (fault: Fault, place: ReplyPlace) => Wire;
}

/** The answer to a call whose handler returned a failure: the result with its fault, or the fault alone. */
export function answerReturned(
  returned: JsonObject,
  place: ReplyPlace,
  { options, isReadOnly = false, finalize, write }: AnswerParts,
): ToolOutcome {
  const { tool, sent, context } = place;
  const by = { ...options, tool, sent, isReadOnly, secrets: requestSecrets(context) };
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
 * A failed result with its fault. What stands in it stays. The dialect of the request adds its members if a fault is
 * stated and the result has no form of its own. No system has a code for a mere sentence: the code of an internal
 * error, which some allow to repeat, would say too much. So such a result gets only what the dialect writes into
 * `_meta`.
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

/** The calls whose answer was checked. A handler that replaces the SDK's own checks nothing. */
export const answeredCalls: RequestMap<true> = /* @__PURE__ */ new RequestMap();
