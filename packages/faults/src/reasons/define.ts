import { buildFault, type Details } from "../fault/build.ts";
import { pack } from "../fault/clean.ts";
import { FaultError } from "../fault/error.ts";
import type { Fault } from "../fault/fault.ts";
import type { Kind, StatedKind } from "../fault/kinds.ts";
import type { Nets } from "../safety/nets.ts";
import type { AnySlot, Slot, SlotValue } from "./slot-type.ts";
import { causeOf, type Rest, sparing } from "./sparing.ts";
import { compose, type DroppableNames, type NeededNames, parseTemplate } from "./template.ts";
import { statedFault } from "./unknown/stated.ts";

/** What an author writes down about one way to fail. */
export interface ReasonSpec {
  /** `unknown` is for decoders only. */
  readonly kind: Kind;
  /** One sentence; `{name}` stands for the slot of that name, `[…]` for a part that goes when its value is missing. */
  readonly text: string;
  readonly slots?: Readonly<Record<string, AnySlot>>;
  /** What every fault of this reason carries unless the call says otherwise. */
  readonly details?: Details;
}

type Slots<S extends ReasonSpec> =
  S["slots"] extends Readonly<Record<string, AnySlot>> ? S["slots"] : Readonly<Record<never, AnySlot>>;
type NamesWhere<S, Optional extends boolean> = {
  [K in keyof S]: S[K] extends Slot<infer _T, infer O> ? (O extends Optional ? K : never) : never;
}[keyof S];

/** The values that a reason takes, from its slots. */
export type ParamsOf<S extends ReasonSpec> = {
  readonly [K in NamesWhere<Slots<S>, false>]: SlotValue<Slots<S>[K]>;
} & { readonly [K in NamesWhere<Slots<S>, true>]?: SlotValue<Slots<S>[K]> };

/** The names of a sentence that its slots do not serve: unknown ones, and optional ones outside brackets. */
type Unserved<S extends ReasonSpec> =
  | Exclude<NeededNames<S["text"]>, NamesWhere<Slots<S>, false>>
  | Exclude<DroppableNames<S["text"]>, keyof Slots<S>>;
type Checked<S extends ReasonSpec> = [Unserved<S>] extends [never]
  ? S
  : { readonly text: `no slot for ${Unserved<S>}` };

type Args<P> = keyof P extends never
  ? [params?: Record<string, never> | undefined, rest?: Rest]
  : Partial<P> extends P
    ? [params?: P, rest?: Rest]
    : [params: P, rest?: Rest];

/** One way to fail: call it for a FaultError to throw, or `.fault(…)` for the data alone. */
export interface Reason<Id extends string = string, S extends ReasonSpec = ReasonSpec> {
  (...args: Args<ParamsOf<S>>): FaultError;
  readonly id: Id;
  readonly kind: S["kind"];
  readonly text: S["text"];
  readonly slots: Readonly<Record<string, AnySlot>>;
  fault(...args: Args<ParamsOf<S>>): Fault;
}

/** Any reason, whatever it takes. */
export interface AnyReason {
  readonly id: string;
  readonly kind: Kind;
  readonly text: string;
  readonly slots: Readonly<Record<string, AnySlot>>;
}

/** Defines one reason, named `domain/name`. */
/* @__NO_SIDE_EFFECTS__ */
export function defineReason<const Id extends `${string}/${string}`, const S extends ReasonSpec>(
  id: Id,
  spec: S & Checked<S>,
): Reason<Id, S> {
  const template = parseTemplate(spec.text);
  const slots = spec.slots ?? {};
  function build(params: Readonly<Record<string, unknown>>, rest: Rest): Fault {
    const { cause, ...details } = rest;
    const { message, params: shown } = compose(template, slots, params, rest);
    return buildFault({
      ...spec.details,
      ...pack<Details & Nets>(details),
      kind: spec.kind,
      reason: id,
      message,
      params: shown,
      cause: statedFault(cause, rest),
    });
  }
  function fault(params?: Readonly<Record<string, unknown>> | null, rest?: Rest | null): Fault {
    return sparing(build, params ?? {}, {}, rest);
  }
  function reason(params?: Readonly<Record<string, unknown>>, rest?: Rest): FaultError {
    return new FaultError(fault(params, rest), { cause: causeOf(rest) });
  }
  const members = { id, kind: spec.kind, text: spec.text, slots, fault };
  return Object.freeze(Object.assign(reason, members)) as unknown as Reason<Id, S>;
}

/** Defines the reasons of one domain. */
/* @__NO_SIDE_EFFECTS__ */
export function defineReasons<
  const Domain extends string,
  const M extends Record<string, ReasonSpec & { readonly kind: StatedKind }>,
>(
  domain: Domain,
  specs: { readonly [K in keyof M]: M[K] & Checked<M[K]> },
): { readonly [K in keyof M & string]: Reason<`${Domain}/${K}`, M[K]> } {
  const out: Record<string, unknown> = {};
  for (const [name, spec] of Object.entries(specs as Record<string, ReasonSpec>)) {
    out[name] = defineReason(`${domain}/${name}`, spec as never);
  }
  return Object.freeze(out) as { readonly [K in keyof M & string]: Reason<`${Domain}/${K}`, M[K]> };
}
