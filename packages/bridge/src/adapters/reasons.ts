import { defineReason, type Reason, slot } from "@recourse/faults";
import type { FaultSpec, FaultSpecs } from "./spec.ts";

/** The reasons of an adapter by the identifiers that its tools throw. */
export type DeclaredReasons = ReadonlyMap<string, Reason>;

const DOMAIN = /^[a-z][a-z0-9_]{0,39}$/;
const IDENTIFIER = /^[A-Za-z][A-Za-z0-9_]{0,59}$/;

/** Domains whose reasons have their pages already: nobody else may speak in their name. */
export const TAKEN: ReadonlySet<string> = new Set([
  "adapter",
  "adhoc",
  "auth",
  "completion",
  "content",
  "core",
  "elicitation",
  "idempotency",
  "notification",
  "pagination",
  "progress",
  "prompt",
  "protocol",
  "resource",
  "rest",
  "sampling",
  "task",
  "tool",
  "transport",
]);

/** Makes a reason of each declared failure: `ORDER_NOT_FOUND` of `shop` is `shop/order_not_found`. */
export function declareReasons(domain: string, faults: FaultSpecs): DeclaredReasons {
  if (!DOMAIN.test(domain) || TAKEN.has(domain)) {
    throw new TypeError(`"${domain}" cannot be the name of an adapter: ${DOMAIN.source}, and no domain of the library`);
  }
  const reasons = new Map<string, Reason>();
  const names = new Set<string>();
  for (const [identifier, spec] of Object.entries(faults)) {
    const name = identifier.toLowerCase();
    if (!IDENTIFIER.test(identifier)) throw new TypeError(`"${identifier}" is no identifier: ${IDENTIFIER.source}`);
    if (names.has(name)) throw new TypeError(`two failures of ${domain} would be ${domain}/${name}`);
    names.add(name);
    reasons.set(identifier, reasonFor(`${domain}/${name}`, identifier, spec));
  }
  return reasons;
}

function reasonFor(id: `${string}/${string}`, identifier: string, spec: FaultSpec): Reason {
  const { kind, text, slots, retry, effect, recourse } = spec;
  return defineReason(id, {
    kind,
    text,
    slots: { ...slots, originalError: slot.oneOf([identifier]) },
    details: { ...(retry && { retry }), ...(effect && { effect }), ...(recourse && { recourse }) },
  } as never) as Reason;
}
