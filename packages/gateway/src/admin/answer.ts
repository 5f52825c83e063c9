import { type Fault, formatId, redactSecrets, shouldReport, stampFault } from "@recourse/faults";
import { http } from "@recourse/faults/dialects";
import { deliver, edgeStatus, randomBytes, stringAt } from "@recourse/faults/internal-do-not-use";
import { discardBody, TOO_SLOW_STATUS } from "../edge/body.ts";
import { callerSecrets } from "../edge/caller-secrets.ts";
import type { HttpOrigin } from "../edge/http-origin.ts";
import type { AdminParts } from "./start-admin.ts";

/** A failed request. */
export interface Failure {
  readonly fault: Fault;
  /** What was thrown. */
  readonly cause?: unknown;
  /** The status where the fault does not say it. */
  readonly status?: number;
  /** The methods that are allowed, for 405. */
  readonly allow?: string;
}

/** What is said about a request in its incident. */
export interface Asked {
  /** Method and path template. */
  readonly method: string;
  readonly durationMs: number;
}

/** How long a connection may stand still while an answer is written. */
const UNREAD_MS = 60_000;

/** Writes a success. */
export function writeResult(origin: HttpOrigin, status: number, body: object): void {
  send(origin, status, { "content-type": "application/json" }, JSON.stringify(body));
}

/** Stamps a fault, reports it where it is an incident, and writes it as a problem document. */
export function writeFailure(origin: HttpOrigin, failure: Failure, asked: Asked, parts: AdminParts): void {
  const at = new Date(parts.now()).toISOString();
  const secrets = callerSecrets(origin.head);
  const given = redactSecrets(failure.fault, secrets);
  const isReported = shouldReport(given, { textHidden: false });
  const fault = stampFault(given, {
    incident: isReported ? formatId(parts.now(), randomBytes()) : undefined,
    at,
    origin: { layer: "gateway", name: parts.config().name },
  });
  const status = origin.isBodyTooSlow ? TOO_SLOW_STATUS : (failure.status ?? edgeStatus(fault));
  const { headers, body } = http.encode(fault);
  if (isReported)
    deliver(parts.sink, {
      tenant: undefined,
      caller: undefined,
      upstream: undefined,
      told: stringAt(body, "detail"),
      upstreamIncident: undefined,
      fault,
      at,
      ...asked,
      ...(failure.cause !== undefined && { cause: failure.cause }),
      ...(secrets !== undefined && { secrets }),
    });
  const allow = failure.allow === undefined ? {} : { allow: failure.allow };
  send(origin, status, { ...headers, ...allow }, JSON.stringify({ ...body, status }));
}

function send(origin: HttpOrigin, status: number, headers: Readonly<Record<string, string>>, text: string): void {
  const { incoming, outgoing } = origin;
  if (outgoing.destroyed || outgoing.headersSent) return;
  outgoing.setTimeout(UNREAD_MS, () => outgoing.destroy());
  if (origin.isBodyUnasked || origin.isBodyTooSlow) outgoing.setHeader("connection", "close");
  outgoing.writeHead(status, {
    ...headers,
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  outgoing.end(incoming.method === "HEAD" ? undefined : text);
  discardBody(incoming);
}
