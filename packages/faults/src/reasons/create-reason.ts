import { buildFault, type FaultDetails } from "../fault/build.ts";
import { pack } from "../fault/clean.ts";
import { FaultError } from "../fault/error.ts";
import type { Fault } from "../fault/fault.ts";
import type { FilterOptions } from "../safety/filter-line.ts";
import { buildSafely, causeIn, faultInside, type ReasonOptions } from "./build-safely.ts";
import type { ReasonSpec } from "./reason-type.ts";
import { compose, parseTemplate } from "./template.ts";

type AnyValues = Readonly<Record<string, unknown>>;

/** Makes a reason of a definition that is known to be right. */
export function createReason(id: string, spec: ReasonSpec) {
  const { kind, text, slots = {}, details } = spec;
  const template = parseTemplate(text);
  function build(values: AnyValues, options: ReasonOptions): Fault {
    const { cause, ...own } = options;
    const { message, params } = compose(template, slots, values, options);
    return buildFault({
      ...details,
      ...pack<FaultDetails & FilterOptions>(own),
      kind,
      reason: id,
      message,
      params,
      cause: faultInside(cause, options),
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
