import { buildFault, type FaultDetails } from "../fault/build.ts";
import { pack } from "../fault/clean.ts";
import { FaultError } from "../fault/error.ts";
import type { Fault } from "../fault/fault.ts";
import type { StatedKind } from "../fault/kinds.ts";
import type { FilterOptions } from "../safety/show-line.ts";
import { buildSafely, causeIn, faultInside, type ReasonOptions } from "./build-safely.ts";
import { checkReasonDefinition, checkReasonDomain, checkReasonName } from "./check-definition.ts";
import { composeMessage, parseTemplate } from "./template.ts";
import type { CheckedDomain, CheckedId, CheckedSpec, CheckedSpecs, Reason, ReasonSpec } from "./types.ts";

type AnyValues = Readonly<Record<string, unknown>>;

/** Makes a reason of a definition that is known to be right. */
export function createReason(id: string, spec: ReasonSpec) {
  const { kind, text, slots = {}, details } = spec;
  const template = parseTemplate(text);
  function build(values: AnyValues, options: ReasonOptions): Fault {
    const { message, params } = composeMessage(template, slots, values, options);
    return buildFault({
      ...details,
      ...pack<FaultDetails & FilterOptions>(options),
      kind,
      reason: id,
      message,
      params,
      cause: faultInside(options.cause, options),
    });
  }
  function fault(values?: AnyValues | null, options?: ReasonOptions | null): Fault {
    return buildSafely(build, values ?? {}, {}, options);
  }
  function reason(values?: AnyValues, options?: ReasonOptions): FaultError {
    return new FaultError(fault(values, options), { cause: causeIn(options) });
  }
  return Object.freeze(Object.assign(reason, { id, kind, text, slots, fault }));
}

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
  checkReasonDomain(domain);
  const reasons = Object.entries(specs as M).map(([name, spec]) => {
    checkReasonName(name);
    return [name, createChecked(`${domain}/${name}`, spec)];
  });
  return Object.freeze(Object.fromEntries(reasons));
}

function createChecked(id: string, spec: ReasonSpec) {
  checkReasonDefinition(id, spec);
  return createReason(id, spec);
}
