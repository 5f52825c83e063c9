/** Headers of the connection, of credentials and of the bridge itself. */
const RESERVED_HEADERS = new Set([
  "accept",
  "accept-charset",
  "accept-encoding",
  "authorization",
  "connection",
  "cookie",
  "cookie2",
  "date",
  "expect",
  "forwarded",
  "host",
  "http2-settings",
  "idempotency-key",
  "keep-alive",
  "origin",
  "referer",
  "set-cookie",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "via",
  // These replace the method of the request.
  "x-http-method",
  "x-http-method-override",
  "x-method-override",
  "x-idempotency-key",
  "x-real-ip",
]);
const RESERVED_PREFIXES = ["access-control-", "content-", "proxy-", "sec-", "x-forwarded-"];

/** Headers for an idempotency key. */
const IDEMPOTENCY_HEADERS = new Set(["idempotency-key", "x-idempotency-key"]);

/** Whether a header must not be an argument, because callers must not choose its value. */
export function isReservedHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return RESERVED_HEADERS.has(lower) || RESERVED_PREFIXES.some((prefix) => lower.startsWith(prefix));
}

/** Whether a header is for an idempotency key. */
export function isIdempotencyHeader(name: string): boolean {
  return IDEMPOTENCY_HEADERS.has(name.toLowerCase());
}

/** Whether a text can be the name of a header. */
export function isHeaderName(name: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]{1,128}$/.test(name);
}

/** Whether a text can be the name of a cookie unescaped. */
export function isCookieName(name: string): boolean {
  return /^[\w.~-]{1,128}$/.test(name);
}
