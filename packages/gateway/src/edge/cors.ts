// What pages of other origins need to know before they may call, and before they may read an answer (CORS).

import { isLoopbackOrigin, isSentLocally, readHost } from "@recourse/core/wire";
import type { RequestHead } from "../call/head.ts";
import type { GatewayConfig } from "../config/types.ts";

/** The headers of answers that pages may read: each of them says what to do next. */
const EXPOSED_HEADERS = [
  "mcp-session-id",
  "mcp-protocol-version",
  "www-authenticate",
  "retry-after",
  "ratelimit",
  "ratelimit-policy",
].join(", ");

/** The headers that pages may send. None of them can be left to a wild card: that would not include `authorization`. */
const ALLOWED_HEADERS = /* @__PURE__ */ (
  "authorization content-type accept x-api-key mcp-protocol-version mcp-session-id mcp-method mcp-name " +
  "last-event-id traceparent tracestate baggage"
).split(" ");

/** Headers that repeat arguments of a tool; their names are those of the arguments, so nobody can list them. */
const PARAM_HEADER = /^mcp-param-[a-z0-9!#$%&'*+.^_`|~-]{1,128}$/;
const MAX_PARAM_HEADERS = 100;

/** How long a browser may keep the answer to a preflight. Chromium keeps none longer. */
const PREFLIGHT_MAX_AGE_S = 7_200;

/** A page that a server answers, and the server's settings for pages. */
export interface CallingPage {
  /** The value of `Origin`, after the server has found that it serves this origin. */
  readonly origin: string;
  /** The origins that the operator has listed; undefined if nothing was said. */
  readonly allowed: readonly string[] | "any" | undefined;
  readonly isLocal: boolean;
}

/**
 * What `Access-Control-Allow-Origin` says to a page that is served: its origin, or `*` if every page is allowed. Undefined
 * if no pages are allowed: their requests may pass, but browsers keep the answers from them.
 */
export function allowedOriginFor({ origin, allowed, isLocal }: CallingPage): string | undefined {
  if (allowed === "any") return "*";
  if (allowed !== undefined) return origin;
  return isLocal && isLoopbackOrigin(origin) ? origin : undefined;
}

/** The headers by which a page may read an answer. `Vary` has to be added to what is there already. */
export function pageHeaders(allowedOrigin: string): Readonly<Record<string, string>> {
  return {
    "access-control-allow-origin": allowedOrigin,
    "access-control-expose-headers": EXPOSED_HEADERS,
    ...(allowedOrigin !== "*" && { vary: "origin" }),
  };
}

interface AskingRequest {
  readonly method: string;
  header(name: string): string | null | undefined;
}

export function isPreflight(request: AskingRequest): boolean {
  return (
    request.method === "OPTIONS" &&
    typeof request.header("origin") === "string" &&
    typeof request.header("access-control-request-method") === "string"
  );
}

export function preflightHeaders(
  request: AskingRequest,
  { allowedOrigin, methods }: { readonly allowedOrigin: string; readonly methods: readonly string[] },
): Readonly<Record<string, string>> {
  const asked = (request.header("access-control-request-headers") ?? "").toLowerCase().split(",", 1_000);
  const params = new Set(asked.map((name) => name.trim()).filter((name) => PARAM_HEADER.test(name)));
  // A page in the Internet reaches into a private network only if it was named: `any` names nobody.
  const isNamed = allowedOrigin !== "*" && request.header("access-control-request-private-network") === "true";
  return {
    "access-control-allow-methods": methods.join(", "),
    "access-control-allow-headers": [...ALLOWED_HEADERS, ...[...params].slice(0, MAX_PARAM_HEADERS)].join(", "),
    "access-control-max-age": String(PREFLIGHT_MAX_AGE_S),
    ...(isNamed && { "access-control-allow-private-network": "true" }),
  };
}

export const ENDPOINT_METHODS: readonly string[] = ["POST", "GET", "DELETE"];

/**
 * Makes the rule which page may read an answer, for requests whose `Origin` is served: what
 * `Access-Control-Allow-Origin` says; undefined if it says nothing.
 */
export function createPageFinder({
  origins,
}: Pick<GatewayConfig, "origins">): (head: RequestHead) => string | undefined {
  return (head) => {
    const origin = head.header("origin");
    if (origin === undefined) return undefined;
    return allowedOriginFor({
      origin,
      allowed: origins,
      isLocal: isSentLocally(head.localAddress, readHost(head.header("host") ?? "")),
    });
  };
}
