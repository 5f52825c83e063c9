import { firstText } from "../../dialects/envelope.ts";
import { decodeEmbeddedFault } from "../../dialects/mcp/dialect.ts";
import { LOOK_BEFORE_REPEATING } from "../../dialects/sentence.ts";
import { amendFault, judgedFault, toSentFault, worseEffect } from "../../fault/amend.ts";
import { FAULT_MEMBERS } from "../../fault/clean.ts";
import type { Fault } from "../../fault/fault.ts";
import { knownKind } from "../../fault/kinds.ts";
import { isBuiltHere, isOwnSentForm } from "../../fault/provenance.ts";
import { readOwnFault } from "../../fault/read.ts";
import type { ReasonOptions } from "../../reasons/build-safely.ts";
import { unrecognised } from "../../reasons/library/core.ts";
import { failed, result_unsendable } from "../../reasons/library/tool.ts";
import { renderModel, reportSentence, withReport } from "../../render/model.ts";
import { type CutResult, cutResult } from "../../safety/cut-result.ts";
import { containsSecret, type SecretFilter } from "../../safety/secrets.ts";
import type { FilterOptions } from "../../safety/show-line.ts";
import { requestSecrets } from "../../sdk/context.ts";
import { arrayAt, isObject, type JsonObject, memberAt, objectAt, stringAt } from "../../wire/json.ts";
import { FAULT_KEY } from "../../wire/names.ts";
import { ReturnedText } from "../development-hints.ts";
import type { GuardOptions } from "../options.ts";
import { callerTextsFor, releaseFault, wasSentHere } from "../release.ts";
import type { Wire } from "../replies/dialect-choice.ts";
import { type FinishedFailure, type PendingFailure, type ReplyPlace, reply, WireError } from "../replies/reply.ts";
import type { Reporter } from "../reporter.ts";

/** What is known about the call that a failed result answers. */
interface ReturnContext extends Pick<GuardOptions, "foreignText" | "allow" | "speaksFaults"> {
  /** Name of the tool. @default unknown */
  readonly tool?: string | undefined;
  /** The tool changes nothing. */
  readonly isReadOnly: boolean;
  readonly sent: unknown;
  readonly secrets?: SecretFilter | undefined;
}

interface ReturnedFailure {
  /** Undefined if the result has a fault already that was stamped and reported elsewhere. */
  readonly failure?: PendingFailure;
  /** The result as it may be sent, beside its fault. Undefined if the fault has to replace it. */
  readonly result?: JsonObject;
}

/**
 * Checks a failed result that a handler returned. Its texts may be the author's sentences, the message of a caught error, or
 * the words of another server whose answer the handler passes on. What a rule finds in them is cut out; the rest is sent as
 * it is, with a fault beside it.
 */
export function checkReturned(returned: JsonObject, by: ReturnContext): ReturnedFailure {
  let result: JsonObject;
  try {
    // What is checked is what is sent.
    result = { ...(JSON.parse(JSON.stringify(returned)) as JsonObject), isError: true };
  } catch (cause) {
    return { failure: { fault: result_unsendable.fault({}, returnEffect(by)), cause } };
  }
  const filter = filterOf(by);
  const stated = returnedFault(returned, by, filter);
  const isRendered = stated?.isOwn === true && isRendering(result, stated.made ?? stated.fault);
  if (isRendered && stated.isNew) return { failure: { fault: stated.fault } };
  // The texts of a rendering were checked when its fault was built.
  const cut = isRendered ? cutSecrets(result, by) : cutResult(withoutFault(result), filter);
  const isHidden = by.foreignText === "hide" && !isRendered && hasText(result);
  if (cut.rule === undefined && !isHidden && stated?.isNew === false) return { result };
  const cause = new ReturnedText(resultText(result), { result: returned, rule: isHidden ? undefined : cut.rule });
  if (isHidden || cut.result === undefined) {
    return { failure: { fault: stated?.withoutTexts() ?? toolFailed(by), cause, textHidden: true } };
  }
  const fault = stated?.fault ?? toolFailed(by, { ...filter, ...resultSentence(cut.result) });
  const textHidden = stated?.textHidden === true || cut.rule !== undefined;
  return { failure: { fault, cause, textHidden }, result: withCarried(cut.result, result) };
}

interface ReturnedFault {
  readonly fault: Fault;
  /** The fault as the handler had it, before its texts were judged. */
  readonly made?: Fault;
  /** Its texts may be shown: it was made here, or by a server of the same owner. */
  readonly isOwn: boolean;
  /** It was not stamped and reported before. */
  readonly isNew: boolean;
  readonly textHidden: boolean;
  withoutTexts(): Fault;
}

/**
 * The fault in a result. It may be the word of another server: then it is believed as far as kind and wait, its texts pass
 * `foreignText`, and it cannot say that nothing happened.
 */
function returnedFault(result: JsonObject, by: ReturnContext, filter: FilterOptions): ReturnedFault | undefined {
  const carried = memberAt(result["_meta"], FAULT_KEY);
  const isMadeHere = isObject(carried) && (isBuiltHere(carried) || isOwnSentForm(carried));
  const isNew = isMadeHere && !wasSentHere(carried);
  const isOwn = isNew || by.speaksFaults === true || wasSentHere(carried);
  const own = isOwn ? readOwnFault(carried) : undefined;
  if (own !== undefined) {
    const judged = isNew ? judgedFault(carried as unknown as Fault) : carried;
    const fault = judged === carried ? own : (judged as Fault);
    const withoutTexts = () => amendFault(fault, { quote: undefined });
    return { fault, made: own, isOwn, isNew, textHidden: false, withoutTexts };
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

function resultSentence(result: JsonObject): Pick<ReasonOptions, "quote" | "textPolicy"> {
  const text = firstText(result);
  return text === undefined ? {} : { quote: { text, from: "thrown" }, textPolicy: "checked" };
}

/** A rendering has passed all rules; only a secret that was registered since then can be found in it. */
function cutSecrets(result: JsonObject, { secrets }: ReturnContext): CutResult {
  const isFound = containsSecret(JSON.stringify(result), secrets);
  return isFound ? { result: undefined, rule: "secret" } : { result, rule: undefined };
}

function withCarried(cut: JsonObject, { _meta: meta }: JsonObject): JsonObject {
  const carried = memberAt(meta, FAULT_KEY);
  return carried === undefined ? cut : { ...cut, _meta: { ...objectAt(cut, "_meta"), [FAULT_KEY]: carried } };
}

/** Whether a result says nothing but its fault, as the dialect `mcp` writes it. */
function isRendering(result: JsonObject, fault: Fault): boolean {
  const { content, structuredContent } = result;
  if (!Array.isArray(content) || structuredContent !== undefined) return false;
  return content.every((block) => isTextBlock(block, renderModel(fault)));
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

function resultText(result: JsonObject): string {
  const texts = arrayAt(result, "content").flatMap((block) => stringAt(block, "text") ?? []);
  return texts.length > 0 ? texts.join("\n") : JSON.stringify(result["structuredContent"] ?? result["content"]);
}

export interface AnswerParts {
  readonly options: GuardOptions;
  readonly reporter: Reporter;
  /** The tool changes nothing. @default false */
  readonly isReadOnly?: boolean;
}

/** The answer to a failed call: a result with its fault, or the fault alone. */
export type AnsweredResult = { readonly result: unknown } | FinishedFailure;

/** The answer to a call whose handler returned a failure: the result with its fault, or the fault alone. */
export function answerReturned(
  returned: JsonObject,
  place: ReplyPlace,
  { options, isReadOnly = false, reporter }: AnswerParts,
): AnsweredResult {
  const { result, failure } = checkReturned(returned, returnContext(place, options, { isReadOnly }));
  if (failure === undefined) return { result };
  if (result === undefined) return reporter.finish(failure, place);
  const { fault, wire } = reporter.finish(failure, { ...place, asResult: true } as ReplyPlace);
  return { result: withFault(withReportBlock(result, fault), fault, wire) };
}

/** The result with the id of its incident in a block of its own: other blocks may be JSON. */
function withReportBlock(result: JsonObject, fault: Fault): JsonObject {
  const { content } = result;
  const { incident } = fault;
  if (incident === undefined || !Array.isArray(content) || resultText(result).includes(incident)) return result;
  return { ...result, content: [...content, { type: "text", text: reportSentence(fault) }] };
}

function returnContext(
  { tool, sent, context }: ReplyPlace,
  options: GuardOptions,
  { isReadOnly }: Pick<ReturnContext, "isReadOnly">,
): ReturnContext {
  return { ...options, tool, sent, isReadOnly, secrets: requestSecrets(context) };
}

function filterOf(by: ReturnContext): FilterOptions {
  return { allow: by.allow, secrets: by.secrets, callerTexts: callerTextsFor(by.sent, by) };
}

export interface ThrownSentence {
  readonly text: string;
  /** What the error means, if it says more than that the tool failed. */
  readonly fault?: Fault | undefined;
  readonly thrown: unknown;
}

/** The answer to a call whose author threw a sentence for the caller: like one that returned it. */
export function answerThrown(
  { text, fault: meant, thrown }: ThrownSentence,
  place: ReplyPlace,
  { options, isReadOnly = false, reporter }: AnswerParts,
): AnsweredResult {
  const by = returnContext(place, options, { isReadOnly });
  const filter = filterOf(by);
  const { result, rule } = cutResult({ content: [{ type: "text", text }], isError: true }, filter);
  const bare = meant ?? toolFailed(by);
  if (result === undefined)
    return reporter.finish({ fault: bare, cause: thrown, textHidden: true, cutBy: rule }, place);
  const fault = meant ?? toolFailed(by, { ...filter, ...resultSentence(result) });
  const asResult: ReplyPlace = { ...place, asResult: true };
  const finished = reporter.finish({ fault, cause: thrown, textHidden: rule !== undefined, cutBy: rule }, asResult);
  if (meant === undefined && finished.fault.incident === undefined) reporter.note(finished, thrown, asResult);
  const content = [{ type: "text", text: withReport(firstText(result) ?? "", finished.fault) }];
  return { result: withFault({ ...result, content }, finished.fault, finished.wire) };
}

const OWN_MEMBERS = ["error", "structuredContent"] as const;

/**
 * A failed result with its fault. What stands in it stays. The dialect of the request adds its members if a fault is
 * stated and the result has no form of its own. No system has a code for a mere sentence: the code of an internal
 * error, which some allow to repeat, would say too much. So such a result gets only what the dialect writes into
 * `_meta`.
 */
function withFault(result: JsonObject, fault: Fault, { result: wire = {} }: Wire): JsonObject {
  const { content: _content, resultType: _type, ...ofDialect } = wire;
  const meta = objectAt(result, "_meta");
  const writtenMeta = objectAt(ofDialect, "_meta");
  const isPlain = OWN_MEMBERS.every((name) => result[name] === undefined);
  const written = toSentFault(fault);
  if (!isPlain) return { ...result, _meta: { ...meta, [FAULT_KEY]: written } };
  const isSentence = fault.reason === failed.id;
  const isMcp = memberAt(writtenMeta, FAULT_KEY) !== undefined;
  if (isSentence || isMcp) return { ...result, _meta: { ...writtenMeta, ...meta, [FAULT_KEY]: written } };
  return { ...ofDialect, ...result, _meta: { ...writtenMeta, ...meta } };
}

/** The fault of a sentence about which nothing else is known. */
export const MERE_SENTENCE = /* @__PURE__ */ unrecognised.fault(undefined, { basis: "mapped" });

/**
 * Answers a request other than a call of a tool, whose author threw a sentence for the caller: with an error whose message is
 * the sentence, without what a rule finds in it. Its fault quotes the sentence, for readers of the fault.
 */
export function answerSentence(
  { text, fault = MERE_SENTENCE, thrown }: ThrownSentence,
  place: ReplyPlace,
  { options, reporter }: AnswerParts,
): Readonly<Record<string, unknown>> {
  const secrets = requestSecrets(place.context);
  const filter = { allow: options.allow, secrets, callerTexts: callerTextsFor(place.sent, options) };
  const { result, rule } = cutResult({ content: [{ type: "text", text }] }, filter);
  const shown = firstText(result);
  const quote = shown === undefined ? undefined : { text: shown, from: "thrown" };
  const quoted = amendFault(fault, { quote: FAULT_MEMBERS.quote.clean(quote, { ...filter, textPolicy: "checked" }) });
  const failure = { fault: quoted, cause: thrown, textHidden: rule !== undefined, cutBy: rule };
  const finished = reporter.finish(failure, place);
  const { fault: sent, wire } = finished;
  if (shown === undefined) return reply(wire);
  if (knownKind(sent) === "unknown" && sent.incident === undefined) reporter.note(finished, thrown, place);
  throw new WireError({ ...wire.error, code: wire.error?.code ?? -32603, message: withReport(shown, sent) });
}
