// The laws that every dialect keeps, as one function that each dialect's test calls.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Dialect, EncodeContext } from "../../src/dialects/dialect.ts";
import { BASES, type Fault } from "../../src/fault/fault.ts";
import { EFFECTS } from "../../src/fault/kinds.ts";
import { protect } from "../../src/safety/register.ts";
import { findLeaks } from "../../src/testing/no-leak.ts";
import * as any from "../arbitraries.ts";
import { runs } from "../runs.ts";

/** A law runs as long as it takes; the default limit of a test is for other things. */
const PATIENCE = 600_000;

/** Tests laws 1, 2, 3, 4 and 10 for a dialect; `contexts` are the replies that it can write into. */
export function testDialectLaws<Wire>(
  dialect: Dialect<Wire>,
  contexts: fc.Arbitrary<EncodeContext | undefined> = fc.constant(undefined),
): void {
  const overTheWire = (fault: Fault, context: EncodeContext | undefined): Fault | undefined =>
    dialect.decode(JSON.parse(JSON.stringify(dialect.encode(fault, context))), context);

  test(
    `${dialect.name}, law 1: decode(encode(fault)) is what it says it keeps`,
    () => {
      fc.assert(
        fc.property(any.fault, contexts, (fault, context) => {
          expect(overTheWire(fault, context)).toEqual(dialect.keeps(fault, context));
        }),
        { numRuns: runs() },
      );
    },
    PATIENCE,
  );

  test(
    `${dialect.name}, law 2: certainty never rises`,
    () => {
      fc.assert(
        fc.property(any.fault, contexts, (fault, context) => {
          const back = overTheWire(fault, context);
          expect(EFFECTS.indexOf(back?.effect ?? "none")).toBeGreaterThanOrEqual(EFFECTS.indexOf(fault.effect));
          expect(BASES.indexOf(back?.basis ?? "stated")).toBeGreaterThanOrEqual(BASES.indexOf(fault.basis));
        }),
        { numRuns: runs() },
      );
    },
    PATIENCE,
  );

  test(
    `${dialect.name}, law 3: no registered secret is on the wire`,
    () => {
      fc.assert(
        fc.property(any.call, any.secret, contexts, (call, secret, context) => {
          const forget = protect(secret);
          try {
            const quote = { text: `it said ${secret} there`, from: "peer" } as const;
            const issues = [{ pointer: `/${secret}`, rule: "custom", expected: secret, suggestion: secret }] as const;
            const fault = call.reason.fault(call.params, { ...call.rest, quote, issues });
            expect(findLeaks(dialect.encode(fault, context), [secret])).toEqual([]);
          } finally {
            forget();
          }
        }),
        { numRuns: runs() },
      );
    },
    PATIENCE,
  );

  test(
    `${dialect.name}, law 4: decoding never throws, and gives a frozen fault or nothing`,
    () => {
      fc.assert(
        fc.property(any.json, (json) => {
          const fault = dialect.decode(json);
          expect(fault === undefined || (fault.v === 1 && Object.isFrozen(fault))).toBe(true);
        }),
        { numRuns: runs() },
      );
    },
    PATIENCE,
  );

  test(
    `${dialect.name}, law 4: nor on a reply of its own with one member changed`,
    () => {
      fc.assert(
        fc.property(any.fault, contexts, any.json, fc.nat(), (fault, context, json, at) => {
          const text = JSON.stringify(dialect.encode(fault, context));
          const members = [...text.matchAll(/"[^"]*":/g)];
          const member = members[at % members.length];
          const broken = text.slice(0, member?.index ?? 0) + JSON.stringify({ changed: json }).slice(1, -1);
          expect(() => dialect.decode(mutate(JSON.parse(text), json, at))).not.toThrow();
          expect(() => dialect.decode(broken)).not.toThrow();
        }),
        { numRuns: runs() },
      );
    },
    PATIENCE,
  );

  test(
    `${dialect.name}, law 10: encoding, decoding and keeping are pure`,
    () => {
      fc.assert(
        fc.property(any.fault, contexts, (fault, context) => {
          const before = JSON.stringify(fault);
          const wire = dialect.encode(fault, context);
          expect(dialect.encode(fault, context)).toEqual(wire);
          expect(dialect.decode(wire, context)).toEqual(dialect.decode(wire, context));
          expect(dialect.keeps(fault, context)).toEqual(dialect.keeps(fault, context));
          expect(JSON.stringify(fault)).toBe(before);
        }),
        { numRuns: runs(300) },
      );
    },
    PATIENCE,
  );
}

/** The same JSON with its n-th member, counted through the tree, replaced. */
function mutate(value: unknown, by: unknown, nth: number): unknown {
  let left = nth % 30;
  const walk = (at: unknown): unknown => {
    if (typeof at !== "object" || at === null) return at;
    const copy: Record<string, unknown> | unknown[] = Array.isArray(at) ? [] : {};
    for (const [key, member] of Object.entries(at)) {
      (copy as Record<string, unknown>)[key] = left-- === 0 ? by : walk(member);
    }
    return copy;
  };
  return walk(value);
}
