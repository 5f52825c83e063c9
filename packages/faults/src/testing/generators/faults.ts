import type { Details } from "../../fault/build.ts";
import { FaultError } from "../../fault/error.ts";
import type { Fault } from "../../fault/fault.ts";
import { KINDS, type Kind, type StatedKind } from "../../fault/kinds.ts";
import { type Stamps, stamp } from "../../fault/stamp.ts";
import { fail } from "../../reasons/fail.ts";
import { anyCall } from "./calls.ts";
import { anyDetails } from "./details.ts";
import { type Arbitrary, type Combinators, few, objectWith } from "./fast-check.ts";
import { REASONS } from "./reasons.ts";
import { anyText } from "./text.ts";

/** Which faults are wanted. */
export interface FaultOptions {
  /** The kind of the fault; its causes may be of any kind. */
  readonly kind?: Kind | undefined;
}

const MISFITS = [Number.NaN, null, "", [], {}, true];

/** What a boundary may add to a fault, good and bad. */
export function anyStamps(fc: Combinators): Arbitrary<Stamps> {
  return objectWith<Omit<Stamps, "origin">>(fc, [], {
    incident: fc.constantFrom("01ARYZ6S41TSV4RRFFQ69G5FAV", "x"),
    at: fc.constantFrom("2026-11-15T02:00:00.000Z", "x"),
    trace: fc.constantFrom("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "x"),
    docsBase: fc.oneof<string>(fc.constantFrom("https://docs.example.com/reasons/", "/docs", "nowhere"), anyText(fc)),
    recorded: fc.boolean(),
  });
}

/** Builds a fault, given what caused it. */
type Build = (cause: Fault | undefined) => Fault;

/** A fault of one of the library's reasons. */
function fromReason(fc: Combinators, kinds: readonly Kind[]): Arbitrary<Build> {
  const reasons = REASONS.filter((reason) => kinds.includes(reason.kind));
  return anyCall(fc, { reasons, misfit: fc.constantFrom(...MISFITS) }).map(
    ({ reason, params, rest }) =>
      (cause) =>
        reason.fault(params, { ...rest, ...causedBy(cause) }),
  );
}

/** A fault that was written where it happened. */
function fromSentence(fc: Combinators, kinds: readonly StatedKind[]): Arbitrary<Build> {
  const values = fc.array(anyText(fc), { minLength: 1, maxLength: 4 });
  return fc
    .tuple<[StatedKind, string[], Details]>(fc.constantFrom(...kinds), values, anyDetails(fc))
    .map(([kind, said, rest]) => {
      const literals = ["It was ", ...said.map(() => ", ")];
      const template = Object.assign(literals, { raw: literals }) as TemplateStringsArray;
      return (cause) => fail[kind]({ ...rest, ...causedBy(cause) })(template, ...said).fault;
    });
}

function causedBy(cause: Fault | undefined): { readonly cause?: FaultError } {
  return cause === undefined ? {} : { cause: new FaultError(cause) };
}

/** A fault of one of the kinds; decoders alone may say that they do not know, so nobody writes that as a sentence. */
function anyBuild(fc: Combinators, kinds: readonly Kind[]): Arbitrary<Build> {
  const stated = kinds.filter((kind): kind is StatedKind => kind !== "unknown");
  const reason = { weight: 4, arbitrary: fromReason(fc, kinds) };
  return stated.length === 0
    ? reason.arbitrary
    : fc.oneof<Build>(reason, { weight: 1, arbitrary: fromSentence(fc, stated) });
}

/** Any fault that the library builds: some stamped, some with causes. */
export function anyFault(fc: Combinators, { kind }: FaultOptions = {}): Arbitrary<Fault> {
  const all = Object.keys(KINDS) as Kind[];
  const causes = few(fc, anyBuild(fc, all), 5);
  const stamps = fc.oneof<Stamps>({ weight: 1, arbitrary: fc.constant({}) }, { weight: 4, arbitrary: anyStamps(fc) });
  return fc
    .tuple<[Build, Build[], Stamps]>(anyBuild(fc, kind === undefined ? all : [kind]), causes, stamps)
    .map(([build, before, marks]) => {
      const cause = before.reduce<Fault | undefined>((inner, outer) => outer(inner), undefined);
      return stamp(build(cause), marks);
    });
}
