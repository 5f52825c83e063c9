import type { TableReason } from "../../dialects/dialect.ts";
import type { FaultDetails } from "../../fault/build.ts";
import { LIBRARY } from "../../reasons/library/by-id.ts";
import type { AnyReason } from "../../reasons/reason-type.ts";
import { anyDetails } from "./details.ts";
import { type Arbitrary, type Combinators, objectWith, shortList } from "./fast-check.ts";
import { anyText } from "./text.ts";

/** Every reason of the library. */
export const LIBRARY_REASONS: readonly TableReason[] = Object.values(LIBRARY).flatMap(
  (module) => Object.values(module) as unknown as TableReason[],
);

/** A reason with the arguments to build a fault of it. */
export interface ReasonCall {
  readonly reason: TableReason;
  readonly params: Readonly<Record<string, unknown>>;
  readonly details: FaultDetails;
}

/** Options of the generated calls. */
export interface ReasonCallOptions {
  readonly reasons: readonly TableReason[];
  /** Values that fit no slot. */
  readonly invalid: Arbitrary<unknown>;
}

const alphanumeric = (value: string): string => value.replaceAll(/[^A-Za-z0-9]/g, "x");

/** Valid values by the type of the slot. All other types take text. */
function valuesByType(fc: Combinators): Readonly<Record<string, Arbitrary<unknown>>> {
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
    uuid: fc.constant("0b5a1f0e-8d1c-4e0b-9a55-6d1f4f6f2c11"),
    uri: fc.oneof<string>(
      fc.constantFrom("file:///a", "https://example.com/x?a=b"),
      anyText(fc).map((value) => `urn:x:${alphanumeric(value)}`),
    ),
  };
}

/** Texts that match a pattern; undefined where fast-check cannot make them. */
function matching(fc: Combinators, source: string): Arbitrary<string> | undefined {
  try {
    return fc.stringMatching(new RegExp(source));
  } catch {
    return undefined;
  }
}

/** A call of one of the reasons. Most values fit their slots, some do not, and any may be missing. */
export function anyCall(fc: Combinators, { reasons, invalid }: ReasonCallOptions): Arbitrary<ReasonCall> {
  const [byType, text, anyDetail] = [valuesByType(fc), anyText(fc), anyDetails(fc)];

  function validFor(type: string): Arbitrary<unknown> {
    if (type.startsWith("list of ")) return shortList(fc, valueFor(type.slice(8)), 12);
    if (type.startsWith("one of ")) return fc.constantFrom(...type.slice(7).split(", "));
    if (type.startsWith("text like ")) return matching(fc, type.slice(10)) ?? text;
    return byType[type] ?? text;
  }

  function valueFor(type: string): Arbitrary<unknown> {
    const valid = validFor(type);
    return fc.oneof<unknown>(
      { weight: 8, arbitrary: valid },
      { weight: 1, arbitrary: text },
      { weight: 1, arbitrary: invalid },
    );
  }

  function paramsFor(reason: AnyReason): Arbitrary<Readonly<Record<string, unknown>>> {
    const members = Object.entries(reason.slots).map(([name, slot]) => [name, valueFor(slot.type)] as const);
    return objectWith<Record<string, unknown>>(fc, [], Object.fromEntries(members));
  }

  return fc.constantFrom(...reasons).chain((reason) =>
    fc
      .tuple<[Readonly<Record<string, unknown>>, FaultDetails]>(paramsFor(reason), anyDetail)
      .map(([params, details]) => ({
        reason,
        params,
        details,
      })),
  );
}
