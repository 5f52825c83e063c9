/** All copies of the package in a process share one table. It is not part of the fault, so no peer can write it. */
const PROVENANCE_TABLE = Symbol.for("recourse/provenance");

/** What is known about the sender's part in a fault that this process received. Faults that it built have none. */
export interface Provenance {
  /**
   * Who wrote the message: this library, from a template of its own, or the sender. `own` means that the reader answers for
   * the sentences of the sender.
   */
  readonly message: "library" | "own" | "sender";
  /** Whose words all other texts are. `own` means that this process chose to show them and answers for them. */
  readonly texts: "own" | "sender";
  /** Tools in the moves that the sender is known to list. @default none */
  readonly tools?: readonly string[];
  /** The texts of the sender have passed the option `foreignText`, so they may leave this process. @default false */
  readonly released?: boolean;
}

/** The provenance of a fault that was decoded from codes: the message is the library's, other texts are not. */
export const DECODED: Provenance = Object.freeze({ message: "library", texts: "sender" });
/** The provenance of a fault that was read from JSON as it stands. */
export const AS_SENT: Provenance = Object.freeze({ message: "sender", texts: "sender" });
/** The provenance of a fault of a server that its reader calls its own (`speaksFaults`): its texts are shown as they are. */
export const ADOPTED: Provenance = Object.freeze({ message: "own", texts: "own" });
/** The same for a fault that such a server passes on: what others wrote in it stays theirs. */
export const RELAYED: Provenance = Object.freeze({ message: "own", texts: "sender" });
/** The provenance of a fault whose texts this process has chosen from a reply, by the option `foreignText`. */
export const RELEASED: Provenance = Object.freeze({
  message: "library",
  texts: "own",
  released: true,
});

/** Stands in the table for faults that were built in this process. */
const OWN = Symbol.for("recourse/own");
/** Stands in the table for the sent form of such a fault, which lacks what readers derive. */
const SENT = Symbol.for("recourse/own-sent");
type ProvenanceEntry = Provenance | typeof OWN | typeof SENT;

/** The provenance of a fault; undefined if this process built it, or if nothing is known about it. */
export function readProvenance(fault: object): Provenance | undefined {
  const entry = table().get(fault);
  return typeof entry === "symbol" ? undefined : entry;
}

/** Whether a copy of this package built a fault in this process, from reasons and values of its author. */
export function isBuiltHere(fault: object): boolean {
  return table().get(fault) === OWN;
}

/** Notes that a fault was built here, or who sent it. */
export function setProvenance(fault: object, provenance: Provenance | undefined): void {
  table().set(fault, provenance ?? OWN);
}

/** Notes that a value is the sent form of a fault, if the fault was built here. */
export function noteSentForm(written: object, fault: object): void {
  if (isBuiltHere(fault)) table().set(written, SENT);
}

/** Whether a value is the sent form of a fault that was built in this process. */
export function isOwnSentForm(value: object): boolean {
  return table().get(value) === SENT;
}

/** Whether a fault went through this package in this process, so that its members are checked and frozen. */
export function isChecked(fault: object): boolean {
  return table().has(fault) && !isOwnSentForm(fault);
}

function table(): WeakMap<object, ProvenanceEntry> {
  const shared = globalThis as { [PROVENANCE_TABLE]?: WeakMap<object, ProvenanceEntry> };
  shared[PROVENANCE_TABLE] ??= new WeakMap();
  return shared[PROVENANCE_TABLE];
}

/** Whether texts in a fault are those of another program. */
export function isReceived(fault: object): boolean {
  return readProvenance(fault)?.texts === "sender";
}

/** All copies of the package in a process share one set. It is not part of the fault, so no peer can write it. */
const SET = Symbol.for("recourse/assumed-effects");

/** Notes that the effect of a fault is what is usual for its kind, because its author stated none. */
export function noteAssumedEffect(fault: object): void {
  assumed().add(fault);
}

/** Whether the effect of a fault is only the default of its kind. Code that knows the call better may correct it. */
export function isEffectAssumed(fault: object): boolean {
  return assumed().has(fault);
}

/** Lets a copy of a fault with the same effect say as much about it as the original. Returns the copy. */
export function keepAssumption<F extends object>(copy: F, original: object): F {
  if (isEffectAssumed(original)) noteAssumedEffect(copy);
  return copy;
}

function assumed(): WeakSet<object> {
  const shared = globalThis as { [SET]?: WeakSet<object> };
  shared[SET] ??= new WeakSet();
  return shared[SET];
}
