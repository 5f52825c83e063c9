import { expect, test } from "vitest";
import { headWith } from "../../test/support/head.ts";
import { allowedOriginFor, createPageFinder, isPreflight, pageHeaders, preflightHeaders } from "./cors.ts";

const PAGE = "https://app.example";
const ask = (headers: Readonly<Record<string, string>> = {}, method = "OPTIONS") => ({
  method,
  header: (name: string) => ({ origin: PAGE, "access-control-request-method": "POST", ...headers })[name],
});

test("pages that were listed get their own origin, and every page a star where any is allowed", () => {
  expect(allowedOriginFor({ origin: PAGE, allowed: [PAGE], isLocal: false })).toBe(PAGE);
  expect(allowedOriginFor({ origin: "null", allowed: ["null"], isLocal: false })).toBe("null");
  expect(allowedOriginFor({ origin: PAGE, allowed: "any", isLocal: true })).toBe("*");
});

test("where nothing was said, only pages of the same machine may read answers, and only those that stay on it", () => {
  const unset = { allowed: undefined };
  expect(allowedOriginFor({ ...unset, origin: "http://localhost:5173", isLocal: true })).toBe("http://localhost:5173");
  expect(allowedOriginFor({ ...unset, origin: "http://localhost:5173", isLocal: false })).toBeUndefined();
  expect(allowedOriginFor({ ...unset, origin: PAGE, isLocal: true })).toBeUndefined();
  expect(allowedOriginFor({ ...unset, origin: PAGE, isLocal: false })).toBeUndefined();
});

test("answers for one page are not for another one, unless they are for all", () => {
  expect(pageHeaders(PAGE)).toEqual({
    "access-control-allow-origin": PAGE,
    "access-control-expose-headers":
      "mcp-session-id, mcp-protocol-version, www-authenticate, retry-after, ratelimit, ratelimit-policy",
    vary: "origin",
  });
  expect(pageHeaders("*")).not.toHaveProperty("vary");
});

test("a preflight is an OPTIONS request of a page that says what it wants to send", () => {
  expect(isPreflight(ask())).toBe(true);
  expect(isPreflight(ask({}, "POST"))).toBe(false);
  expect(isPreflight({ method: "OPTIONS", header: () => undefined })).toBe(false);
  expect(isPreflight({ method: "OPTIONS", header: (name) => (name === "origin" ? PAGE : null) })).toBe(false);
});

test("a page may send the headers of the protocol, and those that repeat arguments by any name", () => {
  const asked = "Authorization, mcp-param-Region, x-evil, mcp-param-, mcp-param-a b, cookie, mcp-param-region";
  const headers = preflightHeaders(ask({ "access-control-request-headers": asked }), {
    allowedOrigin: PAGE,
    methods: ["POST", "GET"],
  });
  expect(headers).toEqual({
    "access-control-allow-methods": "POST, GET",
    "access-control-allow-headers":
      "authorization, content-type, accept, x-api-key, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name, last-event-id, traceparent, tracestate, baggage, mcp-param-region",
    "access-control-max-age": "7200",
  });
});

test("a request for thousands of headers makes no answer of any length", () => {
  const asked = Array.from({ length: 5_000 }, (_, at) => `mcp-param-${at}`).join();
  const allowed = preflightHeaders(ask({ "access-control-request-headers": asked }), {
    allowedOrigin: "*",
    methods: [],
  });
  expect(allowed["access-control-allow-headers"]?.split("mcp-param-")).toHaveLength(101);
});

test("a page reaches into a private network only where it was named", () => {
  const request = ask({ "access-control-request-private-network": "true" });
  const name = "access-control-allow-private-network";
  expect(preflightHeaders(request, { allowedOrigin: PAGE, methods: [] })[name]).toBe("true");
  expect(preflightHeaders(request, { allowedOrigin: "*", methods: [] })).not.toHaveProperty(name);
  expect(preflightHeaders(ask(), { allowedOrigin: PAGE, methods: [] })).not.toHaveProperty(name);
});

test("credentials of the browser, such as cookies, are never allowed", () => {
  const all = { ...pageHeaders(PAGE), ...preflightHeaders(ask(), { allowedOrigin: PAGE, methods: ["POST"] }) };
  expect(Object.keys(all).join()).not.toContain("credentials");
});

const LOCAL_PAGE = "http://localhost:5173";
const PUBLIC_PAGE = "https://app.example.com";

/** What a page may read that calls a gateway by a name, at the address where the connection came in. */
function found(origin: string, at: { readonly host: string; readonly address: string }, origins?: string[] | "any") {
  const head = { ...headWith({ origin, host: at.host }), localAddress: at.address };
  return createPageFinder({ origins })(head);
}

const ON_MACHINE = { host: "127.0.0.1:8080", address: "127.0.0.1" };
const IN_NETWORK = { host: "mcp.example.com", address: "10.0.0.5" };

test("where nothing was said, no page may read what a gateway in a network answers, not even one of the visitor's machine", () => {
  expect(found(LOCAL_PAGE, IN_NETWORK)).toBeUndefined();
  expect(found(PUBLIC_PAGE, IN_NETWORK)).toBeUndefined();
  expect(found(LOCAL_PAGE, ON_MACHINE)).toBe(LOCAL_PAGE);
  expect(found(PUBLIC_PAGE, ON_MACHINE)).toBeUndefined();
});

test("what the file says counts everywhere", () => {
  for (const place of [ON_MACHINE, IN_NETWORK]) {
    expect(found(PUBLIC_PAGE, place, [PUBLIC_PAGE])).toBe(PUBLIC_PAGE);
    expect(found(PUBLIC_PAGE, place, "any")).toBe("*");
  }
});

test("without Origin there is no page", () => {
  expect(createPageFinder({ origins: "any" })(headWith({ host: "127.0.0.1" }))).toBeUndefined();
});
