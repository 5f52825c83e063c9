import type { Details } from "../../fault/build.ts";
import type { AnyReason } from "../../reasons/define.ts";
import { anyDetails } from "./details.ts";
import { type Arbitrary, type Combinators, few, objectWith } from "./fast-check.ts";
import type { LooseReason } from "./reasons.ts";
import { anyText } from "./text.ts";

/** One call of a reason: with it a fault can be built. */
export interface ReasonCall {
  readonly reason: LooseReason;
  readonly params: Readonly<Record<string, unknown>>;
  readonly rest: Details;
}

/** What calls are made of. */
export interface CallOptions {
  readonly reasons: readonly LooseReason[];
  /** Values that fit no slot. */
  readonly misfit: Arbitrary<unknown>;
}

const shaped = (value: string): string => value.replaceAll(/[^A-Za-z0-9]/g, "x");

/** Values that fit, by the type of the slot; all others take text. */
function fitting(fc: Combinators): Readonly<Record<string, Arbitrary<unknown>>> {
  return {
    integer: fc.oneof<number>(fc.integer({ min: -0x80000000, max: 0x7fffffff }), fc.constant(-0)),
    number: fc.double(),
    duration: fc.oneof<number>(fc.nat(), fc.constantFrom(-0, 999, 1000, 60_000)),
    boolean: fc.boolean(),
    gtin: fc.constantFrom("04012345678901", "12345678"),
    date: fc.constantFrom("2026-11-15", "2026-11-15T02:00:00Z"),
    pointer: fc.constantFrom("", "/a/0"),
    id: fc.constant("01ARYZ6S41TSV4RRFFQ69G5FAV"),
    method: fc.constantFrom("tools/call", "initialize"),
    media: fc.constantFrom("application/json", "text/plain"),
    uri: fc.oneof<string>(
      fc.constantFrom("file:///a", "https://example.com/x?a=b"),
      anyText(fc).map((value) => `urn:x:${shaped(value)}`),
    ),
  };
}

/** A call of one of the reasons; most values fit their slots, some do not, any may be missing. */
export function anyCall(fc: Combinators, { reasons, misfit }: CallOptions): Arbitrary<ReasonCall> {
  const [byType, text, rest] = [fitting(fc), anyText(fc), anyDetails(fc)];

  function valueFor(type: string): Arbitrary<unknown> {
    const fit = type.startsWith("list of ") ? few(fc, valueFor(type.slice(8)), 12) : (byType[type] ?? text);
    return fc.oneof<unknown>(
      { weight: 8, arbitrary: fit },
      { weight: 1, arbitrary: text },
      { weight: 1, arbitrary: misfit },
    );
  }

  function paramsFor(reason: AnyReason): Arbitrary<Readonly<Record<string, unknown>>> {
    const members = Object.entries(reason.slots).map(([name, slot]) => [name, valueFor(slot.type)] as const);
    return objectWith<Record<string, unknown>>(fc, [], Object.fromEntries(members));
  }

  return fc.constantFrom(...reasons).chain((reason) =>
    fc.tuple<[Readonly<Record<string, unknown>>, Details]>(paramsFor(reason), rest).map(([params, more]) => ({
      reason,
      params,
      rest: more,
    })),
  );
}
