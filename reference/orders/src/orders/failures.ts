import { type FaultSpecs, failFor } from "@recourse/bridge";
import { type FaultError, type Issue, type IssueRule, slot } from "@recourse/faults";
import { core } from "@recourse/faults/reasons";
import { ORDER_ID, ORDER_STATUSES } from "./order.ts";

/** Every failure that callers can act on, with a text for the model. Both backends have the same failures. */
export const FAILURES = {
  ORDER_NOT_FOUND: {
    kind: "not_found",
    text: "Order {order} does not exist.",
    slots: { order: slot.pattern(ORDER_ID) },
  },
  INVALID_ORDER_STATE: {
    kind: "precondition_failed",
    text: "Order {order} is {status}, so it cannot be cancelled any more.",
    slots: { order: slot.pattern(ORDER_ID), status: slot.oneOf(ORDER_STATUSES) },
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
    text: "What is stored about order {order} contradicts itself, and somebody has to repair it.",
    slots: { order: slot.pattern(ORDER_ID) },
    // A retry cannot succeed before the repair.
    retry: { allowed: false },
    recourse: [{ do: "ask_user" }],
  },
} as const satisfies FaultSpecs;

/** Makes the error for one of these failures; throw what it returns. */
export const fail = failFor(FAILURES);

/** The identifier of a declared failure. */
export type FailureIdentifier = keyof typeof FAILURES;

/** Whether a value is the identifier of a declared failure. */
export function isFailureIdentifier(value: unknown): value is FailureIdentifier {
  return typeof value === "string" && Object.hasOwn(FAILURES, value);
}

/** The reason if all arguments break the same rule. */
const REASON_BY_RULE: Partial<Readonly<Record<IssueRule, typeof core.missing_field | typeof core.invalid_format>>> = {
  required: core.missing_field,
  format: core.invalid_format,
};

/** The fault for arguments that suit the schema but not the data of the backend. */
export function invalidArguments(issues: readonly Issue[]): FaultError {
  const [first, ...rest] = issues;
  const isOneRule = first !== undefined && rest.every(({ rule }) => rule === first.rule);
  const reason = (isOneRule ? REASON_BY_RULE[first.rule] : undefined) ?? core.validation_failed;
  return reason({}, { issues });
}
