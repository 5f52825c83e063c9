import { hash } from "node:crypto";
import { type Fault, formatId, redactSecrets, shouldReport, stampFault } from "@recourse/core";
import { http } from "@recourse/core/dialects";
import { deliverIncident, edgeStatus } from "@recourse/core/proxy";
import { core } from "@recourse/core/reasons";
import { randomBytes, stringAt } from "@recourse/core/wire";
import { callerSecrets } from "../call/head.ts";
import { TOO_SLOW_STATUS } from "../edge/body.ts";
import type { HttpOrigin } from "../edge/http-origin.ts";
import { errorCode } from "../stores/store-error.ts";
import type { AdminParts } from "./parts.ts";
import { UncertainChangeError } from "./route.ts";

export interface AdminFailure {
  readonly fault: Fault;
  /** What was thrown. */
  readonly cause?: unknown;
  /** The status, if the fault does not state one. */
  readonly status?: number;
  /** The methods that are allowed, for 405. */
  readonly allow?: string;
  /** Text about it, if the sentence of the fault is not enough. @default the sentence of the fault */
  readonly sentence?: string;
}

/** What is said about a request in its incident. */
export interface RequestFacts {
  /** Method and path template. */
  readonly method: string;
  readonly durationMs: number;
}

export const ANSWER_HEADERS = { "cache-control": "no-store", "x-content-type-options": "nosniff" } as const;

/** The `ETag` of an answer with this content. */
export function entityTag(content: object): string {
  return `"${hash("sha256", JSON.stringify(content), "base64url").slice(0, 22)}"`;
}

/** Whether the sender of `If-None-Match` has the answer with a tag already. */
export function namesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  const named = ifNoneMatch?.split(",").map((one) => one.trim().replace(/^W\//, "")) ?? [];
  return named.includes(tag) || named.includes("*");
}

/** When a store that is down may be asked again. */
export const AWAY_MS = 1_000;

/** Stamps a fault, reports it if it is an incident, and gives it as a problem document. */
export function createProblemResponse(
  origin: HttpOrigin,
  failure: AdminFailure,
  asked: RequestFacts,
  parts: AdminParts,
): Response {
  const at = new Date(parts.now()).toISOString();
  const secrets = callerSecrets(origin.head);
  const redacted = redactSecrets(failure.fault, secrets);
  const isReported = shouldReport(redacted, { textHidden: false });
  const fault = stampFault(redacted, {
    incident: isReported ? formatId(parts.now(), randomBytes()) : undefined,
    at,
    origin: { layer: "gateway", name: parts.config().name },
  });
  const status = origin.isBodyTooSlow ? TOO_SLOW_STATUS : (failure.status ?? edgeStatus(fault));
  const { headers, body } = http.encode(fault);
  if (isReported)
    deliverIncident(parts.sink, {
      tenant: undefined,
      caller: undefined,
      upstream: undefined,
      sentText: stringAt(body, "detail"),
      upstreamIncident: undefined,
      fault,
      at,
      ...asked,
      ...(failure.cause !== undefined && { cause: failure.cause }),
      ...(secrets !== undefined && { secrets }),
    });
  const { sentence: detail } = failure;
  return new Response(JSON.stringify({ ...body, ...(detail !== undefined && { detail }), status }), {
    status,
    headers: {
      ...headers,
      ...ANSWER_HEADERS,
      ...(failure.allow !== undefined && { allow: failure.allow }),
      ...(origin.isBodyTooSlow && { connection: "close" }),
    },
  });
}

/** What an error of a handler means: a store that is down, or a bug of the gateway. */
export function toFailure(error: unknown, { observer }: AdminParts): AdminFailure {
  const isUncertain = error instanceof UncertainChangeError;
  const cause = isUncertain ? error.cause : error;
  const effect = isUncertain ? "possible" : "none";
  if (isStoreAway(cause)) return { fault: core.unavailable.fault({}, { effect, afterMs: AWAY_MS }), cause };
  observer.unexpected(cause, "admin");
  return { fault: core.internal.fault({}, { effect }), cause };
}

/** A code of PostgreSQL. Codes of Node have five letters at times, and no digit. */
const SQLSTATE = /^(?=.*\d)[0-9A-Z]{5}$/;
/** Connection, resources, the operator, the system; a standby, and transactions that stood in each other's way. */
const AWAY_STATES = /^(?:08|53|57P|58|25006|40001|40P01|55P03)/;
/** What only a bug of our own throws. */
const BUGS = [TypeError, RangeError, ReferenceError, SyntaxError];

/** Whether an error of a store means that the store is down; else it is a bug. */
function isStoreAway(error: unknown): boolean {
  if (BUGS.some((bug) => error instanceof bug)) return false;
  const code = errorCode(error);
  return SQLSTATE.test(code) ? AWAY_STATES.test(code) : true;
}
