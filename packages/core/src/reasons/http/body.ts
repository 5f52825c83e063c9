// Reads the body of an HTTP reply: its codes, its sentence, and whether a success reports a failure.
import {
  arrayAt,
  integerAt,
  isObject,
  type JsonObject,
  memberAt,
  numberAt,
  objectAt,
  stringAt,
} from "../../wire/json.ts";

/** Only this many errors of one body are read. */
const MAX_BODY_ERRORS = 50;

/** Converts the spellings of a code into one: `quota-exceeded`, `QUOTA_EXCEEDED`, and a URL that ends with it. */
export function normalizeCode(code: string): string {
  const name = code.length > 256 ? "" : (code.split(/[/#:]/).at(-1) ?? "");
  return name.toLowerCase().replaceAll("-", "_");
}

/** The objects that may have a code: the body, its error, and the items of its lists. */
function codeHolders(body: unknown): readonly unknown[] {
  const error = objectAt(body, "error");
  const lists = [
    arrayAt(body, "errors"),
    arrayAt(body, "details"),
    arrayAt(error, "errors"),
    arrayAt(error, "details"),
    Array.isArray(body) ? body : [],
  ];
  const items = lists.flatMap((list) => list.slice(0, MAX_BODY_ERRORS));
  return [body, error, ...items, ...items.map((item) => objectAt(item, "extensions"))];
}

const CODE_MEMBERS = ["code", "type", "reason", "error_code", "errorCode", "error"];

/** Returns every code in a body, in its original spelling. */
export function listRawCodes(body: unknown): readonly string[] {
  const codes: string[] = [];
  for (const holder of codeHolders(body).filter(isObject)) {
    for (const member of CODE_MEMBERS) {
      const code = stringAt(holder, member) ?? numberAt(holder, member)?.toString();
      if (code !== undefined) codes.push(code);
    }
  }
  return codes;
}

/** The HTTP status of each google.rpc.Code. The numbers of the codes run from 1 in this order. */
export const GOOGLE_STATUSES: Readonly<Record<string, number>> = {
  CANCELLED: 499,
  UNKNOWN: 500,
  INVALID_ARGUMENT: 400,
  DEADLINE_EXCEEDED: 504,
  NOT_FOUND: 404,
  ALREADY_EXISTS: 409,
  PERMISSION_DENIED: 403,
  RESOURCE_EXHAUSTED: 429,
  FAILED_PRECONDITION: 400,
  ABORTED: 409,
  OUT_OF_RANGE: 400,
  UNIMPLEMENTED: 501,
  INTERNAL: 500,
  UNAVAILABLE: 503,
  DATA_LOSS: 500,
  UNAUTHENTICATED: 401,
};
const GOOGLE_NAMES = Object.keys(GOOGLE_STATUSES);

/** Returns the code of a google.rpc body: `error.status`, or the number that a gateway puts beside `details`. */
export function googleName(body: unknown): string | undefined {
  const name = stringAt(objectAt(body, "error"), "status");
  if (name !== undefined) return Object.hasOwn(GOOGLE_STATUSES, name) ? name : undefined;
  const number = isObject(body) && Array.isArray(memberAt(body, "details")) ? integerAt(body, "code") : undefined;
  return number === undefined ? undefined : GOOGLE_NAMES[number - 1];
}

/** Returns the detail of that type in a google.rpc body. `DebugInfo` is not among them, because it must stay hidden. */
export function googleDetail(body: unknown, type: "RetryInfo" | "QuotaFailure" | "BadRequest"): unknown {
  const details = [...arrayAt(objectAt(body, "error"), "details"), ...arrayAt(body, "details")];
  return details.slice(0, MAX_BODY_ERRORS).find((detail) => stringAt(detail, "@type")?.endsWith(`google.rpc.${type}`));
}

export function statusByWord(table: Readonly<Record<number, string>>): Readonly<Record<string, number>> {
  const rows = Object.entries(table);
  return Object.fromEntries(rows.flatMap(([status, words]) => words.split(" ").map((word) => [word, Number(status)])));
}

/**
 * The status that a reply with this code should have had, for services that answer failures with 200: codes of Slack, of GraphQL
 * servers and of many services.
 */
const STATUS_BY_CODE = /* @__PURE__ */ statusByWord({
  400: "bad_user_input graphql_parse_failed graphql_validation_failed",
  401: "not_authed invalid_auth account_inactive token_revoked token_expired unauthenticated unauthorized",
  402: "shop_inactive",
  403: "missing_scope no_permission not_allowed_token_type access_denied ekm_access_denied restricted_action forbidden",
  404: "not_found",
  408: "request_timeout",
  409: "conflict",
  413: "msg_too_long max_cost_exceeded",
  422: "is_archived not_in_channel validation_error",
  429: "ratelimited rate_limited throttled rate_limit rate_limit_exceeded too_many_requests",
  500: "internal_error fatal_error internal_server_error",
  503: "service_unavailable",
});

const STATUS_BY_PATTERN: readonly (readonly [form: RegExp, status: number])[] = [
  [/_not_found$/, 404],
  [/^already_|_taken$|_already_exists$/, 409],
  [/^(?:invalid|missing|no|bad)_|_required$/, 400],
  [/^(?:not_allowed|cant|cannot|not_authorized)/, 403],
];

/** Returns the status that the codes of a failed body mean. Sentences do not count as codes. */
export function statusOfCodes(codes: Iterable<string>): number | undefined {
  const names = [...codes].filter((code) => /^[a-z0-9_.]{1,64}$/.test(code));
  for (const code of names) {
    if (Object.hasOwn(STATUS_BY_CODE, code)) return STATUS_BY_CODE[code];
    if (/^[45]\d\d$/.test(code)) return Number(code);
  }
  for (const code of names) {
    const known = STATUS_BY_PATTERN.find(([form]) => form.test(code));
    if (known !== undefined) return known[1];
  }
  return undefined;
}

/** The members that hold a sentence, the most useful first. */
const SENTENCE_MEMBERS = [
  "detail",
  "error_description",
  "message",
  "error_message",
  "errorMessage",
  "description",
  "title",
];

/** Returns the sentence of the service, wherever its body has it. */
export function bodySentence(body: unknown): string | undefined {
  const holders = [
    body,
    objectAt(body, "error"),
    arrayAt(body, "errors")[0],
    Array.isArray(body) ? body[0] : undefined,
  ];
  for (const holder of holders) {
    const found = SENTENCE_MEMBERS.map((member) => stringAt(holder, member)).find(
      (text) => text !== undefined && text !== "",
    );
    if (found !== undefined) return found;
  }
  const alone = memberAt(body, "error") ?? memberAt(body, "errors");
  return typeof alone === "string" ? alone : undefined;
}

/** Checks the title of a problem. Some specifications define titles instead of codes. */
export function hasTitle(body: unknown, title: string): boolean {
  return stringAt(body, "title")?.toLowerCase() === title.toLowerCase();
}

/** Checks whether the body of a success reports a failure, as in Slack, GraphQL without data, and others. */
export function reportsFailure(body: unknown): boolean {
  if (!isObject(body)) return false;
  if (memberAt(body, "ok") === false && typeof memberAt(body, "error") === "string") return true;
  if (memberAt(body, "success") === false) return true;
  return arrayAt(body, "errors").length > 0 && hasNoData(body);
}

const GRAPHQL_MEMBERS = ["data", "errors", "extensions"];

/** GraphQL: there is no data, or every member is null. */
function hasNoData(body: JsonObject): boolean {
  if (!Object.keys(body).every((key) => GRAPHQL_MEMBERS.includes(key))) return false;
  const data = memberAt(body, "data") ?? {};
  return isObject(data) && Object.values(data).every((value) => value === null);
}
