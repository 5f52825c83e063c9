import type { FaultSpecs } from "@recourse/bridge";
import { slot } from "@recourse/faults";
import { STATUSES } from "./order.ts";

/** Every failure that callers of either backend can act on, in words that are meant for a model. */
export const FAILURES = {
  ORDER_NOT_FOUND: { kind: "not_found", text: "There is no such order." },
  INVALID_ORDER_STATE: {
    kind: "precondition_failed",
    text: "The order is {status}, so it cannot be cancelled any more.",
    slots: { status: slot.oneOf(STATUSES) },
    recourse: [{ do: "ask_user" }],
  },
  OUT_OF_STOCK: {
    kind: "precondition_failed",
    text: "Only {left} of {sku} are in stock.",
    slots: { left: slot.integer, sku: slot.text(20) },
    recourse: [{ do: "fix_input", fields: ["/items"] }],
  },
  KEY_REUSED: {
    kind: "conflict",
    text: "Another order was placed with this key.",
    recourse: [{ do: "stop" }],
  },
  TOO_MANY_ORDERS: {
    kind: "rate_limited",
    text: "This customer has placed {limit} orders within a minute, and more are not taken.",
    slots: { limit: slot.integer },
  },
  ORDER_INCONSISTENT: {
    kind: "upstream_failed",
    text: "What is stored about this order contradicts itself, and somebody has to repair it.",
    // It stays so until then, however often it is asked for.
    retry: { allowed: false },
    recourse: [{ do: "ask_user" }],
  },
} as const satisfies FaultSpecs;

/** The identifier of a declared failure. */
export type FailureName = keyof typeof FAILURES;

/** Tells whether a word names a declared failure. */
export function isFailureName(word: unknown): word is FailureName {
  return typeof word === "string" && Object.hasOwn(FAILURES, word);
}
