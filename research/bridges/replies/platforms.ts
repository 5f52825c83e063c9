// Replies in the forms of payment, code-hosting and cloud APIs; the words are our own.
import { after, get, post, type Reply } from "../reply.ts";

const XML = { headers: { "content-type": "application/xml" } };
const google =
  (code: number, status: string, details: object[] = []) =>
  (leak: string) => ({
    error: { code, message: leak, status, details },
  });
const retryInfo = { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "3s" };
const stripe =
  (type: string, more: object = {}) =>
  (leak: string) => ({ error: { type, message: leak, ...more } });
const kubernetes = (code: number, reason: string, details?: object) => (leak: string) => ({
  kind: "Status",
  apiVersion: "v1",
  status: "Failure",
  message: leak,
  reason,
  code,
  details,
});

const PAYMENTS: readonly Reply[] = [
  post("stripe: parameter missing", 400, "invalid_input", stripe("invalid_request_error", { param: "name" })),
  post("stripe: rate limit as 400", 400, "rate_limited", stripe("invalid_request_error", { code: "rate_limit" })),
  post("stripe: key refused", 401, "unavailable", stripe("invalid_request_error")),
  post("stripe: card declined", 402, "precondition_failed", stripe("card_error", { code: "card_declined" })),
  post("stripe: key in use", 409, "conflict", stripe("idempotency_error", { code: "idempotency_key_in_use" })),
  post("stripe: lock timeout", 429, "overloaded", stripe("invalid_request_error", { code: "lock_timeout" })),
  post("stripe: too many", 429, "rate_limited", stripe("api_error", { code: "rate_limit" }), after(2)),
  post("stripe: failed", 500, "upstream_failed", stripe("api_error")),
  get("stripe: no such object", 404, "not_found", stripe("invalid_request_error", { code: "resource_missing" })),
];

const CODE_HOSTING: readonly Reply[] = [
  get("github: bad credentials", 401, "unavailable", (message) => ({
    message,
    documentation_url: "https://docs.example",
  })),
  get("github: forbidden", 403, "unavailable", (message) => ({ message })),
  get("github: primary limit as 403", 403, "rate_limited", (message) => ({ message }), {
    headers: { "x-ratelimit-limit": "60", "x-ratelimit-remaining": "0", "retry-after": "3" },
    waitMs: 3_000,
  }),
  get(
    "github: secondary limit",
    403,
    "rate_limited",
    (leak) => ({ message: `You hit a secondary rate limit. ${leak}` }),
    {
      waitMs: 60_000,
    },
  ),
  get("github: hidden", 404, "not_found", (message) => ({ message })),
  post("github: validation", 422, "invalid_input", (message) => ({
    message,
    errors: [{ resource: "Thing", field: "name", code: "missing_field" }],
  })),
  post("github: not mergeable", 405, "unsupported", (message) => ({ message })),
  post("github: changed meanwhile", 409, "conflict", (message) => ({ message })),
  get("github: legal", 451, "forbidden", (message) => ({ message, block: { reason: "dmca" } })),
  get("github: down", 503, "unavailable", (message) => ({ message })),
  post("gitlab: errors by field", 400, "invalid_input", (leak) => ({ message: { name: [leak] } })),
  get("gitlab: limit", 429, "rate_limited", (leak) => `Retry later ${leak}`, {
    headers: { "content-type": "text/plain", "ratelimit-remaining": "0", "ratelimit-reset": "4", "retry-after": "4" },
    waitMs: 4_000,
  }),
];

const CLOUD: readonly Reply[] = [
  post("google: invalid argument", 400, "invalid_input", google(400, "INVALID_ARGUMENT")),
  post("google: failed precondition", 400, "precondition_failed", google(400, "FAILED_PRECONDITION")),
  post("google: out of range", 400, "invalid_input", google(400, "OUT_OF_RANGE")),
  get("google: unauthenticated", 401, "unavailable", google(401, "UNAUTHENTICATED")),
  get("google: permission denied", 403, "unavailable", google(403, "PERMISSION_DENIED")),
  post("google: exists", 409, "conflict", google(409, "ALREADY_EXISTS")),
  post("google: aborted", 409, "conflict", google(409, "ABORTED")),
  get("google: exhausted", 429, "rate_limited", google(429, "RESOURCE_EXHAUSTED", [retryInfo]), { waitMs: 3_000 }),
  get("google: unavailable", 503, "unavailable", google(503, "UNAVAILABLE")),
  post("google: deadline", 504, "timeout", google(504, "DEADLINE_EXCEEDED")),
  post("google: unimplemented", 501, "unsupported", google(501, "UNIMPLEMENTED")),
  post("aws: validation", 400, "invalid_input", (message) => ({ __type: "ValidationException", message })),
  get("aws: throttled", 429, "rate_limited", (message) => ({ __type: "ThrottlingException", message })),
  get("aws: no such key", 404, "not_found", (leak) => `<Error><Code>NoSuchKey</Code><Key>${leak}</Key></Error>`, XML),
  get(
    "aws: slow down",
    503,
    "unavailable overloaded",
    (leak) => `<Error><Code>SlowDown</Code><Host>${leak}</Host></Error>`,
    XML,
  ),
  post("azure: conflict", 409, "conflict", (message) => ({
    error: { code: "Conflict", message, innererror: message },
  })),
  get("azure: too many", 429, "rate_limited", (message) => ({ error: { code: "TooManyRequests", message } }), after(4)),
  post("azure: locked", 423, "precondition_failed", (message) => ({ error: { code: "ScopeLocked", message } })),
  get("kubernetes: not found", 404, "not_found", kubernetes(404, "NotFound")),
  post("kubernetes: invalid", 422, "invalid_input", kubernetes(422, "Invalid", { causes: [{ field: "name" }] })),
  post("kubernetes: conflict", 409, "conflict", kubernetes(409, "Conflict")),
  get("kubernetes: forbidden", 403, "unavailable", kubernetes(403, "Forbidden")),
  get(
    "kubernetes: too many",
    429,
    "rate_limited",
    kubernetes(429, "TooManyRequests", { retryAfterSeconds: 2 }),
    after(2),
  ),
];

/** Payments, code hosting and clouds. */
export const PLATFORMS: readonly Reply[] = [...PAYMENTS, ...CODE_HOSTING, ...CLOUD];
