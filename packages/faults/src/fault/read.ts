import type { Nets } from "../safety/nets.ts";
import {
  cleanAddress,
  cleanBasis,
  cleanEffect,
  cleanIssues,
  cleanLimits,
  cleanName,
  cleanOrigin,
  cleanParams,
  cleanQuote,
  cleanRecourse,
  cleanRetry,
  cleanTried,
  pack,
} from "./clean.ts";
import { type Fault, MAX } from "./fault.ts";
import { type FaultClass, isFaultClass, isKind, KINDS, knownKind } from "./kinds.ts";
import { deriveRecourse } from "./recourse.ts";
import { readIncident, readTime, readTrace } from "./stamp.ts";

const KIND = /^[a-z][a-z_]{1,39}$/;
const REASON = /^[a-z][a-z0-9_]{0,39}\/[a-z][a-z0-9_]{0,59}$/;

/**
 * Reads a fault that came as JSON: every field is checked again, what does not fit is dropped, and undefined means that
 * it is no fault. A kind that this version does not know stays, as long as its class is known.
 */
export function readFault(value: unknown, nets: Nets = {}): Fault | undefined {
  try {
    return read(value, nets, MAX.causes);
  } catch {
    return undefined;
  }
}

function read(value: unknown, nets: Nets, depth: number): Fault | undefined {
  if (typeof value !== "object" || value === null || depth < 0) return undefined;
  const raw = value as Readonly<Record<string, unknown>>;
  const { kind, reason } = raw;
  if (raw["v"] !== 1 || typeof kind !== "string" || !KIND.test(kind)) return undefined;
  if (typeof reason !== "string" || !REASON.test(reason)) return undefined;
  const group = classFor(kind, raw["class"]);
  const message = cleanName(raw["message"], MAX.message, nets);
  if (group === undefined || message === undefined) return undefined;
  const known = knownKind({ kind, class: group });
  // Nothing is known about the effects of a newer kind.
  const effect = cleanEffect(raw["effect"], known === kind ? KINDS[known].effect : "possible");
  const retry = cleanRetry(raw["retry"]);
  const issues = cleanIssues(raw["issues"], nets);
  const recourse = cleanRecourse(raw["recourse"], nets) ?? deriveRecourse({ kind: known, effect, retry, issues });
  return pack<Fault>({
    v: 1,
    kind,
    class: group,
    reason,
    message,
    params: cleanParams(raw["params"], nets),
    quote: cleanQuote(raw["quote"], nets),
    recourse: Object.freeze(recourse) as Fault["recourse"],
    effect,
    retry,
    issues,
    limits: cleanLimits(raw["limits"], nets),
    origin: cleanOrigin(raw["origin"], nets) ?? Object.freeze({ layer: "server" }),
    basis: cleanBasis(raw["basis"]),
    tried: cleanTried(raw["tried"]),
    incident: readIncident(raw["incident"]),
    at: readTime(raw["at"]),
    trace: readTrace(raw["trace"]),
    docs: cleanAddress(raw["docs"], nets),
    cause: read(raw["cause"], nets, depth - 1),
  });
}

/** A known kind decides its class itself; for a newer one the peer's class counts. */
function classFor(kind: string, stated: unknown): FaultClass | undefined {
  if (isKind(kind)) return KINDS[kind].class;
  return isFaultClass(stated) ? stated : undefined;
}

/** Tells whether a value is a fault: it would be read as one. */
export function isFault(value: unknown): value is Fault {
  return readFault(value) !== undefined;
}
