import type { FilterOptions } from "../safety/filter-line.ts";
import { CHECKED_TEXT, withPolicy } from "../safety/text-policy.ts";
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
import { type Fault, type FaultMembers, MAX, packFault } from "./fault.ts";
import { KIND_NAME, REASON_ID } from "./grammar.ts";
import { readIncident } from "./id.ts";
import { type FaultClass, isFaultClass, isKind, KINDS, knownKind } from "./kinds.ts";
import { AS_SENT, type Provenance } from "./provenance.ts";
import { deriveRecourse, permittedMoves } from "./recourse.ts";
import { readRequestId } from "./request-id.ts";
import { readTime, readTrace } from "./stamp.ts";

/**
 * Reads a fault that this process wrote itself. Its texts and its moves were checked when it was built, so by default only
 * secrets are looked for.
 */
export function readOwnFault(value: unknown, filter: FilterOptions = {}): Fault | undefined {
  return tryRead(value, withPolicy(filter, CHECKED_TEXT), undefined);
}

/** Reads a fault as it was sent. Its texts are checked by the policy of the filter. */
export function readSentFault(value: unknown, filter: FilterOptions): Fault | undefined {
  return tryRead(value, filter, AS_SENT);
}

function tryRead(value: unknown, filter: FilterOptions, provenance: Provenance | undefined): Fault | undefined {
  try {
    return readChain(value, { filter, provenance }, MAX.causes);
  } catch {
    return undefined;
  }
}

interface ReadOptions {
  readonly filter: FilterOptions;
  readonly provenance: Provenance | undefined;
}

function readChain(value: unknown, options: ReadOptions, depth: number): Fault | undefined {
  const { filter, provenance } = options;
  if (typeof value !== "object" || value === null || depth < 0) return undefined;
  const raw = value as Readonly<Record<string, unknown>>;
  const { kind, reason } = raw;
  if (raw["v"] !== 1 || typeof kind !== "string" || !KIND_NAME.test(kind)) return undefined;
  if (typeof reason !== "string" || !REASON_ID.test(reason)) return undefined;
  const faultClass = readClass(kind, raw["class"]);
  const stated = cleanName(raw["message"], MAX.message, filter);
  if (faultClass === undefined || stated === undefined) return undefined;
  const known = knownKind({ kind, class: faultClass });
  const message = provenance && filter.textPolicy?.ruleForQuote(stated, filter) ? KINDS[known].fallbackMessage : stated;
  // Nothing is known about the effect of a newer kind.
  const effect = cleanEffect(raw["effect"], known === kind ? KINDS[known].effect : "possible");
  const retry = cleanRetry(raw["retry"]);
  const issues = cleanIssues(raw["issues"], filter);
  const facts = { kind: known, effect, retry, issues };
  const chosen = cleanRecourse(raw["recourse"], filter) ?? deriveRecourse(facts);
  const recourse = provenance === undefined ? chosen : permittedMoves(chosen, facts);
  const members: FaultMembers = {
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
    requestId: readRequestId(raw["requestId"], filter.secrets),
    at: readTime(raw["at"]),
    trace: readTrace(raw["trace"]),
    docs: cleanAddress(raw["docs"], filter),
    cause: readChain(raw["cause"], options, depth - 1),
  };
  return packFault(members, provenance);
}

/** The class of a known kind is fixed. For a newer kind, the stated class is used. */
function readClass(kind: string, stated: unknown): FaultClass | undefined {
  if (isKind(kind)) return KINDS[kind].class;
  return isFaultClass(stated) ? stated : undefined;
}
