import { isSearchInstalled } from "../safety/cut-text.ts";
import { containsSecret, type SecretFilter } from "../safety/secrets.ts";
import { limitReading } from "../safety/show-line.ts";
import { readId } from "../wire/ids.ts";
import { deriveRecourse, permittedMoves, type RecourseFacts } from "./build.ts";
import { cleanAddress, FAULT_MEMBERS, readTime, readTrace } from "./clean.ts";
import { type Fault, type FaultMembers, type Origin, packFault, type Recourse } from "./fault.ts";
import { type Effect, KINDS, knownKind } from "./kinds.ts";
import {
  keepAssumption,
  noteSentForm,
  noteUnjudged,
  type Provenance,
  readProvenance,
  rebuildOf,
} from "./provenance.ts";
import { readOwnFault } from "./read.ts";

/** What to change in a fault. `undefined` removes an optional member and leaves a required one unchanged. */
export type FaultChanges = {
  readonly [K in Exclude<keyof Fault, "v" | "kind" | "class" | "reason">]?: Fault[K] | undefined;
};

/** What is known beside the fault. */
export interface AmendOptions {
  /** Making the call twice is safe. @default false */
  readonly repeatable?: boolean | undefined;
  /** What is known about the sender of the fault. @default what was known before */
  readonly provenance?: Provenance | undefined;
}

/**
 * A copy of a fault with other members. The next moves follow: derived moves are derived again, and moves that an author
 * chose stay as far as the new effect and the peer's advice allow them.
 */
export function amendFault(fault: Fault, changes: FaultChanges, options: AmendOptions = {}): Fault {
  const amended: FaultMembers = {
    ...fault,
    ...changes,
    message: changes.message ?? fault.message,
    recourse: changes.recourse ?? fault.recourse,
    effect: changes.effect ?? fault.effect,
    origin: changes.origin ?? fault.origin,
    basis: changes.basis ?? fault.basis,
  };
  const factsNow = () => ({ ...factsOf(amended), repeatable: options.repeatable });
  const recourse = Object.freeze(movesFor(fault, changes, factsNow));
  const members = recourse === amended.recourse ? amended : { ...amended, recourse };
  const copy = packFault(members, options.provenance ?? readProvenance(fault));
  if (rebuildOf(fault) !== undefined) noteUnjudged(copy, () => amendFault(judgedFault(fault), changes, options));
  return changes.effect === undefined ? keepAssumption(copy, fault) : copy;
}

/** A fault as it may leave this program: built again if its texts could not be judged where it was made. */
export function judgedFault(fault: Fault): Fault {
  const rebuild = isSearchInstalled() ? rebuildOf(fault) : undefined;
  return rebuild === undefined ? fault : limitReading(rebuild);
}

/** The fault of a call that is safe to make twice: derived moves are derived again, and moves that an author chose stay. */
export function repeatableFault(fault: Fault): Fault {
  if (!isDerived(fault)) return fault;
  const recourse = deriveRecourse({ ...factsOf(fault), repeatable: true });
  return amendFault(fault, { recourse }, { repeatable: true });
}

const DECISIVE = ["effect", "retry", "issues"] as const satisfies readonly (keyof FaultChanges)[];

function movesFor(fault: Fault, changes: FaultChanges, factsNow: () => RecourseFacts): Fault["recourse"] {
  if (changes.recourse !== undefined) return permittedMoves(changes.recourse, factsNow());
  if (!DECISIVE.some((name) => name in changes && changes[name] !== fault[name])) return fault.recourse;
  return isDerived(fault) ? deriveRecourse(factsNow()) : permittedMoves(fault.recourse, factsNow());
}

function factsOf(fault: FaultMembers): RecourseFacts {
  const { effect, retry, issues, recourse } = fault;
  return { kind: knownKind(fault), effect, retry, issues, afterMs: recourse[0].afterMs };
}

/** Whether the moves of a fault are the derived ones, for a call that is safe to make twice or for one that is not. */
function isDerived(fault: Fault): boolean {
  const facts = factsOf(fault);
  return [false, true].some((repeatable) => isSameRecourse(deriveRecourse({ ...facts, repeatable }), fault.recourse));
}

function isSameRecourse(some: readonly Recourse[], others: readonly Recourse[]): boolean {
  return JSON.stringify(some) === JSON.stringify(others);
}

/** A fault on a wire. Every reader derives the moves that are missing. */
export type SentFault = Omit<Fault, "recourse" | "cause"> & {
  readonly recourse?: Fault["recourse"];
  readonly cause?: SentFault;
};

/**
 * The fault as it is sent: without the moves that `readFault` derives from the other members, in its causes too. Everything
 * else is sent, `class` as well, since a reader that does not know the kind needs it.
 */
export function toSentFault(fault: Fault): SentFault {
  const { recourse, cause, ...rest } = fault;
  const { effect, retry, issues } = fault;
  const isChosen = !isSameRecourse(deriveRecourse({ kind: knownKind(fault), effect, retry, issues }), recourse);
  const sent = { ...rest, ...(isChosen && { recourse }), ...(cause !== undefined && { cause: toSentFault(cause) }) };
  noteSentForm(sent, fault);
  return sent;
}

const EFFECT_SEVERITY: Readonly<Record<Effect, number>> = { none: 0, possible: 1, applied: 2 };

/** The worse of two effects. A later attempt does not undo what an earlier one may have done. */
export function worseEffect(one: Effect, other: Effect): Effect {
  return EFFECT_SEVERITY[one] >= EFFECT_SEVERITY[other] ? one : other;
}

/** What a server or client adds to a fault before sending it. */
export interface Stamps {
  /** Where the fault was made. @default the origin that the fault has */
  readonly origin?: Origin | undefined;
  /** The id of the incident, made with `formatId`. Set it if `shouldReport` returns true. @default none */
  readonly incident?: string | undefined;
  /** When it happened, as an ISO 8601 time. @default none */
  readonly at?: string | undefined;
  /** The W3C traceparent of the request. @default none */
  readonly trace?: string | undefined;
  /** The base URL of the pages about reasons. The fault then links to the page of its reason. @default no link */
  readonly docsBase?: string | undefined;
}

/**
 * A copy of a fault with origin, incident, time, trace and documentation link.
 *
 * A fault of the kind `unauthenticated` gets only the origin: all refusals of credentials must look alike.
 */
export function stampFault(fault: Fault, stamps: Stamps): Fault {
  const origin = FAULT_MEMBERS.origin.clean(stamps.origin) ?? fault.origin;
  if (knownKind(fault) === "unauthenticated") return unstamped(amendFault(fault, { origin }));
  return amendFault(fault, {
    origin,
    incident: readId(stamps.incident) ?? fault.incident,
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

/** The fault without texts, for where no filter may read them any more: only words of the contract and numbers stay. */
export function withoutTexts(fault: Fault): Fault {
  const [first, ...more] = fault.recourse;
  const bare = packFault(
    {
      v: 1,
      kind: fault.kind,
      class: fault.class,
      reason: fault.reason,
      message: KINDS[knownKind(fault)].fallbackMessage,
      recourse: Object.freeze([plainMove(first), ...more.map(plainMove)] as const),
      effect: fault.effect,
      retry: fault.retry,
      origin: Object.freeze({ layer: fault.origin.layer }),
      basis: fault.basis,
      tried: fault.tried,
      incident: fault.incident,
      at: fault.at,
      trace: fault.trace,
    },
    readProvenance(fault),
  );
  return keepAssumption(bare, fault);
}

/** The verb of a move and its number: no sender can put words into these. */
export function plainMove({ do: move, afterMs }: Recourse): Recourse {
  return { do: move, ...(afterMs !== undefined && { afterMs }) };
}

/**
 * Removes secrets from a finished fault, such as credentials of the request that were not known when it was built.
 * A text that contains a secret is removed as a whole, and a message is replaced by the general message of its kind.
 */
export function redactSecrets(fault: Fault, secrets?: SecretFilter): Fault {
  return limitReading(() => redact(fault, secrets));
}

function redact(fault: Fault, secrets: SecretFilter | undefined): Fault {
  const isSecret = (text: string) => containsSecret(text, secrets);
  const cleanCause = fault.cause && redact(fault.cause, secrets);
  if (cleanCause === fault.cause && !someText(fault, isSecret)) return fault;
  const { cause: _cause, ...own } = fault;
  // A message may show a part of a param, or a quoted form of it.
  const isTainted = isSecret(fault.message) || someText(fault.params, isSecret);
  const message = isTainted ? KINDS[knownKind(fault)].fallbackMessage : fault.message;
  // The message is set after reading: a word in an authored sentence may be a secret by coincidence.
  const clean = readOwnFault({ ...own, message: "-" }, { secrets });
  if (clean === undefined) return withoutTexts(fault);
  return keepAssumption(packFault({ ...clean, message, cause: cleanCause }, readProvenance(fault)), fault);
}

/** Tells whether any text in a value passes a test. Texts are tested as they are, not as JSON escapes them. */
function someText(value: unknown, test: (text: string) => boolean): boolean {
  if (typeof value === "string") return test(value);
  if (typeof value !== "object" || value === null) return false;
  for (const name in value) if (someText((value as Readonly<Record<string, unknown>>)[name], test)) return true;
  return false;
}
