// What a request has to pass before it reaches the handler. Each check adds what it found to the exchange, or ends it.
import { FaultError } from "../../fault/error.ts";
import { memberAt } from "../../json/read.ts";
import { insufficient_scope, unauthorized } from "../../reasons/library/auth.ts";
import { invalid_type, message_too_large } from "../../reasons/library/content.ts";
import { internal, misconfigured, timeout } from "../../reasons/library/core.ts";
import { bad_request, http_method, parse_error } from "../../reasons/library/protocol.ts";
import { convertThrown } from "../../reasons/thrown/to-fault.ts";
import { encodingFault } from "../encoding-fault.ts";
import { type DialectRequest, dialectFor, EDGE } from "../replies/dialect-choice.ts";
import { type Exchange, messageOf, type Refusal, readsBody } from "./exchange.ts";
import { MessageOutline } from "./message-outline.ts";
import type { Authentication } from "./options.ts";
import { readStream, TOO_LARGE, TOO_SLOW } from "./read-stream.ts";
import { warnOnce } from "./warn-once.ts";

/** One check. */
type Check = (exchange: Exchange) => Exchange | Refusal | Promise<Exchange | Refusal>;

const DEFAULT_MAX_BYTES = 4 * 1_024 * 1_024;
const DEFAULT_BODY_MS = 30_000;

/** Messages come by POST; what else the handler serves is an option. */
const checkMethod: Check = (exchange) => {
  const served = ["POST", ...(exchange.options.methods ?? [])];
  if (served.includes(exchange.request.method)) return exchange;
  return { fault: http_method.fault(), headers: { allow: served.join(", ") } };
};

/** A message is JSON and says so, whoever parsed it: a parser in front may also take forms, which pages of any site can send. */
const checkContentType: Check = (exchange) => {
  if (exchange.request.method !== "POST") return exchange;
  const type = exchange.request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type === "application/json") return exchange;
  // The slot shows only what is a media type by its grammar.
  return { fault: invalid_type.fault(type === undefined ? {} : { contentType: type }) };
};

/** Reads the body, and stops where it is longer than announced or allowed. */
const readBody: Check = async (exchange) => {
  if (!readsBody(exchange)) return exchange;
  const { request, options } = exchange;
  const maxSize = options.maxBodyBytes ?? dialectFor(options.dialect, EDGE)?.maxMessageBytes ?? DEFAULT_MAX_BYTES;
  const announced = lengthOf(request.headers.get("content-length"));
  const outline = outlineFor(exchange);
  if (announced !== undefined && announced > (outline?.maxRest ?? maxSize)) return tooLarge(maxSize, announced);
  // An adapter that finds nothing left to read makes a request without a body.
  if (request.bodyUsed || (request.body === null && (announced ?? 0) > 0)) return consumedBefore();
  try {
    const timeoutMs = options.bodyTimeoutMs ?? DEFAULT_BODY_MS;
    const limits = { max: maxSize, ms: timeoutMs, rest: "discard", ...(outline && { observer: outline }) } as const;
    const bytes = await readStream(request.body, limits);
    if (bytes === TOO_LARGE) return { ...tooLarge(maxSize, announced), ...outline?.answer() };
    if (bytes === TOO_SLOW) return { fault: timeout.fault({ timeoutMs }, { effect: "none" }), status: 408 };
    return { ...exchange, bytes };
  } catch {
    // The sender went away, or its framing is broken.
    return { fault: bad_request.fault() };
  }
};

/** How much of a message is looked at that is too large to be kept. */
const MAX_OUTLINED_BYTES = 32 * 1_024 * 1_024;

/** Finds out which call a message is that is too large, for dialects in which every call has an answer. */
function outlineFor({ options }: Exchange) {
  if (dialectFor(options.dialect, CALL)?.envelope === undefined) return undefined;
  const outline = new MessageOutline();
  return {
    maxRest: MAX_OUTLINED_BYTES,
    take: (bytes: Uint8Array) => outline.take(bytes),
    answer: (): Partial<Refusal> => (outline.callId === undefined ? {} : { callId: outline.callId }),
  };
}

const CALL: DialectRequest = { method: "tools/call", meta: {} };

function consumedBefore(): Refusal {
  const cause = new Error(
    "a body parser read the body before it reached guardHandler, and no parsedBody was given; use toNodeListener, or pass req.body on, or put the handler before the parser",
  );
  warnOnce("consumed", `${cause.message}. The request was answered with a fault.`);
  return { fault: misconfigured.fault({}, { effect: "none" }), cause };
}

function tooLarge(maxSize: number, actualSize?: number): Refusal {
  return { fault: message_too_large.fault({ maxSize, ...(actualSize !== undefined && { actualSize }) }) };
}

function lengthOf(header: string | null): number | undefined {
  return header !== null && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}

/** JSON is UTF-8: other bytes must not silently become other characters. */
const checkEncoding: Check = (exchange) => {
  if (exchange.bytes === undefined) return exchange;
  try {
    return { ...exchange, text: new TextDecoder("utf-8", { fatal: true }).decode(exchange.bytes) };
  } catch {
    return { fault: encodingFault(exchange.bytes) };
  }
};

/** Parses the message; the handler decides whether it is a request. */
const parseMessage: Check = (exchange) => {
  if (exchange.text === undefined) return exchange;
  try {
    return { ...exchange, message: JSON.parse(exchange.text) as unknown };
  } catch {
    return { fault: parse_error.fault() };
  }
};

/** Checks credentials. Whatever is wrong with them gets one and the same answer. */
const checkAuthentication: Check = (exchange) => {
  const { authenticate } = exchange.options;
  return authenticate === undefined ? exchange : verdictOf(() => authenticate(exchange.request), exchange);
};

/** Checks whether the caller may send this message. */
const checkAuthorization: Check = (exchange) => {
  const { request, auth, options } = exchange;
  const { authorize } = options;
  if (authorize === undefined) return exchange;
  return verdictOf(() => authorize({ request, auth, message: messageOf(exchange) }), exchange);
};

async function verdictOf(
  check: () => Authentication | Promise<Authentication>,
  exchange: Exchange,
): Promise<Exchange | Refusal> {
  let found: Authentication;
  try {
    found = await check();
  } catch (cause) {
    // Nothing has run yet, so whatever broke had no effect.
    if (!FaultError.is(cause)) return { fault: internal.fault({}, { effect: "none" }), cause, foreign: true };
    return { ...convertThrown(cause, exchange.options), cause, foreign: true };
  }
  const refusal = { fault: unauthorized.fault() };
  if (isExpired(found.auth, exchange)) return refusal;
  if (found.ok === true) return found.auth === undefined ? exchange : { ...exchange, auth: found.auth };
  const { challenge } = found;
  if (typeof challenge !== "object" || !hasCredentials(found, exchange)) return refusal;
  return { fault: insufficient_scope.fault({ scopes: challenge.scopes }) };
}

/** A time that is not a number could be any time, so it counts as passed. */
function isExpired(auth: unknown, { options }: Exchange): boolean {
  const expiresAt = memberAt(auth, "expiresAt");
  if (expiresAt === undefined || expiresAt === null) return false;
  const now = options.now ?? Date.now;
  return typeof expiresAt !== "number" || !(expiresAt * 1_000 > now());
}

/** A caller without credentials is asked for those first, whatever scopes it would lack. */
function hasCredentials(found: Authentication, { request, auth }: Exchange): boolean {
  return found.auth !== undefined || auth !== undefined || request.headers.has("authorization");
}

/** All checks, in their order. */
export const CHECKS: readonly Check[] = [
  checkMethod,
  checkAuthentication,
  checkContentType,
  readBody,
  checkEncoding,
  parseMessage,
  checkAuthorization,
];
