import {
  type AnyReason,
  amendFault,
  type Fault,
  type FilterOptions,
  type ReasonOptions,
  type SecretFilter,
  stampFault,
} from "@recourse/core";
import { http } from "@recourse/core/dialects";
import { RELEASED, REQUEST_ID_HEADERS } from "@recourse/core/proxy";
import { core, rest, transport } from "@recourse/core/reasons";
import { installTextFilter, readCallerTexts } from "@recourse/core/safety";
import { memberAt, objectAt } from "@recourse/core/wire";
import {
  type BodyError,
  type ExchangeFailure,
  type FailureCode,
  firstHeader,
  type HttpReply,
} from "../network/exchange.ts";
import { mediaTypeEssence } from "../operations/headers.ts";
import type { Operation, ResponseSpec } from "../operations/operation.ts";
import { argumentIssues } from "./argument-issues.ts";
import { isJsonType, parseExactJson, readMediaType } from "./result.ts";

/** The reason for each request without a reply. Only the operator can correct addresses and certificates. */
const REASON_BY_CODE = {
  address_not_allowed: core.misconfigured,
  misconfigured: core.misconfigured,
  unreachable: core.unavailable,
  connection_lost: transport.connection_lost,
  timeout: core.timeout,
  unreadable: rest.unexpected_content,
  too_large: rest.response_too_large,
  overloaded: core.overloaded,
  cancelled: core.cancelled,
  closed: core.unavailable,
} as const satisfies Readonly<Record<FailureCode, unknown>>;

export interface CallEffect {
  readonly changes: boolean;
  /** Whether the same call may be repeated without harm. */
  readonly repeatable: boolean;
}

/** The fault of a request without a reply. A request that was not sent changed nothing. */
export function exchangeFault({ code, sent }: ExchangeFailure, { changes, repeatable }: CallEffect): Fault {
  const effect = sent && changes ? "possible" : "none";
  return REASON_BY_CODE[code].fault({}, { effect, ...(repeatable && { repeatable }) });
}

/** The fault of a successful reply without its body. The service has done what was asked. */
export function bodyErrorFault(error: BodyError, { changes, repeatable }: CallEffect): Fault {
  const effect = changes ? "applied" : "none";
  return REASON_BY_CODE[error].fault({}, { effect, ...(repeatable && { repeatable }) });
}

/**
 * How much text of the service a caller sees when a call fails. What is shown of a message has passed the filters and is
 * marked as a quotation.
 * - `hide`: nothing.
 * - `public`: the `detail` or `message` in the JSON of a 4xx reply, since it is about a mistake of the caller. Replies with
 *   401, 403 and 407 are about a credential, so theirs is shown only if the caller's own credential was forwarded.
 * - `quote`: the message of every failed reply, also of 5xx, except what concerns a credential of this server.
 * - `raw`: the whole body, unchanged, as the text and parsed in `structuredContent` if it is a JSON object; the dialect of the
 *   server is not applied, and the fault is in `_meta`, with the message as in `quote`. Of the body, only the credentials of
 *   this server and of the caller are removed.
 */
export type ServiceText = "hide" | "public" | "quote" | "raw";

export interface ReplyFacts extends CallEffect {
  readonly operation: Operation;
  readonly credential: "own" | "caller";
  readonly errors: Errors;
  readonly foreignText: ServiceText;
  readonly speaksFaults: boolean;
  readonly secrets: SecretFilter | undefined;
  /** The arguments of the call. A message that repeats them is shown. */
  readonly sent: unknown;
  readonly name: string | undefined;
  readonly now: number;
}

/** The fault in a reply; undefined for a success. `text` is the body, if it is text. */
export function replyFault(reply: HttpReply, text: string | undefined, facts: ReplyFacts): Fault | undefined {
  const { bodyError, status } = reply;
  const isSuccess = status >= 200 && status <= 299;
  const isBodyMissing = isSuccess && bodyError !== undefined && bodyError !== "too_large";
  const fault = isBodyMissing
    ? amendFault(bodyErrorFault(bodyError, facts), { requestId: replyRequestId(reply, facts) })
    : decodeFault(reply, bodyError === undefined ? text : undefined, facts);
  if (fault === undefined) return undefined;
  const effect = facts.changes ? fault.effect : "none";
  // The option `foreignText` has decided about the texts of the service, so the guard does not have to.
  return stampFault(amendFault(fault, { effect }, { provenance: RELEASED }), {
    origin: { layer: "upstream", ...(facts.name && { name: facts.name }) },
  });
}

/** The id of the request in the headers. The dialect reads it in failed replies only. */
function replyRequestId({ headers }: HttpReply, { secrets }: ReplyFacts): string | undefined {
  return http.decode({ status: 500, headers }, { secrets })?.requestId;
}

function decodeFault(reply: HttpReply, text: string | undefined, facts: ReplyFacts): Fault | undefined {
  const { status, headers, bodyError } = reply;
  const { operation, credential, repeatable, now } = facts;
  const filter = filterFor(status, facts);
  const isShown = showsMessage(status, text, facts);
  const decoded = http.decode(
    { status, headers, body: text },
    {
      httpMethod: operation.method,
      keyed: repeatable,
      now,
      credential,
      ...filter,
      speaksFaults: facts.speaksFaults,
      hasPathParams: namesResource(operation),
      text: isShown ? "quote" : "hide",
      ...(expectsJson(operation, reply) && { expects: "json" }),
      truncated: bodyError === "too_large",
    },
  );
  if (decoded === undefined) return undefined;
  const issues = decoded.issues && argumentIssues(operation, decoded.issues);
  const given = issues && issues.length > 0 ? issues : undefined;
  const isSaidOfField =
    issues?.some(({ message }) => message !== undefined && message === decoded.quote?.text) === true;
  const isCallersCredential = status === 401 && credential === "caller" && isShown;
  const own = isSaidOfField ? undefined : decoded.quote;
  const quote = isCallersCredential ? quoteMessage(text, filter) : own;
  // A caller cannot act on a refused credential of this server, whatever reason the author chose for the status.
  const chosen = decoded.reason === rest.upstream_auth.id ? undefined : reasonForStatus(facts.errors, status);
  if (chosen === undefined)
    return amendFault(decoded, { ...(quote !== decoded.quote && { quote }), ...(issues && { issues: given }) });
  const body = parseExactJson(text ?? "");
  return reasonFault(chosen, body.ok ? body.value : undefined, {
    ...filter,
    basis: "mapped",
    ...(repeatable && { repeatable }),
    ...(decoded.retry && { retry: decoded.retry }),
    ...(decoded.limits && { limits: decoded.limits }),
    ...(quote && { quote }),
    ...(decoded.requestId !== undefined && { requestId: decoded.requestId }),
    ...(given && { issues: given }),
  });
}

const CREDENTIAL_STATUSES = [401, 403, 407];

function showsMessage(status: number, text: string | undefined, { foreignText, credential }: ReplyFacts): boolean {
  if (foreignText !== "public") return foreignText === "quote" || foreignText === "raw";
  const isOwnMistake =
    status >= 400 && status <= 499 && (credential === "caller" || !CREDENTIAL_STATUSES.includes(status));
  return isOwnMistake && parseExactJson(text ?? "").ok;
}

/** The filtered message of a reply about the caller's own credential. The dialect quotes none for any such status. */
function quoteMessage(text: string | undefined, filter: FilterOptions): Fault["quote"] {
  return http.decode({ status: 400, headers: {}, body: text }, { text: "quote", ...filter })?.quote;
}

/** The filter for everything that is taken over from a reply. */
function filterFor(status: number, { secrets, sent }: ReplyFacts): FilterOptions {
  installTextFilter();
  return { secrets, textPolicy: "foreign", ...(status >= 400 && { callerTexts: readCallerTexts(sent) }) };
}

/** Whether a request names a resource. If it names none, a 404 means that the operation itself is missing. */
function namesResource({ arguments: all }: Operation): boolean {
  return all.some((argument) => argument.in === "path" || argument.in === "body" || argument.required);
}

/** Whether a success has to be JSON, so that any other body comes from a proxy or a login page. */
function expectsJson(operation: Operation, reply: HttpReply): boolean {
  const got = readMediaType(reply);
  if (isJsonType(got)) return true;
  const types = responseFor(operation, reply.status)?.mediaTypes.map(mediaTypeEssence) ?? [];
  if (types.includes(got) || types.includes("*/*")) return false;
  return types.length === 0 ? got === "text/html" : types.some(isJsonType);
}

function responseFor({ responses }: Operation, status: number): ResponseSpec | undefined {
  const names = [String(status), `${String(status)[0]}XX`, "default"];
  return names.flatMap((name) => responses.find((one) => one.status === name) ?? [])[0];
}

/** A reason of yours for an HTTP status. Its slots are filled from members of the body that have their names. */
export interface ErrorReason extends AnyReason {
  /** Makes the fault. */
  fault(params: never, rest?: ReasonOptions): Fault;
}

/** The statuses that you can choose a reason for. */
export type ErrorStatus = number | "4XX" | "5XX" | "default";

/** Your reasons by status. The most specific status counts. */
export type Errors = Readonly<Partial<Record<ErrorStatus, ErrorReason>>>;

export function reasonForStatus(errors: Errors, status: number): ErrorReason | undefined {
  const range = status >= 500 ? "5XX" : "4XX";
  return errors[status] ?? (status >= 400 && status <= 599 ? (errors[range] ?? errors.default) : undefined);
}

/** The fault of an author's reason. Its slots are filled from members of the body with their names, if these fit. */
function reasonFault(reason: ErrorReason, body: unknown, options: ReasonOptions): Fault {
  const params: Record<string, unknown> = {};
  for (const [name, slot] of Object.entries(reason.slots)) {
    const value = memberAt(body, name) ?? memberAt(objectAt(body, "error"), name);
    if (value !== undefined && slot.read(value, options) !== null) params[name] = value;
  }
  return reason.fault(params as never, options);
}

const MAX_LOGGED_BODY = 4_000;
const MAX_LOGGED_ID = 128;

/** The reply of a service as the cause of an incident. It goes only to the operator. */
export class UpstreamReply extends Error {
  override readonly name = "UpstreamReply";
  readonly status: number;

  /** The id that the service gave to the request, in whatever form. */
  readonly requestId: string | undefined;

  constructor(from: string, { status, headers }: Pick<HttpReply, "status" | "headers">, body: string) {
    const requestId = REQUEST_ID_HEADERS.map((name) => firstHeader(headers, name)).find((one) => one !== undefined);
    const named = requestId === undefined ? "" : `, request id ${requestId.slice(0, MAX_LOGGED_ID)}`;
    super(`${from} answered with status ${status}${named}: ${body.slice(0, MAX_LOGGED_BODY)}`);
    this.status = status;
    this.requestId = requestId;
  }
}
