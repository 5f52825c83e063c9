import { readRequestId } from "../../fault/clean.ts";
import type { Issue } from "../../fault/fault.ts";
import type { SecretFilter } from "../../safety/secrets.ts";
import type { FilterOptions } from "../../safety/show-line.ts";
import {
  booleanAt,
  integerAt,
  isObject,
  type JsonObject,
  memberAt,
  objectAt,
  parseJson,
  stringAt,
} from "../../wire/json.ts";
import { googleName, listRawCodes, normalizeCode } from "./body.ts";
import { parseHttpDate } from "./header-values.ts";
import { issuesInBody } from "./issues.ts";
import { type ReplySource, type StatedWait, statedWait } from "./rate-limits.ts";

export interface HttpReplyContext extends FilterOptions {
  /** Method of the HTTP request. An idempotent request may be repeated. @default none: not idempotent */
  readonly httpMethod?: string | undefined;
  /** Whether an idempotency key was sent, so that the request may be repeated. @default false */
  readonly keyed?: boolean | undefined;
  /** Time of the reply in ms since 1970, for dates in headers. A `Date` header wins. @default none: ignores dates */
  readonly now?: number | undefined;
  /** Whether the URL contains an identifier. With `false`, a 404 means that the operation is missing. @default true */
  readonly hasPathParams?: boolean | undefined;
  /** Whose credential was sent. With `own`, a refusal is not the caller's problem. @default "caller" */
  readonly credential?: "own" | "caller" | undefined;
  /** Codes of the service that may be shown. @default none */
  readonly declared?: readonly string[] | undefined;
  /** Whether the sentence of the service is quoted, after filtering, or hidden. @default "hide" */
  readonly text?: "hide" | "quote" | undefined;
  /** Format that a success must have. @default none: every success passes */
  readonly expects?: "json" | undefined;
  /** Whether the body was cut because it was too long. @default false */
  readonly truncated?: boolean | undefined;
  /**
   * Whether the service is yours and uses Recourse, so that a fault in its replies is taken over whole. Of any other, a fault is
   * believed as far as kind and wait, and its effect can only make matters worse.
   * @default false
   */
  readonly speaksFaults?: boolean | undefined;
  /** Whether the service promises that a request it answers with 503 was not processed. @default false */
  readonly unprocessed503?: boolean | undefined;
}

export interface OpenedReply extends ReplySource {
  readonly form: "empty" | "json" | "html" | "text";
  /** Codes in the spelling of the body. */
  readonly rawCodes: readonly string[];
  /** The same codes in one spelling. */
  readonly codes: ReadonlySet<string>;
  readonly google: string | undefined;
  readonly issues: readonly Issue[];
  readonly wait: StatedWait | undefined;
  readonly context: HttpReplyContext;
}

/** Opens `{ status, headers, body }`, or a problem document alone; undefined for every other value. */
export function openHttpReply(wire: unknown, context: HttpReplyContext): OpenedReply | undefined {
  const status = integerAt(wire, "status");
  if (status === undefined || !isObject(wire)) return undefined;
  const isReply = "headers" in wire || "body" in wire || Object.keys(wire).length === 1;
  const isProblem = stringAt(wire, "type") !== undefined || stringAt(wire, "title") !== undefined;
  if (!(isReply || isProblem)) return undefined;
  const headers = headerMap(isReply ? objectAt(wire, "headers") : undefined);
  const header = (name: string) => headers.get(name)?.[0];
  const list = (name: string) => headers.get(name)?.join(", ");
  const parsed = parseBody(isReply ? memberAt(wire, "body") : wire, header("content-type"));
  const now = parseHttpDate(header("date")) ?? context.now;
  const source = { status, header, list, now, ...parsed };
  const { body } = parsed;
  const failed = status >= 400;
  const rawCodes = listRawCodes(body);
  let issues: readonly Issue[] | undefined;
  return {
    ...source,
    rawCodes,
    codes: new Set(rawCodes.map(normalizeCode)),
    google: failed ? googleName(body) : undefined,
    // Few rules ask for them, and a body has many places for them.
    get issues() {
      issues ??= failed || booleanAt(body, "success") === false ? issuesInBody(body) : [];
      return issues;
    },
    wait: statedWait(source),
    context,
  };
}

/** Headers by their names in lower case. Of two names that differ only in case, the first counts. */
function headerMap(headers: JsonObject | undefined): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const [name, value] of Object.entries(headers ?? {})) {
    const values = (Array.isArray(value) ? value : [value]).filter((one) => ["string", "number"].includes(typeof one));
    const key = name.toLowerCase();
    if (values.length > 0 && !found.has(key)) found.set(key, values.map(String));
  }
  return found;
}

const HTML_START = /^<(?:!doctype|html|head|body|\?xml)/i;

function parseBody(body: unknown, type = ""): Pick<OpenedReply, "body" | "form"> {
  if (body === undefined || body === null || body === "") return { body: undefined, form: "empty" };
  if (typeof body !== "string") return { body, form: "json" };
  if (HTML_START.test(body.slice(0, 4_096).trimStart())) return { body, form: "html" };
  const parsed = parseJson(body);
  if (parsed !== undefined) return { body: parsed, form: "json" };
  return { body, form: /html/i.test(type.slice(0, 128)) ? "html" : "text" };
}

/** Headers in which services and proxies name the request, those of the service itself first. */
export const REQUEST_ID_HEADERS: readonly string[] = [
  "x-request-id",
  "request-id",
  "x-correlation-id",
  "x-amzn-requestid",
  "x-amz-request-id",
  "x-ms-request-id",
  "x-github-request-id",
  "x-trace-id",
  "cf-ray",
];

/** The id of the request in a reply: in a header, in the body, or the trace that it belongs to. */
export function findRequestId(reply: ReplySource, secrets: SecretFilter | undefined): string | undefined {
  const { header, body } = reply;
  const found = [
    ...REQUEST_ID_HEADERS.map(header),
    ...[body, objectAt(body, "error")].map((one) => stringAt(one, "request_id")),
    header("traceparent")?.slice(3, 35),
  ];
  return found.find((value) => readRequestId(value, secrets) !== undefined);
}
