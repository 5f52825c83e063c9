import type { StatedKind } from "../fault/kinds.ts";
import { checkDefinition, checkDomain, checkName } from "./check-definition.ts";
import { createReason } from "./create-reason.ts";
import type { CheckedDomain, CheckedId, CheckedSpec, CheckedSpecs, Reason, ReasonSpec } from "./reason-type.ts";

/**
 * Defines a single reason, named `domain/name`, in the way of `defineReasons`. A mistake throws a `TypeError`.
 *
 * @example
 * const soldOut = defineReason("shop/sold_out", {
 *   kind: "precondition_failed",
 *   text: "Only {left} are left.",
 *   slots: { left: slot.integer },
 * });
 * throw soldOut({ left: 2 });
 */
/* @__NO_SIDE_EFFECTS__ */
export function defineReason<const Id extends string, const S extends ReasonSpec>(
  id: CheckedId<Id>,
  spec: CheckedSpec<S>,
): Reason<Id, S> {
  return createChecked(id, spec as ReasonSpec) as unknown as Reason<Id, S>;
}

/**
 * Defines the reasons of one domain. A mistake in a definition throws a `TypeError`.
 *
 * @example
 * export const orders = defineReasons("orders", {
 *   not_found: { kind: "not_found", text: "There is no order {id}.", slots: { id: slot.uuid } },
 *   already_paid: { kind: "conflict", text: "The order is already paid." },
 * });
 * throw orders.not_found({ id });
 */
/* @__NO_SIDE_EFFECTS__ */
export function defineReasons<
  const Domain extends string,
  const M extends Readonly<Record<string, ReasonSpec & { readonly kind: StatedKind }>>,
>(
  domain: CheckedDomain<Domain>,
  specs: CheckedSpecs<M>,
): { readonly [K in keyof M & string]: Reason<`${Domain}/${K}`, M[K]> } {
  checkDomain(domain);
  const reasons = Object.entries(specs as M).map(([name, spec]) => {
    checkName(name);
    return [name, createChecked(`${domain}/${name}`, spec)];
  });
  return Object.freeze(Object.fromEntries(reasons));
}

function createChecked(id: string, spec: ReasonSpec) {
  checkDefinition(id, spec);
  return createReason(id, spec);
}
