import { createReason } from "../create-reason.ts";
import type { CheckedId, CheckedSpec, Reason, ReasonSpec } from "../reason-type.ts";

/**
 * Defines a reason of the library. Tests check the definitions, so that those who import a reason do not pay for the checks
 * in bytes.
 */
/* @__NO_SIDE_EFFECTS__ */
export function defineReason<const Id extends string, const S extends ReasonSpec>(
  id: CheckedId<Id>,
  spec: CheckedSpec<S>,
): Reason<Id, S> {
  return createReason(id, spec as ReasonSpec) as unknown as Reason<Id, S>;
}
