// What a request has to pass before it reaches the handler. Each check adds what it found to the exchange, or ends it.

import { FaultError } from "../../fault/error.ts";
import { access_denied, insufficient_scope, unauthorized } from "../../reasons/library/auth.ts";
import { invalid_type, message_too_large } from "../../reasons/library/content.ts";
import { internal, misconfigured, timeout } from "../../reasons/library/core.ts";
import { bad_request, http_method, invalid_request, parse_error } from "../../reasons/library/protocol.ts";
import { toLine } from "../../safety/line.ts";
import { toClock } from "../../wire/clock.ts";
import {
  type Host,
  hostTest,
  isLoopbackName,
  isLoopbackOrigin,
  isSentLocally,
  originTest,
  readHost,
} from "../../wire/host.ts";
import { memberAt } from "../../wire/json.ts";
import { MessageOutline } from "../../wire/message-outline.ts";
import { loadFailures } from "../first-failure.ts";
import type { DialectRequest } from "../options.ts";
import { chosenDialect, EDGE_REQUEST } from "../replies/dialect-choice.ts";
import { encodingFault } from "../requests/validate-request.ts";
import {
  BODY_TOO_LARGE,
  BODY_TOO_SLOW,
  type EdgeExchange,
  type EdgeRefusal,
  exchangeMessage,
  isEdgeRefusal,
  readStream,
  readsBody,
  warnOnce,
} from "./exchange.ts";
import type { Authentication, HandlerOptions } from "./options.ts";

type EdgeCheck = (exchange: EdgeExchange) => EdgeExchange | EdgeRefusal | Promise<EdgeExchange | EdgeRefusal>;

const DEFAULT_EDGE_BODY_BYTES = 4 * 1_024 * 1_024;
const DEFAULT_BODY_MS = 30_000;

/** Messages come by POST; what else the handler serves is an option. */
const checkHttpMethod: EdgeCheck = (exchange) => {
  const served = ["POST", ...(exchange.options.methods ?? [])];
  if (served.includes(exchange.request.method)) return exchange;
  return { fault: http_method.fault(), headers: { allow: served.join(", ") } };
};

/** A message is JSON and says so, even if a parser read it before: a parser may also take forms, which any page can send. */
const checkJsonType: EdgeCheck = (exchange) => {
  if (exchange.request.method !== "POST") return exchange;
  const type = exchange.request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type === "application/json") return exchange;
  // The slot shows only what is a media type by its grammar.
  return { fault: invalid_type.fault(type === undefined ? {} : { contentType: type }) };
};

/** Reads the body, and stops if it is longer than announced or allowed. */
const readEdgeBody: EdgeCheck = async (exchange) => {
  if (!readsBody(exchange)) return exchange;
  const { request, options } = exchange;
  const maxSize =
    options.body?.maxBytes ?? chosenDialect(options.dialect, EDGE_REQUEST)?.maxMessageBytes ?? DEFAULT_EDGE_BODY_BYTES;
  const announced = contentLength(request.headers.get("content-length"));
  const outline = createOutline(exchange);
  if (announced !== undefined && announced > (outline?.maxRest ?? maxSize)) return tooLargeRefusal(maxSize, announced);
  // An adapter that finds nothing left to read makes a request without a body.
  if (request.bodyUsed || (request.body === null && (announced ?? 0) > 0)) return consumedBefore();
  try {
    const timeoutMs = options.body?.timeoutMs ?? DEFAULT_BODY_MS;
    const limits = { max: maxSize, ms: timeoutMs, rest: "discard", ...(outline && { observer: outline }) } as const;
    const bytes = await readStream(request.body, limits);
    if (bytes === BODY_TOO_LARGE) return { ...tooLargeRefusal(maxSize, announced), ...outline?.answer() };
    if (bytes === BODY_TOO_SLOW) return { fault: timeout.fault({ timeoutMs }, { effect: "none" }), status: 408 };
    return { ...exchange, bytes };
  } catch {
    // The sender went away, or its framing is broken.
    return { fault: bad_request.fault() };
  }
};

/** How much of a message is looked at that is too large to be kept. */
const MAX_OUTLINED_BYTES = 32 * 1_024 * 1_024;

/** Finds out which call a message is that is too large, for dialects in which every call has an answer. */
function createOutline({ options }: EdgeExchange) {
  if (chosenDialect(options.dialect, CALL)?.envelope === undefined) return undefined;
  const outline = new MessageOutline();
  return {
    maxRest: MAX_OUTLINED_BYTES,
    take: (bytes: Uint8Array) => outline.take(bytes),
    answer: (): Partial<EdgeRefusal> => (outline.callId === undefined ? {} : { callId: outline.callId }),
  };
}

const CALL: DialectRequest = { method: "tools/call", meta: {} };

function consumedBefore(): EdgeRefusal {
  const cause = new Error(
    "a body parser read the body before it reached guardHandler, and no parsedBody was given; use toNodeListener, or pass req.body on, or put the handler before the parser",
  );
  warnOnce("consumed", `${cause.message}. The request was answered with a fault.`);
  return { fault: misconfigured.fault({}, { effect: "none" }), cause };
}

function tooLargeRefusal(maxSize: number, actualSize?: number): EdgeRefusal {
  return { fault: message_too_large.fault({ maxSize, ...(actualSize !== undefined && { actualSize }) }) };
}

function contentLength(header: string | null): number | undefined {
  return header !== null && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}

/** JSON is UTF-8: other bytes must not silently become other characters. */
const checkEncoding: EdgeCheck = (exchange) => {
  if (exchange.bytes === undefined) return exchange;
  try {
    return { ...exchange, text: new TextDecoder("utf-8", { fatal: true }).decode(exchange.bytes) };
  } catch {
    return { fault: encodingFault(exchange.bytes) };
  }
};

/** Parses the message; the handler decides whether it is a request. */
const parseMessage: EdgeCheck = (exchange) => {
  if (exchange.text === undefined) return exchange;
  try {
    return { ...exchange, message: JSON.parse(exchange.text) as unknown };
  } catch {
    return { fault: parse_error.fault() };
  }
};

/** Checks credentials. Whatever is wrong with them gets one and the same answer. */
const checkAuthentication: EdgeCheck = (exchange) => {
  const authenticate = exchange.options.auth?.authenticate;
  return authenticate === undefined ? exchange : checkVerdict(() => authenticate(exchange.request), exchange);
};

/** As many messages as the SDK accepts in a list. Each costs one call of `authorize`. */
const MAX_LISTED_MESSAGES = 100;

/**
 * Checks whether the caller may send each message. Revision 2025-03-26 allows lists, and the SDK runs every call in them,
 * so a list passes only if all its messages do.
 */
const checkAuthorization: EdgeCheck = async (exchange) => {
  const { request, auth, options } = exchange;
  const authorize = options.auth?.authorize;
  if (authorize === undefined) return exchange;
  const messages = listMessages(exchangeMessage(exchange));
  if (messages === undefined) return { fault: invalid_request.fault() };
  let checked = exchange;
  for (const message of messages) {
    const outcome = await checkVerdict(() => authorize({ request, auth, message }), checked);
    if (isEdgeRefusal(outcome)) return outcome;
    checked = outcome;
  }
  return checked;
};

/** The messages of a body. Undefined for a list that is empty, too long or contains a list: no revision allows these. */
function listMessages(message: unknown): readonly unknown[] | undefined {
  if (!Array.isArray(message)) return [message];
  const isValid = message.length > 0 && message.length <= MAX_LISTED_MESSAGES && !message.some(Array.isArray);
  return isValid ? message : undefined;
}

async function checkVerdict(
  check: () => Authentication | Promise<Authentication>,
  exchange: EdgeExchange,
): Promise<EdgeExchange | EdgeRefusal> {
  let found: Authentication;
  try {
    found = await check();
  } catch (cause) {
    // Nothing has run yet, so whatever broke had no effect.
    if (!FaultError.is(cause)) return { fault: internal.fault({}, { effect: "none" }), cause, foreign: true };
    const { convertThrown } = await loadFailures();
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
function isExpired(auth: unknown, { options }: EdgeExchange): boolean {
  const expiresAt = memberAt(auth, "expiresAt");
  if (expiresAt === undefined || expiresAt === null) return false;
  return typeof expiresAt !== "number" || !(expiresAt * 1_000 > toClock(options.testing).now());
}

/** A caller without credentials is asked for those first, whatever scopes it would lack. */
function hasCredentials(found: Authentication, { request, auth }: EdgeExchange): boolean {
  return found.auth !== undefined || auth !== undefined || request.headers.has("authorization");
}

export const EDGE_CHECKS: readonly EdgeCheck[] = [
  checkHttpMethod,
  checkAuthentication,
  checkJsonType,
  readEdgeBody,
  checkEncoding,
  parseMessage,
  checkAuthorization,
];

// Where a request says it was sent, and by which page: against DNS rebinding and requests of other sites.

/** What an adapter for Node may tell in the second argument; `@hono/node-server` calls it `c.env`. */
interface NodeExtra {
  readonly incoming?: { readonly socket?: { readonly localAddress?: unknown } };
}

interface SourceRule<T> {
  readonly passes: (value: T) => boolean;
  /** What the operator reads about the first refusal. */
  readonly because: string;
}

/** Creates the check of `Host` and `Origin`. It throws if an option is not valid. */
export function createSourceCheck(options: HandlerOptions): (exchange: EdgeExchange) => EdgeExchange | EdgeRefusal {
  const hosts = hostRule(options);
  const origins = originRule(options);
  const who = options.name === undefined ? "guardHandler" : `guardHandler of "${options.name}"`;

  return (exchange) => {
    const { request } = exchange;
    const text = request.headers.get("host") ?? new URL(request.url).host;
    const host = readHost(text);
    const isLocal = isSentLocally(localAddressFor(exchange), host);
    if (hosts !== "any") {
      const rule = hosts ?? (isLocal ? LOCAL_HOSTS : undefined);
      if (host === undefined || rule?.passes(host) === false) return refuse("Host", text, rule ?? ANY_HOST);
    }
    const origin = request.headers.get("origin");
    if (origin !== null && origins !== "any") {
      const rule = origins ?? (isLocal ? LOCAL_ORIGINS : undefined);
      if (rule?.passes(origin) === false) return refuse("Origin", origin, rule);
    }
    if (!isLocal) warnOfUnset(origin);
    return exchange;
  };

  function refuse(header: string, value: string, { because }: SourceRule<never>): EdgeRefusal {
    const cause = new Error(`the ${header} “${toLine(value, 100)}” was refused: ${because}`);
    warnOnce(`${who} ${header}`, `${who}: ${cause.message}. Further refusals are not printed.`);
    return { fault: access_denied.fault(), cause };
  }

  function warnOfUnset(origin: string | null): void {
    const unset = [
      ...(hosts === undefined ? ["allowedHosts"] : []),
      ...(origins === undefined && (hosts === undefined || origin !== null) ? ["allowedOrigins"] : []),
    ];
    if (unset.length === 0) return;
    warnOnce(
      `${who} unset`,
      `${who} answers requests whatever their ${hosts === undefined ? "Host and Origin" : "Origin"}. Set ${unset.join(" and ")}, or "any" where something in front of it checks them.`,
    );
  }
}

const LOCAL_HOSTS: SourceRule<Host> = {
  passes: isLoopbackName,
  because:
    "requests to a loopback address are answered for localhost, 127.0.0.1 and [::1] only, unless allowedHosts says more",
};
const LOCAL_ORIGINS: SourceRule<string> = {
  passes: isLoopbackOrigin,
  because:
    "requests to a loopback address are answered for pages of the same machine only, unless allowedOrigins says more",
};
const ANY_HOST: SourceRule<Host> = { passes: () => true, because: "it is not a host name" };

function hostRule({ allowedHosts }: HandlerOptions): SourceRule<Host> | "any" | undefined {
  if (allowedHosts === undefined || allowedHosts === "any") return allowedHosts;
  return { passes: hostTest(allowedHosts), because: "it is not in allowedHosts" };
}

function originRule({ allowedOrigins }: HandlerOptions): SourceRule<string> | "any" | undefined {
  if (allowedOrigins === undefined || allowedOrigins === "any") return allowedOrigins;
  return { passes: originTest(allowedOrigins), because: "it is not in allowedOrigins" };
}

/** The address that a request came in at; undefined if the runtime does not say. */
function localAddressFor({ extra }: EdgeExchange): string | undefined {
  const address = (extra as NodeExtra | null | undefined)?.incoming?.socket?.localAddress;
  return typeof address === "string" ? address : undefined;
}
