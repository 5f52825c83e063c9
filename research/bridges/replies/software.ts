// Replies in the forms of frameworks and of what stands in front of them; the words are our own.
import { get, post, type Reply } from "../reply.ts";

const html = (title: string) => (leak: string) =>
  `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1><pre>${leak}</pre></body></html>`;
const HTML = { headers: { "content-type": "text/html" } };
const TEXT = { headers: { "content-type": "text/plain" } };
const PROBLEM = { headers: { "content-type": "application/problem+json" } };

const FRAMEWORKS: readonly Reply[] = [
  post("fastapi: validation", 422, "invalid_input", (msg) => ({
    detail: [{ loc: ["body", "name"], msg, type: "missing", input: msg }],
  })),
  get("fastapi: detail", 404, "not_found", (detail) => ({ detail })),
  post("spring: bad request", 400, "invalid_input", (trace) => ({
    timestamp: "2026-01-01T00:00:00Z",
    status: 400,
    error: "Bad Request",
    trace,
    path: "/things",
  })),
  get("spring: failed", 500, "upstream_failed", (trace) => ({ status: 500, error: "Internal Server Error", trace })),
  post("rails: errors", 422, "invalid_input", (leak) => ({ errors: { name: ["can't be blank", leak] } })),
  get("rails: failed", 500, "upstream_failed", html("We're sorry, but something went wrong (500)"), HTML),
  post("laravel: errors", 422, "invalid_input", (message) => ({ message, errors: { name: [message] } })),
  post("laravel: page expired", 419, "unavailable", (message) => ({ message })),
  post("django: field", 400, "invalid_input", (leak) => ({ name: [leak], non_field_errors: [leak] })),
  get("django: debug page", 500, "upstream_failed", html("OperationalError at /things"), HTML),
  post("json:api: pointer", 422, "invalid_input", (detail) => ({
    errors: [{ status: "422", source: { pointer: "/data/attributes/name" }, detail }],
  })),
  post("graphql: errors without data", 200, "upstream_failed", (message) => ({
    data: null,
    errors: [{ message, path: ["thing"] }],
  })),
  post("success: false", 200, "upstream_failed", (message) => ({
    success: false,
    message,
  })),
  post(
    "problem in a success",
    200,
    "upstream_failed",
    (detail) => ({ type: "about:blank", title: "Failed", status: 500, detail }),
    PROBLEM,
  ),
];

const PROBLEMS: readonly Reply[] = [
  post(
    "problem: pointer",
    400,
    "invalid_input",
    (detail) => ({ title: "Invalid", status: 400, detail, errors: [{ pointer: "#/name", detail }] }),
    PROBLEM,
  ),
  post(
    "problem: key reused",
    422,
    "conflict",
    (leak) => ({ title: "Idempotency-Key is already used", detail: leak }),
    PROBLEM,
  ),
  get(
    "problem: quota",
    429,
    "quota_exhausted unavailable",
    (detail) => ({
      type: "https://iana.org/assignments/http-problem-types#quota-exceeded",
      title: "Quota",
      detail,
      code: "insufficient_quota",
    }),
    PROBLEM,
  ),
  get(
    "problem: reduced capacity",
    503,
    "overloaded",
    (detail) => ({
      type: "https://iana.org/assignments/http-problem-types#temporary-reduced-capacity",
      title: "Busy",
      detail,
    }),
    {
      headers: { "content-type": "application/problem+json", "retry-after": "3" },
      waitMs: 3_000,
    },
  ),
  get("problem: rate limit fields", 429, "rate_limited", (detail) => ({ title: "Slow down", detail }), {
    headers: {
      "content-type": "application/problem+json",
      "ratelimit-policy": '"burst";q=10;w=60',
      ratelimit: '"burst";r=0;t=4',
    },
    waitMs: 4_000,
  }),
];

const FRONTS: readonly Reply[] = [
  get("nginx: bad gateway", 502, "upstream_failed", html("502 Bad Gateway"), HTML),
  post("nginx: gateway timeout", 504, "timeout", html("504 Gateway Time-out"), HTML),
  post("nginx: too large", 413, "invalid_input", html("413 Request Entity Too Large"), HTML),
  get("proxy: origin down", 521, "unavailable", html("Web server is down"), HTML),
  post("proxy: origin timed out", 524, "timeout", html("A timeout occurred"), HTML),
  get("proxy: challenge", 403, "unavailable", html("Just a moment..."), HTML),
  get("login page instead of JSON", 200, "upstream_failed", html("Sign in"), HTML),
  get("redirect to a login", 302, "unavailable", () => "", {
    headers: { location: "https://login.internal.example/?next=secret" },
  }),
  get("empty", 500, "upstream_failed", () => ""),
  get("plain text", 503, "unavailable", (leak) => leak, TEXT),
  get("maintenance, until a date", 503, "unavailable", () => ({ message: "maintenance" }), {
    headers: { date: "Sun, 15 Nov 2026 06:00:00 GMT", "retry-after": "Sun, 15 Nov 2026 06:00:02 GMT" },
    waitMs: 2_000,
  }),
  get("overloaded model", 529, "overloaded", (message) => ({
    type: "error",
    error: { type: "overloaded_error", message },
  })),
];

const SUCCESSES: readonly Reply[] = [
  get("an object", 200, "", () => ({ id: "t1", name: "lamp" })),
  get("a list", 200, "", () => [{ id: "t1" }]),
  post("created", 201, "", () => ({ id: "t1" })),
];

/** Frameworks, problem details, proxies, and a few successes. */
export const SOFTWARE: readonly Reply[] = [...FRAMEWORKS, ...PROBLEMS, ...FRONTS, ...SUCCESSES];
