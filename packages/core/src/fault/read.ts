import { toLine } from "../safety/line.ts";
import { asReceived, type FilterOptions, limitReading, withPolicy } from "../safety/show-line.ts";
import { deriveRecourse, permittedMoves } from "./build.ts";
import { cleanEffect, cleanName, cleanSentence, FAULT_MEMBERS } from "./clean.ts";
import { FAULT_LIMITS, type Fault, KIND_NAME, packFault, REASON_ID } from "./fault.ts";
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
  const members = readMembers(raw, filter);
  const facts = { kind: known, effect, retry: members.retry, issues: members.issues };
  const chosen = members.recourse ?? deriveRecourse(facts);
  const recourse = provenance === undefined ? chosen : permittedMoves(chosen, facts);
  return packFault(
    {
      ...members,
      v: 1,
      kind,
      class: faultClass,
      reason,
      message,
      recourse: Object.freeze(recourse) as Fault["recourse"],
      effect,
      origin: members.origin ?? Object.freeze({ layer: "server" }),
      basis: members.basis ?? "stated",
      cause: readChain(raw["cause"], options, depth - 1),
    },
    provenance,
  );
}

type ReadMembers = { -readonly [K in keyof typeof FAULT_MEMBERS]?: Fault[K] | undefined };

function readMembers(raw: Readonly<Record<string, unknown>>, filter: FilterOptions): ReadMembers {
  const codecs = Object.entries(FAULT_MEMBERS);
  return Object.fromEntries(codecs.map(([name, { clean }]) => [name, clean(raw[name], filter)])) as ReadMembers;
}

/** The class of a known kind is fixed. For a newer kind, the stated class is used. */
function readClass(kind: string, stated: unknown): FaultClass | undefined {
  if (isKind(kind)) return KINDS[kind].class;
  return isFaultClass(stated) ? stated : undefined;
}

/**
 * Reads a fault from JSON. Every member is checked and members that do not fit are dropped. It returns undefined if the
 * value is not a fault. A kind that this version does not know is kept if its class is known.
 *
 * The sender wrote its texts, so `render` shows them as quotations, and a guarded server does not send them on unchecked.
 */
export function readFault(value: unknown, filter: FilterOptions = {}): Fault | undefined {
  return limitReading(() => readSentFault(value, asReceived(filter)));
}

/** Tells whether `readFault` would read the value as a fault. */
export function isFault(value: unknown): value is Fault {
  return readFault(value) !== undefined;
}
