import {
  type AnyReason,
  defineReason,
  type Effect,
  type ParamsOf,
  type Reason,
  type Recourse,
  type RetryAdvice,
  type StatedKind,
  slot,
} from "@recourse/faults";
import { ADAPTER_IDENTIFIER, DOMAIN_NAME, LIBRARY } from "@recourse/faults/internal-do-not-use";
import { AdapterError, type AdapterErrorDetails } from "./adapter-error.ts";

/** One failure that an adapter declares. */
export interface FaultSpec {
  /** What has to happen next, as one of the library's kinds. */
  readonly kind: StatedKind;
  /** One sentence for the model. `{name}` is replaced by the slot of that name; a part in `[…]` is left out without its value. */
  readonly text: string;
  /**
   * The values that the text takes, such as `{ left: slot.integer }`.
   *
   * @default {}
   */
  readonly slots?: AnyReason["slots"];
  /**
   * Whether and when the same call may be repeated.
   *
   * @default decided by the kind
   */
  readonly retry?: RetryAdvice;
  /**
   * Whether the backend changed anything before this failure.
   *
   * @default decided by the kind and the tool's annotations
   */
  readonly effect?: Effect;
  /**
   * The next moves of the caller.
   *
   * @default the moves of the kind
   */
  readonly recourse?: readonly Recourse[];
}

/** The failures of an adapter by their identifiers. */
export type FaultSpecs = Readonly<Record<string, FaultSpec>>;

/** The params of a declared failure, from its slots; any params where the failures are not known at compile time. */
type ParamsIn<Faults extends FaultSpecs, Identifier extends keyof Faults> = string extends keyof Faults
  ? Readonly<Record<string, unknown>>
  : ParamsOf<Faults[Identifier]>;

type FailArguments<Params> = keyof Params extends never
  ? [params?: Record<string, never>, details?: AdapterErrorDetails]
  : Partial<Params> extends Params
    ? [params?: Params, details?: AdapterErrorDetails]
    : [params: Params, details?: AdapterErrorDetails];

/** Makes the error for a declared failure. Identifier and params are checked against the declaration at compile time. */
export type AdapterFail<Faults extends FaultSpecs> = <const Identifier extends keyof Faults & string>(
  identifier: Identifier,
  ...rest: FailArguments<ParamsIn<Faults, Identifier>>
) => AdapterError;

/**
 * Makes a typed `fail` for code outside of the handlers, such as a backend that throws the failures of its adapter.
 *
 * @example
 * export const FAULTS = {
 *   SOLD_OUT: { kind: "precondition_failed", text: "Only {left} are left.", slots: { left: slot.integer } },
 * } as const satisfies FaultSpecs;
 * export const fail = failFor(FAULTS);
 *
 * throw fail("SOLD_OUT", { left: 2 });
 */
export function failFor<const Faults extends FaultSpecs>(_faults: Faults): AdapterFail<Faults> {
  return (identifier, ...[params, details]) => new AdapterError(identifier, { ...details, ...(params && { params }) });
}

/** The reasons of an adapter by the identifiers of its failures. */
export type DeclaredReasons = ReadonlyMap<string, Reason>;

/** The domain of reasons that are made in place with `fail`. */
const ADHOC = "adhoc";

/** Makes a reason of each declared failure: `ORDER_NOT_FOUND` of `shop` becomes `shop/order_not_found`. */
export function declareReasons(domain: string, faults: FaultSpecs): DeclaredReasons {
  if (!DOMAIN_NAME.test(domain)) {
    const rule = "use up to 40 lower-case letters, digits and _, with a letter first";
    throw new TypeError(`"${domain}" cannot be the name of an adapter: ${rule}`);
  }
  if (domain === ADHOC || Object.hasOwn(LIBRARY, domain)) {
    const rule = "it is a domain of the library, so choose another name";
    throw new TypeError(`"${domain}" cannot be the name of an adapter: ${rule}`);
  }
  const reasons = new Map<string, Reason>();
  const names = new Set<string>();
  for (const [identifier, spec] of Object.entries(faults)) {
    const name = identifier.toLowerCase();
    if (!ADAPTER_IDENTIFIER.test(identifier)) {
      const rule = "use up to 60 letters, digits and _, with a letter first";
      throw new TypeError(`"${identifier}" cannot be the identifier of a failure: ${rule}`);
    }
    if (names.has(name))
      throw new TypeError(`two failures of ${domain} would both be ${domain}/${name}: rename one of them`);
    names.add(name);
    reasons.set(identifier, toReason(`${domain}/${name}`, identifier, spec));
  }
  return reasons;
}

function toReason(id: `${string}/${string}`, identifier: string, spec: FaultSpec): Reason {
  const { kind, text, slots, retry, effect, recourse } = spec;
  return defineReason(id, {
    kind,
    text,
    slots: { ...slots, originalError: slot.oneOf([identifier]) },
    details: { ...(retry && { retry }), ...(effect && { effect }), ...(recourse && { recourse }) },
  } as never) as Reason;
}
