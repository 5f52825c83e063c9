import type { TableReason } from "../../dialects/dialect.ts";
import type { FaultDetails } from "../../fault/build.ts";
import { FaultError } from "../../fault/error.ts";
import type { Fault } from "../../fault/fault.ts";
import { KINDS, type Kind, type StatedKind } from "../../fault/kinds.ts";
import { type Stamps, stampFault } from "../../fault/stamp.ts";
import { fail } from "../../reasons/fail.ts";
import { anyDetails } from "./details.ts";
import { type Arbitrary, type Combinators, objectWith, shortList } from "./fast-check.ts";
import { anyCall, LIBRARY_REASONS } from "./reason-calls.ts";
import { anyText } from "./text.ts";

/** Options of the generated faults. */
export interface FaultOptions {
  /**
   * The kind of the faults. Their causes may have any kind.
   *
   * @default any kind
   */
  readonly kind?: Kind | undefined;
  /**
   * The reasons of the faults. Their causes may have any reason.
   *
   * @default the reasons of the library, and ad hoc faults
   */
  readonly reasons?: readonly TableReason[] | undefined;
}

/** Values that fit no slot. */
export const INVALID_VALUES: readonly unknown[] = [Number.NaN, null, "", [], {}, true];

/** Any stamps, valid and invalid. */
export function anyStamps(fc: Combinators): Arbitrary<Stamps> {
  return objectWith<Omit<Stamps, "origin">>(fc, [], {
    incident: fc.constantFrom("01ARYZ6S41TSV4RRFFQ69G5FAV", "x"),
    at: fc.constantFrom("2026-11-15T02:00:00.000Z", "x"),
    trace: fc.constantFrom("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "x"),
    docsBase: fc.oneof<string>(fc.constantFrom("https://docs.example.com/reasons/", "/docs", "nowhere"), anyText(fc)),
  });
}

/** Builds a fault with a cause. */
type FaultBuilder = (cause: Fault | undefined) => Fault;

/** Builds a fault of one of the reasons. */
function fromReason(fc: Combinators, reasons: readonly TableReason[]): Arbitrary<FaultBuilder> {
  return anyCall(fc, { reasons, invalid: fc.constantFrom(...INVALID_VALUES) }).map(
    ({ reason, params, details }) =>
      (cause) =>
        reason.fault(params, { ...details, ...causedBy(cause) }),
  );
}

/** Builds an ad hoc fault. */
function fromTemplate(fc: Combinators, kinds: readonly StatedKind[]): Arbitrary<FaultBuilder> {
  const values = fc.array(anyText(fc), { minLength: 1, maxLength: 4 });
  return fc
    .tuple<[StatedKind, string[], FaultDetails]>(fc.constantFrom(...kinds), values, anyDetails(fc))
    .map(([kind, texts, details]) => {
      const literals = ["It was ", ...texts.map(() => ", ")];
      const template = Object.assign(literals, { raw: literals }) as TemplateStringsArray;
      return (cause) => fail[kind]({ ...details, ...causedBy(cause) })(template, ...texts).fault;
    });
}

function causedBy(cause: Fault | undefined): { readonly cause?: FaultError } {
  return cause === undefined ? {} : { cause: new FaultError(cause) };
}

/** Builds a fault of one of the kinds. The kind `unknown` is for decoders and has no ad hoc form. */
function anyBuilder(fc: Combinators, kinds: readonly Kind[]): Arbitrary<FaultBuilder> {
  const stated = kinds.filter((kind): kind is StatedKind => kind !== "unknown");
  const ofLibrary = LIBRARY_REASONS.filter((one) => kinds.includes(one.kind));
  const reason = { weight: 4, arbitrary: fromReason(fc, ofLibrary) };
  return stated.length === 0
    ? reason.arbitrary
    : fc.oneof<FaultBuilder>(reason, { weight: 1, arbitrary: fromTemplate(fc, stated) });
}

/** Any fault that the library can build: some stamped, some with causes. */
export function anyFault(fc: Combinators, { kind, reasons }: FaultOptions = {}): Arbitrary<Fault> {
  const all = Object.keys(KINDS) as Kind[];
  const causes = shortList(fc, anyBuilder(fc, all), 5);
  const stamps = fc.oneof<Stamps>({ weight: 1, arbitrary: fc.constant({}) }, { weight: 4, arbitrary: anyStamps(fc) });
  const chosen = reasons?.filter((reason) => kind === undefined || reason.kind === kind);
  const builder = chosen === undefined ? anyBuilder(fc, kind === undefined ? all : [kind]) : fromReason(fc, chosen);
  return fc
    .tuple<[FaultBuilder, FaultBuilder[], Stamps]>(builder, causes, stamps)
    .map(([build, causeBuilders, marks]) => {
      const cause = causeBuilders.reduce<Fault | undefined>((inner, outer) => outer(inner), undefined);
      return stampFault(build(cause), marks);
    });
}
