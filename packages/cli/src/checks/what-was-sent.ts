import type { Exchange } from "../recording/recording.ts";
import type { StimulusName } from "../recording/stimuli.ts";
import { visible } from "./results.ts";

type Phrase = string | ((exchange: Exchange) => string);

const tool = ({ tool: name }: Exchange) => (name === undefined ? "a tool" : visible(name, 60));

/** What was sent, as it stands in a message after "The answer to". */
const PHRASES: Readonly<Record<StimulusName, Phrase>> = {
  handshake: "the first request",
  list: ({ variant }) => `the request ${visible(variant ?? "for a list", 60)}`,
  "unknown-tool": "a call of an unknown tool",
  "prototype-name": ({ variant }) => `a call of a tool named ${visible(variant ?? "constructor", 60)}`,
  "misspelt-tool": (exchange) =>
    exchange.tool === undefined ? "a call of a misspelt tool" : `a call of ${tool(exchange)} with one letter wrong`,
  "long-tool-name": "a call of a tool with a name of 4,000 letters",
  "hostile-tool-name": "a call of a tool with control characters in its name",
  "wrong-arguments": (exchange) => `a call of ${tool(exchange)} with ${wrongness(exchange.variant)}`,
  "valid-call": (exchange) => `a valid call of ${tool(exchange)}`,
  "malformed-params": ({ variant }) =>
    `a request with malformed parameters${variant === undefined ? "" : ` (${visible(variant, 60)})`}`,
  "unknown-resource": "a read of an unknown resource",
  "unknown-prompt": "a request for an unknown prompt",
  "prompt-argument": "a request for a prompt without its argument",
  "unknown-completion": "a completion for an unknown prompt",
  "unknown-method": "a request with an unknown method",
  "malformed-message": ({ variant }) => BROKEN[variant ?? ""] ?? "a message that is no JSON-RPC",
  "deep-json": "a message with 20,000 nested lists",
  "long-message": "a very long message",
  concurrent: "one of many requests at once",
  "odd-id": "a request with an unusual id",
  "unknown-version": "a request with an unknown protocol version",
  notification: "an unknown notification",
  "http-edge": ({ variant }) => ODD_HTTP[variant ?? ""] ?? "an odd HTTP request",
  credentials: ({ variant }) => CREDENTIALS[variant ?? ""] ?? "a request with other credentials",
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
  "text-plain": "a text/plain request",
  "foreign-origin": "a request from a foreign origin",
  "foreign-host": "a request with a foreign host name",
  "unknown-session": "a request with an unknown session",
  "empty-body": "a request without a body",
};

const CREDENTIALS: Readonly<Record<string, string>> = {
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
export function whatWasSent(exchange: Exchange): string {
  const phrase = PHRASES[exchange.stimulus];
  return typeof phrase === "string" ? phrase : phrase(exchange);
}

/** The same phrase at the beginning of a sentence. */
export function startWith(exchange: Exchange): string {
  const phrase = whatWasSent(exchange);
  return phrase.charAt(0).toUpperCase() + phrase.slice(1);
}
