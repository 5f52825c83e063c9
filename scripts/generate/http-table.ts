import { WAIT_READERS } from "../../packages/core/src/reasons/http/rate-limits.ts";
import {
  type ConditionName,
  HTTP_RULES,
  type HttpRule,
  STATUS_OVERRIDES,
  type StatusSet,
} from "../../packages/core/src/reasons/http/table.ts";
import { code, codeLink, GENERATED, page, table } from "./markdown.ts";

/** What each condition means, for readers. */
const CONDITION_LABELS = {
  own: "own credential",
  failedBody: "the body reports a failure",
  truncated: "the body is too long to read",
  notJson: "JSON is expected and the body is not JSON",
  rate: "a code such as `rate_limit`",
  quota: "the quota is used up",
  abnormal: "problem `abnormal-usage-detected`",
  reduced: "a code such as `temporary-reduced-capacity`, `overloaded_error`",
  card: "a code such as `card_error`",
  noneLeft: "`X-RateLimit-Remaining: 0`",
  waits: "the reply names a wait",
  secondary: "the text says `secondary rate`",
  oauth: "OAuth `invalid_grant`, `invalid_client`",
  denied: "AWS `AccessDenied…`",
  credential: "`ExpiredToken…`, `InvalidToken…`, `…Signature…`, `InvalidAccessKeyId`, `API_KEY_INVALID`",
  scope: "`insufficient_scope`",
  lock: "code `lock_timeout`",
  keyInUse: "the key is in use",
  keyReused: "the key was used for another request",
  keyMissing: "the key is missing",
  precondition: "`FAILED_PRECONDITION`",
  range: "`OUT_OF_RANGE`",
  aborted: "`ABORTED`",
  cancelled: "`CANCELLED`",
  fields: "field errors",
  noPathParams: "the URL has no identifier",
  unprocessed: "the service promises that it was not processed",
} as const satisfies Record<ConditionName, string>;

/** The page about HTTP replies, made from the table that the decoder reads. */
export function httpTable(): string {
  return page([
    GENERATED,
    "# The HTTP table",
    "This table shows which fault the `http` dialect makes of each HTTP reply. The first matching row applies; a success that matches no row stays a success. *And* is a " +
      "condition in addition to the status. *Own credential* means that the credential belongs to the server, not to its caller.",
    table(
      ["Status", "And", "Reason", "Kind", "Effect", "First move", "First move if a retry is safe"],
      HTTP_RULES.map(ruleCells),
    ),
    "A retry is safe if the request only reads, its method is idempotent, or it was sent with an idempotency key. " +
      "The bridge also knows which operations only read: their effect is always `none`, whatever the reply.",
    "## Replies that are treated as another status",
    "The dialect checks these rows before the table. Two codes also replace the status: a google.rpc code in the body, and a code in the body of a success that reports a " +
      "failure.",
    table(
      ["Status", "And", "Treated as"],
      STATUS_OVERRIDES.map(({ status, when, as, guess }) => [
        statuses(status),
        conditions(when),
        guess === true ? `${as}, a guess` : String(as),
      ]),
    ),
    "## Where the wait comes from",
    "The dialect uses the first place that names a wait. If the wait is longer than 24 hours, the call is not repeated.",
    WAIT_READERS.map(({ label }, index) => `${index + 1}. ${label}`).join("\n"),
  ]);
}

function ruleCells(rule: HttpRule): string[] {
  const { id, kind } = rule.reason;
  const details = { ...rule.details, ...(rule.effect !== undefined && { effect: rule.effect }) };
  const usual = rule.reason.fault({}, details);
  const harmless = rule.reason.fault({}, { ...details, repeatable: true });
  return [
    statuses(rule.status),
    conditions(rule.when),
    codeLink(id, `errors/${id}.md`),
    codeLink(kind, `errors/by-kind.md#${kind}`),
    usual.effect,
    code(usual.recourse[0].do),
    harmless.recourse[0].do === usual.recourse[0].do ? "" : code(harmless.recourse[0].do),
  ];
}

const RANGE_NAMES: Readonly<Record<string, string>> = { 200: "2xx", 300: "other 3xx", 400: "other 4xx" };

function statuses(set: StatusSet): string {
  const [first] = set;
  return typeof first === "object" ? (RANGE_NAMES[first[0]] ?? "all others") : set.join(", ");
}

function conditions(names: readonly ConditionName[] = []): string {
  return names.map((name) => CONDITION_LABELS[name]).join("; ");
}
