import { arrayAt, integerAt, isJson, memberAt, numberAt, objectAt, stringAt } from "../wire.ts";

/** How many errors of one body are looked at. */
const MOST_ERRORS = 50;

/** One spelling for the many that services use: `quota-exceeded`, `QUOTA_EXCEEDED` and an address that ends in it. */
export function spelled(code: string): string {
  const name = code.length > 256 ? "" : (code.split(/[/#:]/).at(-1) ?? "");
  return name.toLowerCase().replaceAll("-", "_");
}

/** The objects of a body that may hold a code: itself, its error, and the items of its lists. */
function holders(body: unknown): readonly unknown[] {
  const error = objectAt(body, "error");
  const lists = [
    arrayAt(body, "errors"),
    arrayAt(body, "details"),
    arrayAt(error, "errors"),
    arrayAt(error, "details"),
    Array.isArray(body) ? body : [],
  ];
  const items = lists.flatMap((list) => list.slice(0, MOST_ERRORS));
  return [body, error, ...items, ...items.map((item) => objectAt(item, "extensions"))];
}

const MEMBERS = ["code", "type", "reason", "error_code", "errorCode", "error"];

/** Every code in a body, as it is written there. */
export function rawCodesOf(body: unknown): readonly string[] {
  return holders(body)
    .flatMap((holder) => MEMBERS.map((member) => stringAt(holder, member) ?? numberAt(holder, member)?.toString()))
    .filter((code) => code !== undefined);
}

/** The statuses of google.rpc.Code; a body that names one says more than the status of the reply. */
export const GOOGLE: Readonly<Record<string, number>> = {
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
const GOOGLE_NAMES = Object.keys(GOOGLE);

/** The name of a google.rpc body: `{ error: { status } }`, or the number that a gateway puts beside `details`. */
export function googleName(body: unknown): string | undefined {
  const name = stringAt(objectAt(body, "error"), "status");
  if (name !== undefined) return Object.hasOwn(GOOGLE, name) ? name : undefined;
  const number = isJson(body) && Array.isArray(memberAt(body, "details")) ? integerAt(body, "code") : undefined;
  // The numbers run from 1 in the order of the table.
  return number === undefined ? undefined : GOOGLE_NAMES[number - 1];
}

/** The details of a google.rpc body whose type is the one given; debugging information is never asked for. */
export function googleDetail(body: unknown, type: "RetryInfo" | "QuotaFailure" | "BadRequest"): unknown {
  const details = [...arrayAt(objectAt(body, "error"), "details"), ...arrayAt(body, "details")];
  return details.slice(0, MOST_ERRORS).find((detail) => stringAt(detail, "@type")?.endsWith(`google.rpc.${type}`));
}

/** What the codes in the body of a success mean, as the status that the reply should have had. */
const STATUS_OF: Readonly<Record<string, number>> = {
  // Slack
  not_authed: 401,
  invalid_auth: 401,
  account_inactive: 401,
  token_revoked: 401,
  token_expired: 401,
  missing_scope: 403,
  no_permission: 403,
  not_allowed_token_type: 403,
  access_denied: 403,
  ekm_access_denied: 403,
  restricted_action: 403,
  is_archived: 422,
  not_in_channel: 422,
  msg_too_long: 413,
  ratelimited: 429,
  rate_limited: 429,
  request_timeout: 408,
  internal_error: 500,
  fatal_error: 500,
  service_unavailable: 503,
  // GraphQL servers
  throttled: 429,
  unauthenticated: 401,
  forbidden: 403,
  bad_user_input: 400,
  graphql_parse_failed: 400,
  graphql_validation_failed: 400,
  internal_server_error: 500,
  shop_inactive: 402,
  max_cost_exceeded: 413,
  // Names that many use
  unauthorized: 401,
  not_found: 404,
  conflict: 409,
  validation_error: 422,
  rate_limit: 429,
  rate_limit_exceeded: 429,
  too_many_requests: 429,
};

const ENDINGS: readonly (readonly [form: RegExp, status: number])[] = [
  [/_not_found$/, 404],
  [/^already_|_taken$|_already_exists$/, 409],
  [/^(?:invalid|missing|no|bad)_|_required$/, 400],
  [/^(?:not_allowed|cant|cannot|not_authorized)/, 403],
];

/** The status that the codes of a failed body stand for; sentences are no codes. */
export function statusOfCodes(codes: Iterable<string>): number | undefined {
  const names = [...codes].filter((code) => /^[a-z0-9_.]{1,64}$/.test(code));
  for (const code of names) {
    if (Object.hasOwn(STATUS_OF, code)) return STATUS_OF[code];
    if (/^[45]\d\d$/.test(code)) return Number(code);
  }
  for (const code of names) {
    const known = ENDINGS.find(([form]) => form.test(code));
    if (known !== undefined) return known[1];
  }
  return undefined;
}
