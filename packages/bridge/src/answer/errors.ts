import type { AnyReason, Fault, Rest } from "@recourse/faults";
import { memberAt, objectAt } from "../document/json.ts";

/** A reason that an author chose for a status; its slots take what fits them. */
export interface ErrorReason extends AnyReason {
  fault(params: never, rest?: Rest): Fault;
}

/** The statuses that a reason can be chosen for. */
export type ErrorStatus = number | "4XX" | "5XX" | "default";

/** The author's own reasons by status; the most exact one counts. */
export type Errors = Readonly<Partial<Record<ErrorStatus, ErrorReason>>>;

/** The reason that an author chose for a status, if any. */
export function reasonFor(errors: Errors, status: number): ErrorReason | undefined {
  const range = status >= 500 ? "5XX" : "4XX";
  return errors[status] ?? (status >= 400 && status <= 599 ? (errors[range] ?? errors.default) : undefined);
}

/** The fault of an author's reason: its slots are filled from members of the body that have their names and fit them. */
export function ownFault(reason: ErrorReason, body: unknown, rest: Rest): Fault {
  const params: Record<string, unknown> = {};
  for (const [name, slot] of Object.entries(reason.slots)) {
    const value = memberAt(body, name) ?? memberAt(objectAt(body, "error"), name);
    if (value !== undefined && slot.read(value, rest) !== null) params[name] = value;
  }
  return reason.fault(params as never, rest);
}
