import { isCallersMistake } from "./callers-mistake.ts";
import { cleanAddress, cleanOrigin, pack } from "./clean.ts";
import type { Fault, Origin } from "./fault.ts";
import { ID } from "./id.ts";
import { knownKind } from "./kinds.ts";

/** What a boundary adds to a fault when it lets it out. */
export interface Stamps {
  readonly origin?: Origin | undefined;
  readonly incident?: string | undefined;
  /** ISO 8601 time. */
  readonly at?: string | undefined;
  /** W3C traceparent. */
  readonly trace?: string | undefined;
  /** Where the pages of the reasons are served; the fault then links to its own. */
  readonly docsBase?: string | undefined;
  /** An operator keeps a record of the caller's own mistakes too, so they get an incident. */
  readonly recorded?: boolean | undefined;
}

const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

/** Adds origin, incident, time, trace and docs to a fault; pure, and the fault given stays as it is. */
export function stamp(fault: Fault, stamps: Stamps): Fault {
  const origin = cleanOrigin(stamps.origin) ?? fault.origin;
  // Refused credentials must look alike whatever the cause, so nothing that differs by occurrence may be added.
  if (knownKind(fault) === "unauthenticated") return Object.freeze({ ...unstamped(fault), origin });
  const incident = isCallersMistake(fault) && stamps.recorded !== true ? undefined : readIncident(stamps.incident);
  return pack<Fault>({
    ...fault,
    origin,
    incident: incident ?? fault.incident,
    at: readTime(stamps.at) ?? fault.at,
    trace: readTrace(stamps.trace) ?? fault.trace,
    docs: docsPage(stamps.docsBase, fault.reason) ?? fault.docs,
    cause: fault.cause,
  });
}

/** The fault and its causes without what differs by occurrence. */
function unstamped(fault: Fault): Fault {
  const { incident: _i, at: _a, trace: _t, docs: _d, cause, ...rest } = fault;
  return Object.freeze(cause === undefined ? rest : { ...rest, cause: unstamped(cause) });
}

function docsPage(base: string | undefined, reason: string): string | undefined {
  if (base === undefined || base === "" || reason.startsWith("adhoc/")) return undefined;
  return cleanAddress(`${base.replace(/\/+$/, "")}/${reason}`);
}

/** An incident id of ours, or undefined. */
export function readIncident(value: unknown): string | undefined {
  return typeof value === "string" && ID.test(value) ? value : undefined;
}

/** An ISO time, or undefined. */
export function readTime(value: unknown): string | undefined {
  return typeof value === "string" && TIME.test(value) ? value : undefined;
}

/** A W3C traceparent, or undefined. */
export function readTrace(value: unknown): string | undefined {
  return typeof value === "string" && TRACEPARENT.test(value) ? value : undefined;
}
