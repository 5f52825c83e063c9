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
export const DECODED: Provenance = /* @__PURE__ */ Object.freeze({ message: "library", texts: "sender" });
export const AS_SENT: Provenance = /* @__PURE__ */ Object.freeze({ message: "sender", texts: "sender" });
/** The provenance of a fault of a server that its reader calls its own (`speaksFaults`): its texts are shown as they are. */
export const ADOPTED: Provenance = /* @__PURE__ */ Object.freeze({ message: "own", texts: "own" });
/** The same for a fault that such a server passes on: what others wrote in it stays theirs. */
export const RELAYED: Provenance = /* @__PURE__ */ Object.freeze({ message: "own", texts: "sender" });
/** The provenance of a fault whose texts this process has chosen from a reply, by the option `foreignText`. */
export const RELEASED: Provenance = /* @__PURE__ */ Object.freeze({ message: "library", texts: "own", released: true });

/** What is known about a fault, or about its sent form. */
interface OriginRecord {
  /** Who sent it; `own` for one that was built in this process, and `own-sent` for its sent form, which lacks what readers derive. */
  readonly from: Provenance | "own" | "own-sent";
  /** The effect is what is usual for the kind, because the author stated none. */
  isEffectAssumed?: true;
  /** Builds it again, as it may leave the program: some of its texts were not judged where it was made. */
  rebuild?: () => object;
}

function table(): WeakMap<object, OriginRecord> {
  const shared = globalThis as { [PROVENANCE_TABLE]?: WeakMap<object, OriginRecord> };
  shared[PROVENANCE_TABLE] ??= new WeakMap();
  return shared[PROVENANCE_TABLE];
}

/** The provenance of a fault; undefined if this process built it, or if nothing is known about it. */
export function readProvenance(fault: object): Provenance | undefined {
  const from = table().get(fault)?.from;
  return typeof from === "string" ? undefined : from;
}

/** Whether a copy of this package built a fault in this process, from reasons and values of its author. */
export function isBuiltHere(fault: object): boolean {
  return table().get(fault)?.from === "own";
}

export function setProvenance(fault: object, provenance: Provenance | undefined): void {
  table().set(fault, { from: provenance ?? "own" });
}

/** Notes that a value is the sent form of a fault, if the fault was built here. */
export function noteSentForm(written: object, fault: object): void {
  if (!isBuiltHere(fault)) return;
  const rebuild = rebuildOf(fault);
  table().set(written, { from: "own-sent", ...(rebuild && { rebuild }) });
}

export function isOwnSentForm(value: object): boolean {
  return table().get(value)?.from === "own-sent";
}

/** Whether a fault went through this package in this process, so that its members are checked and frozen. */
export function isChecked(fault: object): boolean {
  return table().has(fault) && !isOwnSentForm(fault);
}

export function isReceived(fault: object): boolean {
  return readProvenance(fault)?.texts === "sender";
}

/** Notes that texts of a fault were not judged where it was made, and how it is built once they can be. */
export function noteUnjudged(fault: object, rebuild: () => object): void {
  const record = table().get(fault);
  if (record !== undefined) record.rebuild = rebuild;
}

/** Builds a fault whose texts were not judged again. Undefined if they were. */
export function rebuildOf<F extends object>(fault: F): (() => F) | undefined {
  return table().get(fault)?.rebuild as (() => F) | undefined;
}

export function noteAssumedEffect(fault: object): void {
  const record = table().get(fault);
  if (record !== undefined) record.isEffectAssumed = true;
}

/** Whether the effect of a fault is only the default of its kind, or a guess. Code that knows the call better may correct it. */
export function isEffectAssumed(fault: { readonly basis?: string }): boolean {
  return fault.basis === "guessed" || isDefaultEffect(fault);
}

function isDefaultEffect(fault: object): boolean {
  return table().get(fault)?.isEffectAssumed === true;
}

/** Lets a copy of a fault with the same effect say as much about it as the original. Returns the copy. */
export function keepAssumption<F extends object>(copy: F, original: object): F {
  if (isDefaultEffect(original)) noteAssumedEffect(copy);
  return copy;
}
