import type { FilterOptions } from "../safety/filter-line.ts";
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
} from "./clean.ts";
import { type Fault, MAX, packFault } from "./fault.ts";
import { KIND_NAME, REASON_ID } from "./grammar.ts";
import { type FaultClass, isFaultClass, isKind, KINDS, knownKind } from "./kinds.ts";
import { deriveRecourse } from "./recourse.ts";
import { readIncident, readTime, readTrace } from "./stamp.ts";

/**
 * Reads a fault from JSON. Every member is checked and members that do not fit are dropped. It returns undefined if the
 * value is not a fault. A kind that this version does not know is kept if its class is known.
 */
export function readFault(value: unknown, filter: FilterOptions = {}): Fault | undefined {
  try {
    return readChain(value, filter, MAX.causes);
  } catch {
    return undefined;
  }
}

function readChain(value: unknown, filter: FilterOptions, depth: number): Fault | undefined {
  if (typeof value !== "object" || value === null || depth < 0) return undefined;
  const raw = value as Readonly<Record<string, unknown>>;
  const { kind, reason } = raw;
  if (raw["v"] !== 1 || typeof kind !== "string" || !KIND_NAME.test(kind)) return undefined;
  if (typeof reason !== "string" || !REASON_ID.test(reason)) return undefined;
  const faultClass = readClass(kind, raw["class"]);
  const message = cleanName(raw["message"], MAX.message, filter);
  if (faultClass === undefined || message === undefined) return undefined;
  const known = knownKind({ kind, class: faultClass });
  // Nothing is known about the effect of a newer kind.
  const effect = cleanEffect(raw["effect"], known === kind ? KINDS[known].effect : "possible");
  const retry = cleanRetry(raw["retry"]);
  const issues = cleanIssues(raw["issues"], filter);
  const recourse = cleanRecourse(raw["recourse"], filter) ?? deriveRecourse({ kind: known, effect, retry, issues });
  return packFault({
    v: 1,
    kind,
    class: faultClass,
    reason,
    message,
    params: cleanParams(raw["params"], filter),
    quote: cleanQuote(raw["quote"], filter),
    recourse: Object.freeze(recourse) as Fault["recourse"],
    effect,
    retry,
    issues,
    limits: cleanLimits(raw["limits"], filter),
    origin: cleanOrigin(raw["origin"], filter) ?? Object.freeze({ layer: "server" }),
    basis: cleanBasis(raw["basis"]),
    tried: cleanTried(raw["tried"]),
    incident: readIncident(raw["incident"]),
    at: readTime(raw["at"]),
    trace: readTrace(raw["trace"]),
    docs: cleanAddress(raw["docs"], filter),
    cause: readChain(raw["cause"], filter, depth - 1),
  });
}

/** The class of a known kind is fixed. For a newer kind, the stated class is used. */
function readClass(kind: string, stated: unknown): FaultClass | undefined {
  if (isKind(kind)) return KINDS[kind].class;
  return isFaultClass(stated) ? stated : undefined;
}

/** Tells whether `readFault` would read the value as a fault. */
export function isFault(value: unknown): value is Fault {
  return readFault(value) !== undefined;
}
