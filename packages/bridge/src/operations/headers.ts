/** Headers that belong to the connection, to a credential or to the bridge itself. */
const OWN = new Set([
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
  // These turn a harmless method into another.
  "x-http-method",
  "x-http-method-override",
  "x-method-override",
  "x-idempotency-key",
  "x-real-ip",
]);
const OWN_PREFIXES = ["access-control-", "content-", "proxy-", "sec-", "x-forwarded-"];

/** Headers that take an idempotency key. */
const KEYS = new Set(["idempotency-key", "x-idempotency-key"]);

/** Whether a header may not be an argument: what it says is not a caller's to choose. */
export function isOwnHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return OWN.has(lower) || OWN_PREFIXES.some((prefix) => lower.startsWith(prefix));
}

/** Whether a header takes an idempotency key. */
export function isKeyHeader(name: string): boolean {
  return KEYS.has(name.toLowerCase());
}

/** Whether a text can be the name of a header. */
export function isHeaderName(name: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]{1,128}$/.test(name);
}

/** Whether a text can be the name of a cookie without any escape. */
export function isCookieName(name: string): boolean {
  return /^[\w.~-]{1,128}$/.test(name);
}
