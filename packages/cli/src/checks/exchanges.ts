import { arrayAt, isObject, type JsonObject, memberAt, objectAt, parseJson, stringAt } from "@recourse/core/wire";
import type { RecordedAnswer, RecordedExchange, StimulusName } from "../recording/recording.ts";
import { type EraView, visibleText } from "./check.ts";

/** The exchanges of one stimulus, and of some of its variants if they are named. */
export function select(
  view: EraView,
  stimulus: StimulusName,
  ...variants: readonly string[]
): readonly RecordedExchange[] {
  return view.era.exchanges.filter(
    (one) => one.stimulus === stimulus && (variants.length === 0 || variants.includes(one.variant ?? "")),
  );
}

/** Groups whose requests every server can read, so that each of them gets an answer of its own. */
const READABLE_STIMULI: ReadonlySet<StimulusName> = new Set([
  "handshake",
  "list",
  "unknown-tool",
  "prototype-name",
  "misspelt-tool",
  "wrong-arguments",
  "valid-call",
  "unknown-resource",
  "unknown-prompt",
  "unknown-completion",
  "unknown-method",
  "ping",
  "odd-id",
]);

/** Requests that follow the protocol, with an id. */
export function ordinaryRequests({ era }: EraView): readonly RecordedExchange[] {
  return era.exchanges.filter(
    ({ stimulus, sent }) => READABLE_STIMULI.has(stimulus) && sent.message?.["id"] !== undefined,
  );
}

/** The member `error` of a JSON-RPC answer. */
export function answerError(answer: RecordedAnswer): JsonObject | undefined {
  return answer.kind === "message" ? objectAt(answer.message, "error") : undefined;
}

/** The member `result` of a JSON-RPC answer. */
export function answerResult(answer: RecordedAnswer): JsonObject | undefined {
  return answer.kind === "message" ? objectAt(answer.message, "result") : undefined;
}

/** The code of a JSON-RPC error, if it is a number. */
export function answerCode(answer: RecordedAnswer): number | undefined {
  const code = memberAt(answerError(answer), "code");
  return typeof code === "number" ? code : undefined;
}

/** The HTTP status, if the answer came by HTTP. */
export function answerStatus(answer: RecordedAnswer): number | undefined {
  return answer.kind === "message" || answer.kind === "body" ? answer.http?.status : undefined;
}

/** Whether a tool failed and said so: a result with `isError`. */
export function isToolFailure(answer: RecordedAnswer): boolean {
  return answerResult(answer)?.["isError"] === true;
}

/** Whether a request went through: a result without `isError` that asks for nothing more. */
export function isSuccess(answer: RecordedAnswer): boolean {
  const result = answerResult(answer);
  return (
    result !== undefined && !isToolFailure(answer) && (stringAt(result, "resultType") ?? "complete") === "complete"
  );
}

/** Whether a request was refused in words: an error, a failed tool, or an HTTP status from 400. */
export function isRefused(answer: RecordedAnswer): boolean {
  return answerError(answer) !== undefined || isToolFailure(answer) || (answerStatus(answer) ?? 0) >= 400;
}

/** Whether the caller was refused for who it is. Nothing else can be said about such an answer. */
export function isDenied(answer: RecordedAnswer): boolean {
  const status = answerStatus(answer);
  return status === 401 || status === 403;
}

/**
 * What a model or the program around it reads of an answer: the texts of a tool's content, the message of an error, or
 * the body. Hosts drop everything else.
 */
export function modelText(answer: RecordedAnswer): string {
  const result = answerResult(answer);
  if (result !== undefined) return contentTexts(result).join("\n");
  const error = answerError(answer);
  if (error !== undefined) return stringAt(error, "message") ?? "";
  return answer.kind === "body" ? answer.text : "";
}

/** The texts in the content of a result. */
export function contentTexts(result: JsonObject): readonly string[] {
  return arrayAt(result, "content").flatMap((part) => {
    const text = isObject(part) && part["type"] === "text" ? part["text"] : undefined;
    return typeof text === "string" ? [text] : [];
  });
}

/** Whether a message is a response: a result or an error. */
export function hasOutcome(message: JsonObject): boolean {
  return Object.hasOwn(message, "result") || Object.hasOwn(message, "error");
}

/** Every message that came back: the answer, strays, and what stands in a body or in a stream of events. */
export function arrivedMessages(answer: RecordedAnswer): readonly JsonObject[] {
  if (answer.kind === "message") return [answer.message];
  if (answer.kind === "silent") return answer.strays;
  if (answer.kind !== "body") return [];
  const events = [...answer.text.matchAll(/^data: ?(.*)$/gm)].map(([, data]) => data);
  return [answer.text, ...events].map((text) => parseJson(text)).filter(isObject);
}

/** Responses that came while the probe waited for an answer: with another id, or without one. */
export function strayResponses(answer: RecordedAnswer): readonly JsonObject[] {
  return answer.kind === "silent" ? answer.strays.filter(hasOutcome) : [];
}

/** The code of the error that answers something without a readable id. Over stdio such an error has no id either. */
export function codeWithoutId(answer: RecordedAnswer): unknown {
  const [stray] = strayResponses(answer);
  return memberAt(answerError(answer) ?? objectAt(stray, "error"), "code");
}

type Phrase = string | ((exchange: RecordedExchange) => string);

const toolPhrase = ({ tool: name }: RecordedExchange) => (name === undefined ? "a tool" : visibleText(name, 60));

/** What was sent, as it stands in a message after "The answer to". */
const SENT_PHRASES: Readonly<Record<StimulusName, Phrase>> = {
  handshake: "the first request",
  list: ({ variant }) => `the request ${visibleText(variant ?? "for a list", 60)}`,
  "unknown-tool": "a call of an unknown tool",
  "prototype-name": ({ variant }) => `a call of a tool named ${visibleText(variant ?? "constructor", 60)}`,
  "misspelt-tool": (exchange) =>
    exchange.tool === undefined
      ? "a call of a misspelt tool"
      : `a call of ${toolPhrase(exchange)} with one letter wrong`,
  "long-tool-name": "a call of a tool with a name of 4,000 letters",
  "hostile-tool-name": "a call of a tool with control characters in its name",
  "wrong-arguments": (exchange) => `a call of ${toolPhrase(exchange)} with ${wrongness(exchange.variant)}`,
  "valid-call": (exchange) => `a valid call of ${toolPhrase(exchange)}`,
  "malformed-params": ({ variant }) =>
    `a request with malformed parameters${variant === undefined ? "" : ` (${visibleText(variant, 60)})`}`,
  "unknown-resource": "a read of an unknown resource",
  "unknown-prompt": "a request for an unknown prompt",
  "prompt-argument": "a request for a prompt without its argument",
  "unknown-completion": "a completion for an unknown prompt",
  "unknown-method": "a request with an unknown method",
  ping: "a ping",
  "malformed-message": ({ variant }) => BROKEN[variant ?? ""] ?? "a message that is no JSON-RPC",
  "deep-json": "a message with 20,000 nested lists",
  "long-message": "a very long message",
  concurrent: "one of many requests at once",
  "odd-id": "a request with an unusual id",
  "unknown-version": "a request with an unknown protocol version",
  notification: "an unknown notification",
  "http-edge": ({ variant }) => ODD_HTTP[variant ?? ""] ?? "an odd HTTP request",
  credentials: ({ variant }) => CREDENTIAL_PHRASES[variant ?? ""] ?? "a request with other credentials",
  "close-stdin": "the end of input",
};

const BROKEN: Readonly<Record<string, string>> = {
  cut: "broken JSON",
  text: "a text that is no JSON",
  utf8: "a message that is not UTF-8",
  "no-jsonrpc": "a message without its jsonrpc member",
  "list-params": "a message whose params are a list",
};

const ODD_HTTP: Readonly<Record<string, string>> = {
  put: "a PUT request",
  get: "a GET request",
  delete: "a DELETE request for an unknown session",
  "text-plain": "a text/plain request",
  "foreign-origin": "a request from a foreign origin",
  "foreign-host": "a request with a foreign host name",
  "unknown-session": "a request with an unknown session",
  "empty-body": "a request without a body",
};

const CREDENTIAL_PHRASES: Readonly<Record<string, string>> = {
  none: "a request without credentials",
  wrong: "a request with a wrong token",
  "alg-none": "a request with an unsigned token",
  basic: "a request with Basic credentials",
  empty: "a request with an empty token",
};

const WRONGNESS: Readonly<Record<string, string>> = {
  type: "arguments of the wrong type",
  "type-again": "arguments of the wrong type",
  missing: "a missing argument",
  enum: "a value that is not among the choices",
  range: "a value out of range",
  "extra-key": "an argument that its schema does not allow",
  bait: "a text in place of a number",
};

function wrongness(variant = ""): string {
  return WRONGNESS[variant] ?? "wrong arguments";
}

/** What was sent, as a phrase: "a call of an unknown tool". */
export function sentPhrase(exchange: RecordedExchange): string {
  const phrase = SENT_PHRASES[exchange.stimulus];
  return typeof phrase === "string" ? phrase : phrase(exchange);
}

/** The same phrase at the beginning of a sentence. */
export function subject(exchange: RecordedExchange): string {
  const phrase = sentPhrase(exchange);
  return phrase.charAt(0).toUpperCase() + phrase.slice(1);
}

/** The capability behind each list, and the member that holds the list. */
export const LIST_CAPABILITIES = {
  "tools/list": { capability: "tools", member: "tools" },
  "resources/list": { capability: "resources", member: "resources" },
  "resources/templates/list": { capability: "resources", member: "resourceTemplates" },
  "prompts/list": { capability: "prompts", member: "prompts" },
} as const satisfies Record<string, { readonly capability: string; readonly member: string }>;

/** What a body is that holds no answer, as it stands after "and". */
export function bodyKind(answer: Extract<RecordedAnswer, { kind: "body" }>): string {
  const text = answer.text.trim();
  if (text === "") return "no body";
  if (parseJson(text) !== undefined) return "JSON that is no JSON-RPC error";
  return /^<|html/i.test(text.slice(0, 200)) ? "a page" : "a text that is no JSON";
}
