import type { Basis, Fault } from "@recourse/core";
import { amendFault, type Effect, inlineIssues, KINDS, knownKind, withIssues } from "@recourse/core";
import { detect } from "@recourse/core/dialects";
import { core, tool } from "@recourse/core/reasons";
import { stringAt } from "@recourse/core/wire";
import { explainBriefly } from "../brief.ts";
import { CONNECTION_CAUSES, type ConnectionCause, type ConnectionCauseId, type FailureActor } from "../data/causes.ts";
import { detectToolText, type Evidence, FILTERED, gatherEvidence, isWeak, statedFault } from "./evidence.ts";
import { cleanWord, matchRule } from "./match.ts";
import type { CauseWords, RuleMeaning } from "./rule.ts";
import { type NamedStatus, STATUS_CAUSES } from "./status.ts";
import { describeHarmless, missingArgument, type Surrounding } from "./take-apart.ts";

/** A cause, with what the text names filled in. */
export interface ReadCause extends ConnectionCause {
  /** The id of the cause, such as `D10`. */
  readonly id: ConnectionCauseId;
}

/** A failure that was recognised in a text. */
export interface RecognisedFailure {
  /** A failure was recognised. */
  readonly found: true;
  /** What the title and the advice are about: the connection (`cause`), or a call (`fault`). */
  readonly leads: "cause" | "fault";
  /** What failed, in a few words, without a full stop. */
  readonly title: string;
  /** Why, in a sentence. */
  readonly because: string;
  /** What to do, in one sentence. */
  readonly advice: string;
  /** A command or code that can be copied. @default none */
  readonly code?: string;
  /** Who has to act. */
  readonly actor: FailureActor;
  /** Whether the call took effect. */
  readonly effect: Effect;
  /** How sure the reading is: stated by the sender, mapped from a code or a fixed sentence, or guessed. */
  readonly basis: Basis;
  /** The cause in set-up or connection. @default none: the failure is about a call */
  readonly cause?: ReadCause;
  /** The failure of the call. @default none: nothing is known about a call */
  readonly fault?: Fault;
  /** The dialect of the fault. @default none: it was read from words */
  readonly dialect?: string;
  /** The name of the rule that recognised it. @default none: a code or a status did */
  readonly rule?: string;
  /** The JSON-RPC code. @default none */
  readonly rpcCode?: number;
  /** The HTTP status. @default none */
  readonly httpStatus?: number;
  /** The part of the text that is the failure, as one line without secrets. */
  readonly recognised: string;
  /** What stood around it. */
  readonly around: readonly Surrounding[];
}

/** A text in which no failure was recognised. */
export interface UnrecognisedText {
  /** No failure was recognised. */
  readonly found: false;
  /**
   * Why: nothing was given; the text is a request, a notification or a success; a success whose content says failure; JSON
   * without a known failure; or a text in which nothing is known.
   */
  readonly because: "empty" | "request" | "notification" | "success" | "unmarked_failure" | "json" | "text";
  /** The method of the request or notification. @default none */
  readonly method?: string;
  /** The sentence in which a success says that an argument is missing, without secrets. @default none */
  readonly says?: string;
  /** The argument that this sentence names. @default none */
  readonly argument?: string;
  /** What was recognised of its form. */
  readonly around: readonly Surrounding[];
}

/**
 * Reads the failure in a text that a person pasted: a sentence, a log line, a stack, JSON at any depth, a raw HTTP reply or an
 * event stream. The innermost cause counts, not the wrapper. It never throws, and it shows no secrets.
 *
 * @example
 * import { readFailure } from "@recourse/explain";
 *
 * const reading = readFailure("Error: spawn uvx ENOENT");
 * if (reading.found) console.log(reading.title, reading.advice);
 */
export function readFailure(text: string): RecognisedFailure | UnrecognisedText {
  const evidence = gatherEvidence(text);
  const { around, harmless, isJson } = evidence.pasted;
  const stated = statedFault(evidence);
  const reading = stated === undefined ? (fromWords(evidence) ?? fromFault(evidence)) : faultReading(stated, evidence);
  if (reading !== undefined) return { ...reading, around };
  if (harmless === undefined) {
    const because = text.trim() === "" ? "empty" : isJson ? "json" : "text";
    return { found: false, because, around };
  }
  const method = stringAt(harmless, "method");
  const missing = missingArgument(harmless);
  const says = missing && cleanWord(missing.sentence);
  // The name is shown only if it is not a secret.
  const argument = says?.includes(missing?.argument ?? "") === true ? missing?.argument : undefined;
  return {
    found: false,
    because: describeHarmless(harmless),
    ...(says !== undefined && { says }),
    ...(argument !== undefined && { argument }),
    ...(method !== undefined && { method: cleanWord(method, 60) }),
    around,
  };
}

type Reading = Omit<RecognisedFailure, "around">;

/** Where in the text the failure is, and what recognised it. */
interface ReadingPlace {
  readonly index?: number;
  readonly length?: number;
  readonly rule?: string;
  readonly isGuess?: boolean | undefined;
  readonly actor?: FailureActor | undefined;
  /** Words for this text, instead of those of the catalogue. */
  readonly words?: CauseWords | undefined;
}

/** The failure by a rule that says more than a status, by the status, or by any other rule. */
function fromWords(evidence: Evidence): Reading | undefined {
  const { status } = evidence;
  const telling = fromRule(evidence, { isTool: evidence.isTool, stage: "telling" });
  const byStatus = telling === undefined && status !== undefined ? fromStatus(evidence, status) : undefined;
  return (
    telling ??
    byStatus ??
    fromRule(evidence, { isTool: evidence.isTool, stage: "general" }) ??
    // A host reports a lost connection as the failure of the tool that it called.
    (evidence.isTool ? fromRule(evidence, { isTool: false, stage: "general" }) : undefined)
  );
}

/** The connection to the server works, so the words of a cause do not fit. */
const BEHIND_TOOL: CauseWords = {
  because: "The server was reached and the tool ran, but something that the tool needs has failed.",
  fix: "Check what the tool needs (its service, address, network and key) and look into the log of the server for the reason.",
};

function fromRule(evidence: Evidence, which: Parameters<typeof matchRule>[1]): Reading | undefined {
  const hit = matchRule(evidence.searched, which);
  if (hit === undefined) return undefined;
  const { groups, inTool } = hit;
  const { isHandshake } = evidence;
  const rule: RuleMeaning = (isHandshake ? hit.rule.inHandshake : undefined) ?? hit.rule;
  const behindTool = inTool === "same" ? undefined : inTool;
  const cause = behindTool === undefined ? rule.cause : undefined;
  const reason = behindTool ?? rule.reason;
  const effect = isHandshake ? "none" : behindTool === undefined ? rule.effect : "possible";
  const basis: Basis = rule.isGuess === true || which.isTool ? "guessed" : "mapped";
  const built = reason?.fault(rule.params?.(groups) ?? {}, { ...FILTERED, basis, ...(effect && { effect }) });
  const { detected } = evidence;
  const isSame = detected !== undefined && detected.fault.reason === reason?.id;
  const isBetter = detected !== undefined && cause === undefined && !isWeak(detected.fault);
  // The code around a cause says less than the cause.
  const fault = isSame || isBetter ? detected.fault : built;
  const isOwn = fault !== undefined && fault.reason !== reason?.id;
  const words = isOwn ? undefined : behindTool === undefined ? rule.say?.(groups) : BEHIND_TOOL;
  const { index, length, id } = hit;
  const place = { index, length, rule: id, isGuess: rule.isGuess, actor: rule.actor, words };
  if (cause !== undefined) return causeReading(cause, fault, { ...place, evidence, effect });
  return fault === undefined ? undefined : faultReading(fault, evidence, place);
}

/** A status in these texts came from a service that a tool or a host called. */
const SERVICE_CALL =
  /Request failed with status code|\bAxiosError\b|HTTPStatusError|\bAPI (?:error|request|call|returned)/i;
/** Unless these words say that it came from the MCP server itself. */
const TRANSPORT_WORDS =
  /POSTing to endpoint|\bSSE\b|streamable|\btransport\b|\bconnect|\bmcp\b|event.?stream|\/mcp\b|\/sse\b|\/messages?\b|\binitiali[sz]e\b/i;

/** What a status means: of the MCP server itself, or of a service behind a tool. */
function fromStatus(evidence: Evidence, { status, index, length }: NamedStatus): Reading | undefined {
  const { searched, isTool, isHandshake, pasted, detected } = evidence;
  const isService = isTool || (SERVICE_CALL.test(searched) && !TRANSPORT_WORDS.test(searched));
  const hasWait = pasted.reply !== undefined && "retry-after" in pasted.reply.headers;
  const wire =
    isService || hasWait
      ? { headers: {}, body: "", ...pasted.reply, status }
      : { name: "SdkHttpError", data: { status, text: "" } };
  const own = detected !== undefined && !isWeak(detected.fault) ? detected.fault : detect(wire, FILTERED)?.fault;
  const effect = isTool ? "possible" : isHandshake ? "none" : undefined;
  const fault = own !== undefined && effect !== undefined ? amendFault(own, { effect }) : own;
  const row = isService ? undefined : STATUS_CAUSES[status];
  if (row !== undefined) return causeReading(row.cause, fault, { evidence, index, length, words: row.words });
  return fault === undefined ? undefined : faultReading(fault, evidence, { index, length });
}

/** A text is about a failure only if it says so. */
const ERROR_WORDS =
  /\b(?:errors?|exception|fatal|fail(?:ed|ure|s)?|cannot|can't|could not|unable|denied|refused|rejected|forbidden|unauthori[sz]ed|exceeded|unavailable|overloaded|not found|does not exist|invalid|missing|already exists|conflict|timeout)\b/i;

/** Much can be invalid: only these words are about what a call was given. */
const ARGUMENT_WORDS =
  /\b(?:arguments?|args?|parameters?|params?|fields?|schemas?|property|properties|inputs?|validation)\b/i;

/** What a code says although no words are known, or what the words of a sentence suggest. */
function fromFault(evidence: Evidence): Reading | undefined {
  const { detected, searched, pasted } = evidence;
  const own = detected ?? detectToolText(searched);
  if (own !== undefined) return faultReading(own.fault, evidence);
  const index = pasted.isJson ? -1 : searched.search(ERROR_WORDS);
  if (index === -1) return undefined;
  const guess = detect({ isError: true, content: [{ type: "text", text: pasted.text }] }, FILTERED)?.fault;
  const isVague = guess === undefined || guess.reason === tool.failed.id || guess.reason === core.unrecognised.id;
  if (isVague || (guess.reason === core.validation_failed.id && !ARGUMENT_WORDS.test(searched))) return undefined;
  const reading = faultReading(guess, evidence, { index });
  return { ...reading, title: `Perhaps: ${reading.title}` };
}

function faultReading(fault: Fault, evidence: Evidence, place: ReadingPlace = {}): Reading {
  const explanation = explainBriefly(fault);
  const issues = inlineIssues(fault, fault.message, { received: true });
  const message = issues === undefined ? fault.message : withIssues(fault.message, issues);
  const words = place.words ?? (fault.basis === "stated" ? {} : wordsForCode(fault, evidence));
  return {
    found: true,
    leads: "fault",
    title: words.title ?? explanation?.title ?? fault.message.replace(/\.$/, ""),
    because: words.because ?? message,
    advice: firstSentence(words.fix ?? explanation?.remedies[0] ?? message),
    actor: KINDS[knownKind(fault)].actor,
    effect: fault.effect,
    basis: fault.basis,
    ...commonMembers(fault, evidence, place),
  };
}

/** Reasons that a code alone gives: the words of the catalogue are for those who have the incident. */
function wordsForCode({ reason, message, quote, issues }: Fault, { rpcCode }: Evidence): CauseWords {
  const said = quote === undefined ? "" : ` It says: “${quote.text}”`;
  const code = rpcCode === undefined ? "" : ` (${rpcCode})`;
  switch (reason) {
    case core.unrecognised.id:
      return {
        title: `The server reports an error of its own${code}`,
        because: `The code means something only to this server.${said}`,
        fix: "Look for the words of the message in the documentation or the log of the server: the code alone does not say what happened.",
      };
    case core.internal.id:
      return {
        title: `The server failed inside${code}`,
        because: `An error in the server, or in something that it needs, ended the call.${said}`,
        fix: "Look into the log of the server at this moment; if the server is not yours, report the message to its author.",
      };
    case tool.failed.id:
      return {
        because: `${message}${said}`,
        fix: "Read what the tool says; before you repeat the call, check whether it took effect.",
      };
    default:
      return quote === undefined || issues !== undefined ? {} : { because: `${message}${said}` };
  }
}

interface CausePlace extends ReadingPlace {
  readonly evidence: Evidence;
  readonly effect?: Effect | undefined;
}

function causeReading(id: ConnectionCauseId, fault: Fault | undefined, place: CausePlace): Reading {
  const {
    evidence,
    effect = fault?.effect ?? "none",
    isGuess,
    actor = CONNECTION_CAUSES[id].actor ?? "setup",
    words,
  } = place;
  const cause: ReadCause = { id, ...CONNECTION_CAUSES[id], ...words };
  return {
    found: true,
    leads: "cause",
    title: cause.title,
    because: cause.because,
    advice: firstSentence(cause.fix),
    ...(cause.code !== undefined && { code: cause.code }),
    actor,
    effect,
    basis: isGuess === true ? "guessed" : "mapped",
    cause,
    ...commonMembers(fault, evidence, place),
  };
}

function commonMembers(fault: Fault | undefined, evidence: Evidence, { rule, index = 0, length = 0 }: ReadingPlace) {
  const { detected, rpcCode, status } = evidence;
  return {
    ...(fault !== undefined && { fault }),
    ...(fault !== undefined && detected?.fault === fault && { dialect: detected.dialect }),
    ...(rule !== undefined && { rule }),
    ...(rpcCode !== undefined && { rpcCode }),
    ...(status !== undefined && { httpStatus: status.status }),
    recognised: excerpt(evidence, { index, length }),
  };
}

const MAX_EXCERPT = 160;
const MAX_LINE = 8_000;
/** Time, level and name that a logger writes in front of a line. */
const LOG_PREFIX =
  /^\s{0,20}\[?\d{4}[-/]\d\d[-/]\d\d[T ][\d:.,]{5,20}(?:Z|[+-]\d\d:?\d\d)?\]?\s{1,4}(?:\[[^\]\n]{1,60}\]\s{0,4}){0,4}/;
/** Data that a logger writes behind a line. */
const LOG_DATA = /\s\{\s{0,4}(?:"|\}$)/;

/** The lines of the match, as one line without secrets. A text inside of JSON is shown without the JSON. */
function excerpt(
  { searched, pasted }: Evidence,
  { index, length }: { readonly index: number; readonly length: number },
) {
  const match = searched.slice(index, index + length);
  const inside = match === "" ? -1 : searched.indexOf(match, pasted.text.length);
  const at = inside === -1 || inside === index || pasted.text.slice(0, index).indexOf("{") === -1 ? index : inside;
  const start = Math.max(searched.lastIndexOf("\n", at) + 1, at - MAX_LINE);
  const end = searched.indexOf("\n", at + length);
  const line = searched.slice(start, Math.min(end === -1 ? searched.length : end, start + 2 * MAX_LINE));
  // All of it is cleaned before it is cut: half a secret would not be found.
  const clean = cleanWord(line, 2 * MAX_LINE);
  const message = clean.replace(LOG_PREFIX, "");
  const data = message.search(LOG_DATA);
  const withoutLog = data === -1 ? message : message.slice(0, data);
  const shown = withoutLog === "" ? clean : withoutLog;
  const from = shown.length <= MAX_EXCERPT ? 0 : Math.max(0, Math.min(at - start - 60, shown.length - MAX_EXCERPT));
  const part = shown.slice(from, from + MAX_EXCERPT);
  return `${from > 0 ? "…" : ""}${part}${from + MAX_EXCERPT < shown.length ? "…" : ""}`;
}

function firstSentence(text: string): string {
  return /^.{1,400}?[.!](?= [A-Z`]|$)/s.exec(text)?.[0] ?? text;
}
