/** Headers that say what to do about a failure; nothing that identifies a session or a person. */
const KEPT: ReadonlySet<string> = new Set([
  "retry-after",
  "retry-after-ms",
  "www-authenticate",
  "content-type",
  "date",
  "allow",
  "stripe-should-retry",
  "x-should-retry",
  "x-shopify-shop-api-call-limit",
  "x-request-id",
]);

const KEPT_FAMILY = /^(?:x-)?rate-?limit(?:-|$)/;

/** The longest value that is kept; a header that is longer says nothing that fits a fault. */
const LONGEST = 2_048;

/** The headers of an answer that are worth keeping, by lower-case name. */
export function keptHeaders(headers: Headers): Readonly<Record<string, string>> {
  const kept: Record<string, string> = {};
  for (const [name, value] of headers) {
    if ((KEPT.has(name) || KEPT_FAMILY.test(name)) && value.length <= LONGEST) kept[name] = value;
  }
  return kept;
}
