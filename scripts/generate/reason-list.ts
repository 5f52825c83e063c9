// The reasons of the library as data, for implementations in other languages.
import { deriveRecourse } from "../../packages/core/src/fault/build.ts";
import { KINDS, type Kind } from "../../packages/core/src/fault/kinds.ts";
import { LIBRARY_REASONS, type LibraryReason } from "../../packages/core/src/reasons/library/by-id.ts";

/** Kind, text and slots of every reason, by its id. What follows from the kind is left out. */
export function reasonList(): Readonly<Record<string, object>> {
  const reasons = Object.values(LIBRARY_REASONS).flatMap((domain): LibraryReason[] => Object.values(domain));
  const sorted = reasons.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  return Object.fromEntries(sorted.map((reason) => [reason.id, describeReason(reason)]));
}

function describeReason(reason: LibraryReason): object {
  const kind: Kind = reason.kind;
  const { effect, retry, recourse } = reason.fault({});
  const slots = Object.entries(reason.slots);
  const required = slots.filter(([, { optional }]) => !optional).map(([name]) => name);
  const isDerived = JSON.stringify(deriveRecourse({ kind, effect, retry })) === JSON.stringify(recourse);
  // A reason that offers `retry` although the call may have taken effect is about a call that is safe to repeat.
  const repeatable = !isDerived && effect !== "none" && recourse[0].do === "retry";
  return {
    kind,
    text: reason.text,
    ...(slots.length > 0 && { slots: Object.fromEntries(slots.map(([name, { type }]) => [name, slotWord(type)])) }),
    ...(required.length > 0 && { required }),
    ...(effect !== KINDS[kind].effect && { effect }),
    ...(retry !== undefined && { retry }),
    ...(repeatable && { repeatable }),
    ...(!isDerived && !repeatable && { recourse }),
  };
}

/** The type of a slot in one word: `text:64`, `list:text:64`, `integer`. */
function slotWord(type: string): string {
  return type.replace(/^list of /, "list:").replace(/^(list:)?text up to /, "$1text:");
}
