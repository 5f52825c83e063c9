// Replies in the forms of commerce and messaging APIs; the words are our own.
import { after, get, post, type Reply } from "../reply.ts";

const COMMERCE: readonly Reply[] = [
  post("shopify: errors by field", 422, "invalid_input", (leak) => ({ errors: { name: [leak] } })),
  post("shopify: error as text", 400, "invalid_input", (errors) => ({ errors })),
  get("shopify: bucket empty", 429, "rate_limited", (errors) => ({ errors }), {
    headers: { "retry-after": "2.0", "x-shopify-shop-api-call-limit": "40/40" },
    waitMs: 2_000,
  }),
  get("shopify: frozen", 402, "unavailable", (errors) => ({ errors })),
  get("shopify: security", 430, "forbidden", (errors) => ({ errors })),
  post("shopify: throttled graph", 200, "rate_limited", (message) => ({
    errors: [{ message, extensions: { code: "THROTTLED" } }],
  })),
  post("salesforce: required field", 400, "invalid_input", (message) => [
    { message, errorCode: "REQUIRED_FIELD_MISSING", fields: ["name"] },
  ]),
  get("salesforce: session", 401, "unavailable", (message) => [{ message, errorCode: "INVALID_SESSION_ID" }]),
  post("hubspot: conflict", 409, "conflict", (message) => ({
    status: "error",
    message,
    category: "CONFLICT",
    correlationId: message,
  })),
  get("hubspot: ten seconds", 429, "rate_limited", (message) => ({
    status: "error",
    message,
    policyName: "TEN_SECONDLY_ROLLING",
  })),
  post("square: version", 412, "conflict", (detail) => ({
    errors: [{ category: "INVALID_REQUEST_ERROR", code: "VERSION_MISMATCH", detail }],
  })),
  get("square: gone", 410, "not_found", (detail) => ({
    errors: [{ category: "INVALID_REQUEST_ERROR", code: "GONE", detail }],
  })),
];

const MESSAGING: readonly Reply[] = [
  post("slack: not in channel", 200, "precondition_failed", (leak) => ({
    ok: false,
    error: "not_in_channel",
    detail: leak,
  })),
  post(
    "slack: rate limited",
    429,
    "rate_limited",
    (leak) => ({ ok: false, error: "ratelimited", detail: leak }),
    after(3),
  ),
  get("slack: token revoked", 200, "unavailable", (leak) => ({
    ok: false,
    error: "token_revoked",
    detail: leak,
  })),
  post("twilio: number", 400, "invalid_input", (message) => ({
    code: 21211,
    message,
    more_info: "https://docs.example/21211",
    status: 400,
  })),
  post("twilio: too many", 429, "rate_limited", (message) => ({ code: 20429, message, status: 429 })),
  get("twilio: not found", 404, "not_found", (message) => ({ code: 20404, message, status: 404 })),
  post("discord: form body", 400, "invalid_input", (message) => ({
    code: 50035,
    message,
    errors: { name: { _errors: [{ code: "BASE_TYPE_REQUIRED", message }] } },
  })),
  post("discord: limited", 429, "rate_limited", (message) => ({ message, retry_after: 2, global: false }), after(2)),
  post("sendgrid: field", 400, "invalid_input", (message) => ({ errors: [{ message, field: "name", help: null }] })),
  post("mail: too large", 413, "invalid_input", (message) => ({ errors: [{ message }] })),
];

/** Commerce and messaging. */
export const BUSINESS: readonly Reply[] = [...COMMERCE, ...MESSAGING];
