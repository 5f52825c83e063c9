import type { Fault, Issue, Limit } from "../../fault/fault.ts";
import { knownKind } from "../../fault/kinds.ts";
import { unauthorized } from "../../reasons/library/auth.ts";
import type { EncodeContext } from "../dialect.ts";
import { proseOf } from "../prose.ts";
import type { Json } from "../wire.ts";
import { writeItem } from "./fields.ts";
import { BY_KIND } from "./table.ts";

/** An HTTP reply with an RFC 9457 document; the names of the headers are in lower case. */
export interface HttpWire {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
}

/**
 * The fault as it goes out: refused credentials all look alike, so that nobody learns why.
 * Only what certainty demands may differ.
 */
function outgoing(fault: Fault): Fault {
  if (knownKind(fault) !== "unauthenticated") return fault;
  return unauthorized.fault({}, { effect: fault.effect, basis: fault.basis });
}

/** Writes a fault as problem+json, with the headers that other clients read. */
export function encode(given: Fault, context: EncodeContext = {}): HttpWire {
  const fault = outgoing(given);
  const { status, title } = BY_KIND[knownKind(fault)];
  return {
    status,
    headers: headersOf(fault, status),
    body: {
      type: typeOf(fault, context),
      title,
      status,
      detail: proseOf(fault),
      ...(fault.incident !== undefined && { instance: `urn:recourse:incident:${fault.incident}` }),
      ...(fault.issues !== undefined && { errors: fault.issues.map(errorOf) }),
      fault,
    },
  };
}

/** The page of the reason where there is one, else a name. */
function typeOf(fault: Fault, context: EncodeContext): string {
  const base = context.docsBase?.replace(/\/+$/, "");
  const page = base === undefined || fault.reason.startsWith("adhoc/") ? undefined : `${base}/${fault.reason}`;
  return fault.docs ?? page ?? `urn:recourse:reason:${fault.reason}`;
}

function headersOf(fault: Fault, status: number): Record<string, string> {
  const [first] = fault.recourse;
  // Clients that repeat by this header alone know nothing of effects: it is only there where repeating is the advice.
  const waitMs = first.do === "retry" ? (first.afterMs ?? fault.retry?.afterMs) : undefined;
  const policies = (fault.limits ?? []).map(policyOf).filter((item) => item !== undefined);
  const states = (fault.limits ?? []).map(stateOf).filter((item) => item !== undefined);
  return {
    "content-type": "application/problem+json",
    ...(waitMs !== undefined && { "retry-after": String(seconds(waitMs)) }),
    ...(policies.length > 0 && { "ratelimit-policy": policies.join(", ") }),
    ...(states.length > 0 && { ratelimit: states.join(", ") }),
    ...(status === 401 && { "www-authenticate": "Bearer" }),
  };
}

/** Whole seconds, rounded up: the wire has no smaller unit. */
function seconds(ms: number): number {
  return Math.ceil(ms / 1_000);
}

function policyOf(limit: Limit, at: number): string | undefined {
  if (limit.quota === undefined) return undefined;
  const w = limit.windowMs === undefined ? undefined : seconds(limit.windowMs);
  return writeItem(nameOf(limit, at), { q: limit.quota, qu: limit.unit, w });
}

function stateOf(limit: Limit, at: number): string | undefined {
  if (limit.remaining === undefined) return undefined;
  const t = limit.resetMs === undefined ? undefined : seconds(limit.resetMs);
  return writeItem(nameOf(limit, at), { r: limit.remaining, t });
}

/** Both fields name a limit alike; one without a name, or with one that the field cannot hold, gets its place. */
function nameOf(limit: Limit, at: number): string {
  const { policy } = limit;
  if (policy !== undefined && /^[ -~]+$/.test(policy)) return policy;
  return at === 0 ? "default" : `default-${at + 1}`;
}

function errorOf(issue: Issue): Json {
  return {
    pointer: `#${encodeURI(issue.pointer.toWellFormed())}`,
    code: issue.rule,
    ...(issue.expected !== undefined && { detail: issue.expected }),
    ...(issue.suggestion !== undefined && { suggestion: issue.suggestion }),
  };
}
