import { amendFault } from "./amend.ts";
import { cleanAddress, cleanOrigin } from "./clean.ts";
import type { Fault, Origin } from "./fault.ts";
import { readIncident } from "./id.ts";
import { knownKind } from "./kinds.ts";

/** What a server or client adds to a fault before sending it. */
export interface Stamps {
  /** Where the fault was made. @default the origin that the fault has */
  readonly origin?: Origin | undefined;
  /** The id of the incident, made with `formatId`. Give one where `shouldReport` returns true. @default none */
  readonly incident?: string | undefined;
  /** When it happened, as an ISO 8601 time. @default none */
  readonly at?: string | undefined;
  /** The W3C traceparent of the request. @default none */
  readonly trace?: string | undefined;
  /** The base URL of the pages about reasons. The fault then links to the page of its reason. @default no link */
  readonly docsBase?: string | undefined;
}

/** A W3C traceparent. */
export const TRACEPARENT: RegExp = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

/**
 * A copy of a fault with origin, incident, time, trace and documentation link.
 *
 * A fault of the kind `unauthenticated` gets only the origin: all refusals of credentials must look alike.
 */
export function stampFault(fault: Fault, stamps: Stamps): Fault {
  const origin = cleanOrigin(stamps.origin) ?? fault.origin;
  if (knownKind(fault) === "unauthenticated") return unstamped(amendFault(fault, { origin }));
  return amendFault(fault, {
    origin,
    incident: readIncident(stamps.incident) ?? fault.incident,
    at: readTime(stamps.at) ?? fault.at,
    trace: readTrace(stamps.trace) ?? fault.trace,
    docs: docsPage(stamps.docsBase, fault.reason) ?? fault.docs,
  });
}

/** The fault and its causes without members that differ from call to call. */
function unstamped(fault: Fault): Fault {
  const { cause } = fault;
  const bare = { incident: undefined, requestId: undefined, at: undefined, trace: undefined, docs: undefined };
  return amendFault(fault, { ...bare, cause: cause && unstamped(cause) });
}

function docsPage(base: string | undefined, reason: string): string | undefined {
  if (base === undefined || base === "" || reason.startsWith("adhoc/")) return undefined;
  return cleanAddress(`${base.replace(/\/+$/, "")}/${reason}`);
}

/** The value if it is an ISO 8601 time. */
export function readTime(value: unknown): string | undefined {
  return typeof value === "string" && ISO_TIME.test(value) ? value : undefined;
}

/** The value if it is a W3C traceparent. */
export function readTrace(value: unknown): string | undefined {
  return typeof value === "string" && TRACEPARENT.test(value) ? value : undefined;
}
