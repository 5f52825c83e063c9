import { readId } from "@recourse/wire";
import { toLine } from "../safety/line.ts";
import { type FilterOptions, withPolicy } from "../safety/show-line.ts";
import { deriveRecourse, permittedMoves } from "./build.ts";
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
  cleanSentence,
  cleanTried,
} from "./clean.ts";
import { FAULT_LIMITS, type Fault, type FaultMembers, KIND_NAME, packFault, REASON_ID } from "./fault.ts";
import { readRequestId, readTime, readTrace } from "./ids.ts";
import { type FaultClass, isFaultClass, isKind, KINDS, knownKind } from "./kinds.ts";
import { AS_SENT, type Provenance } from "./provenance.ts";

/**
 * Reads a fault that this process wrote itself. Its texts and its moves were checked when it was built, so by default only
 * secrets are looked for.
 */
export function readOwnFault(value: unknown, filter: FilterOptions = {}): Fault | undefined {
  return tryRead(value, withPolicy(filter, "checked"), undefined);
}

/** Reads a fault as it was sent. Its texts are checked by the policy of the filter. */
export function readSentFault(value: unknown, filter: FilterOptions): Fault | undefined {
  return tryRead(value, filter, AS_SENT);
}

function tryRead(value: unknown, filter: FilterOptions, provenance: Provenance | undefined): Fault | undefined {
  try {
    return readChain(value, { filter, provenance }, FAULT_LIMITS.causes);
  } catch {
    return undefined;
  }
}

interface FaultReadOptions {
  readonly filter: FilterOptions;
  readonly provenance: Provenance | undefined;
}

function readChain(value: unknown, options: FaultReadOptions, depth: number): Fault | undefined {
  const { filter, provenance } = options;
  if (typeof value !== "object" || value === null || depth < 0) return undefined;
  const raw = value as Readonly<Record<string, unknown>>;
  const { kind, reason } = raw;
  if (raw["v"] !== 1 || typeof kind !== "string" || !KIND_NAME.test(kind)) return undefined;
  if (typeof reason !== "string" || !REASON_ID.test(reason)) return undefined;
  const faultClass = readClass(kind, raw["class"]);
  const said = raw["message"];
  if (faultClass === undefined || typeof said !== "string" || toLine(said, 2) === "") return undefined;
  const known = knownKind({ kind, class: faultClass });
  const clean = provenance === undefined ? cleanName : cleanSentence;
  const message = clean(said, FAULT_LIMITS.message, filter) ?? KINDS[known].fallbackMessage;
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
    incident: readId(raw["incident"]),
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
