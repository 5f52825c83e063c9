import {
  type AnyReason,
  amendFault,
  DOMAIN_NAME,
  defineReason,
  type Effect,
  type FaultDetails,
  FaultError,
  type Issue,
  isEffectAssumed,
  type ParamsOf,
  type Reason,
  type Recourse,
  type RetryAdvice,
  type StatedKind,
  slot,
} from "@recourse/core";
import { ADAPTER_ERROR_BRAND, ADAPTER_IDENTIFIER, adapterErrorFault, incidentCause } from "@recourse/core/proxy";
import { adapter, LIBRARY_REASONS, toFault } from "@recourse/core/reasons";

/** What a failure says beyond its identifier and params. */
export interface AdapterErrorDetails {
  /** The error behind this failure. It goes only to your sink, never to a caller. @default none */
  readonly cause?: unknown;
  /**
   * Whether the backend changed anything. @default the declared effect, or what the tool's annotations and the kind imply
   */
  readonly effect?: Effect;
  /** Whether and when the same call may be repeated. @default the declared advice */
  readonly retry?: RetryAdvice;
  /** The arguments that the failure is about. @default none */
  readonly issues?: readonly Issue[];
}

/** Options of an `AdapterError`. */
export interface AdapterErrorOptions extends AdapterErrorDetails {
  /** Values for the slots of the declared text. @default {} */
  readonly params?: Readonly<Record<string, unknown>>;
}

/**
 * A failure of a backend, by its identifier. Tools throw it.
 *
 * In a handler of an adapter use `context.fail`, elsewhere `failFor`: both check identifier and params at compile time. The
 * constructor is for identifiers that are known only at run time, and for guarded tools without an adapter. An identifier
 * that no adapter declares becomes `adapter/failed`, which names it: up to 60 letters, digits and `_`, with a letter first.
 */
export class AdapterError extends Error {
  override readonly name = "AdapterError";
  /** The identifier, as a key of the adapter's `faults`. */
  readonly identifier: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Whether the backend changed anything, if this failure states it. */
  readonly effect: Effect | undefined;
  /** Whether and when the same call may be repeated, if this failure states it. */
  readonly retry: RetryAdvice | undefined;
  readonly issues: readonly Issue[] | undefined;
  /** @internal */
  readonly [ADAPTER_ERROR_BRAND] = true;

  constructor(identifier: string, options: AdapterErrorOptions = {}) {
    super(identifier, options.cause === undefined ? undefined : { cause: options.cause });
    this.identifier = identifier;
    this.params = options.params ?? {};
    this.effect = options.effect;
    this.retry = options.retry;
    this.issues = options.issues;
  }

  /** Recognises an `AdapterError` of any copy of the package. It runs no code of the value. */
  static is(value: unknown): value is AdapterError {
    if (typeof value !== "object" || value === null) return false;
    try {
      return Reflect.getOwnPropertyDescriptor(value, ADAPTER_ERROR_BRAND)?.value === true;
    } catch {
      return false;
    }
  }
}

/** One failure that an adapter declares. */
export interface FaultSpec {
  /** What has to happen next, as one of the library's kinds. */
  readonly kind: StatedKind;
  /** One sentence for the model. `{name}` is replaced by the slot of that name; a part in `[…]` is left out without its value. */
  readonly text: string;
  /** The values that the text takes, such as `{ left: slot.integer }`. @default {} */
  readonly slots?: AnyReason["slots"];
  /** Whether and when the same call may be repeated. @default decided by the kind */
  readonly retry?: RetryAdvice;
  /** Whether the backend changed anything before this failure. @default decided by the kind and the tool's annotations */
  readonly effect?: Effect;
  /** The next moves of the caller. @default the moves of the kind */
  readonly recourse?: readonly Recourse[];
}

/** The failures of an adapter by their identifiers. */
export type FaultSpecs = Readonly<Record<string, FaultSpec>>;

/** The params of a declared failure, from its slots; any params if the failures are not known at compile time. */
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

export type DeclaredReasons = ReadonlyMap<string, Reason>;

/** The domain of reasons that are made in place with `fail`. */
const ADHOC = "adhoc";

/** Makes a reason of each declared failure: `ORDER_NOT_FOUND` of `shop` becomes `shop/order_not_found`. */
export function declareReasons(domain: string, faults: FaultSpecs): DeclaredReasons {
  const refuse = (problem: string): never => {
    throw new TypeError(`"${domain}" cannot be the name of an adapter: ${problem}`);
  };
  if (!DOMAIN_NAME.test(domain)) refuse("use up to 40 lower-case letters, digits and _, with a letter first");
  if (domain === ADHOC || Object.hasOwn(LIBRARY_REASONS, domain))
    refuse("it is a domain of the library, so choose another name");
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
    const { kind, text, slots, retry, effect, recourse } = spec;
    const details = { ...(retry && { retry }), ...(effect && { effect }), ...(recourse && { recourse }) };
    const all = { ...slots, originalError: slot.oneOf([identifier]) };
    const reason = defineReason(`${domain}/${name}`, { kind, text, slots: all, details } as never);
    reasons.set(identifier, reason as Reason);
  }
  return reasons;
}

interface AnnotatedTool {
  readonly annotations?: { readonly readOnlyHint?: boolean; readonly idempotentHint?: boolean };
}

/** What the annotations of a tool say about every failure: a tool that only reads changed nothing. */
export function effectByAnnotations({ annotations }: AnnotatedTool): Pick<FaultDetails, "effect" | "repeatable"> {
  const { readOnlyHint, idempotentHint } = annotations ?? {};
  if (readOnlyHint === true) return { effect: "none", repeatable: true };
  return idempotentHint === true ? { repeatable: true } : {};
}

/**
 * The fault for what a handler threw. A declared identifier becomes its own reason, a fault stays unchanged, any other
 * identifier is named in a failure of the backend, and everything else is such a failure with a constant text. The thrown
 * value is the cause, which goes only to the operator.
 */
export function translate(thrown: unknown, reasons: DeclaredReasons, tool: AnnotatedTool): FaultError {
  if (FaultError.is(thrown)) return thrown;
  const known = effectByAnnotations(tool);
  const reason = AdapterError.is(thrown) ? reasons.get(thrown.identifier) : undefined;
  if (reason !== undefined) return declaredFault(thrown as AdapterError, reason, known);
  const undeclared = adapterErrorFault(thrown, known);
  return undeclared ? new FaultError(undeclared, { cause: thrown }) : backendFault(thrown, known);
}

function declaredFault(thrown: AdapterError, reason: Reason, known: FaultDetails): FaultError {
  const { identifier, retry, issues } = thrown;
  const params = { ...thrown.params, originalError: identifier } as never;
  const usual = reason.fault(params);
  // An effect that the author declares stands, whatever the annotations of the tool say.
  const effect = thrown.effect ?? (isEffectAssumed(usual) ? known.effect : usual.effect);
  // The fault already names the identifier; the operator needs only the error behind it.
  const stated = { ...(effect && { effect }), ...(retry && { retry }), ...(issues && { issues }) };
  return reason(params, { ...known, ...stated, cause: thrown.cause });
}

/** Failures that say no more than that the backend failed. */
const PLAIN_KINDS: readonly string[] = ["internal", "unknown", "upstream_failed", "cancelled"];

/** The texts of services in a fault are chosen by the server's option `foreignText`. */
const BY_OPTION = { message: "library", texts: "own" } as const;

/** The thrown error decides by its class, members and codes, never by its text. */
function backendFault(thrown: unknown, known: FaultDetails): FaultError {
  const fault = toFault(thrown);
  const { kind, effect, retry, basis } = fault;
  const cause = incidentCause(thrown);
  if (PLAIN_KINDS.includes(kind)) return adapter.failed({}, { ...known, cause });
  if (kind === "unavailable" && retry?.allowed !== false) {
    const stated = { effect, basis, ...(retry && { retry }) };
    return adapter.unavailable({}, { ...stated, ...known, cause });
  }
  const { effect: knownEffect = effect, repeatable } = known;
  const amended = amendFault(fault, { effect: knownEffect }, { repeatable, provenance: BY_OPTION });
  return new FaultError(amended, { cause });
}
