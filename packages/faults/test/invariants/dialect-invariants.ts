// The invariants of every dialect. Each dialect calls them in a test file of its own, so that they run in parallel.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Dialect, EncodeContext } from "../../src/dialects/dialect.ts";
import { BASES, type Fault } from "../../src/fault/fault.ts";
import { EFFECTS } from "../../src/fault/kinds.ts";
import { registerSecrets } from "../../src/safety/secrets.ts";
import { findLeaks } from "../../src/testing/no-leak.ts";
import * as any from "../arbitraries.ts";
import { runs } from "../runs.ts";

/** Enough for many runs: `RECOURSE_RUNS` sets how many. */
const TIMEOUT_MS = 600_000;

/** Tests the invariants of a dialect. `contexts` are the contexts in which it can encode. */
export function testDialectInvariants<Wire>(
  dialect: Dialect<Wire>,
  contexts: fc.Arbitrary<EncodeContext | undefined> = fc.constant(undefined),
): void {
  const roundTrip = (fault: Fault, context: EncodeContext | undefined): Fault | undefined =>
    dialect.decode(JSON.parse(JSON.stringify(dialect.encode(fault, context))), context);

  test(
    `${dialect.name}: decode(encode(fault)) is afterRoundTrip(fault)`,
    () => {
      fc.assert(
        fc.property(any.fault, contexts, (fault, context) => {
          expect(roundTrip(fault, context)).toEqual(dialect.afterRoundTrip(fault, context));
        }),
        { numRuns: runs() },
      );
    },
    TIMEOUT_MS,
  );

  test(
    `${dialect.name}: a round trip never makes effect or basis more certain`,
    () => {
      fc.assert(
        fc.property(any.fault, contexts, (fault, context) => {
          const back = roundTrip(fault, context);
          expect(EFFECTS.indexOf(back?.effect ?? "none")).toBeGreaterThanOrEqual(EFFECTS.indexOf(fault.effect));
          expect(BASES.indexOf(back?.basis ?? "stated")).toBeGreaterThanOrEqual(BASES.indexOf(fault.basis));
        }),
        { numRuns: runs() },
      );
    },
    TIMEOUT_MS,
  );

  test(
    `${dialect.name}: no registered secret is on the wire`,
    () => {
      fc.assert(
        fc.property(any.call, any.secret, contexts, (call, secret, context) => {
          const forget = registerSecrets(secret);
          try {
            const quote = { text: `it said ${secret} there`, from: "peer" } as const;
            const issues = [{ pointer: `/${secret}`, rule: "custom", expected: secret, suggestion: secret }] as const;
            const fault = call.reason.fault(call.params, { ...call.details, quote, issues });
            expect(findLeaks(dialect.encode(fault, context), [secret])).toEqual([]);
          } finally {
            forget();
          }
        }),
        { numRuns: runs() },
      );
    },
    TIMEOUT_MS,
  );

  test(
    `${dialect.name}: decoding any JSON never throws, and gives a frozen fault or undefined`,
    () => {
      fc.assert(
        fc.property(any.json, (json) => {
          const fault = dialect.decode(json);
          expect(fault === undefined || (fault.v === 1 && Object.isFrozen(fault))).toBe(true);
        }),
        { numRuns: runs() },
      );
    },
    TIMEOUT_MS,
  );

  test(
    `${dialect.name}: decoding never throws on a reply with one member changed`,
    () => {
      fc.assert(
        fc.property(any.fault, contexts, any.json, fc.nat(), (fault, context, json, at) => {
          const text = JSON.stringify(dialect.encode(fault, context));
          const members = [...text.matchAll(/"[^"]*":/g)];
          const member = members[at % members.length];
          const broken = text.slice(0, member?.index ?? 0) + JSON.stringify({ changed: json }).slice(1, -1);
          expect(() => dialect.decode(replaceMember(JSON.parse(text), json, at))).not.toThrow();
          expect(() => dialect.decode(broken)).not.toThrow();
        }),
        { numRuns: runs() },
      );
    },
    TIMEOUT_MS,
  );

  test(
    `${dialect.name}: encode, decode and afterRoundTrip are pure`,
    () => {
      fc.assert(
        fc.property(any.fault, contexts, (fault, context) => {
          const before = JSON.stringify(fault);
          const wire = dialect.encode(fault, context);
          expect(dialect.encode(fault, context)).toEqual(wire);
          expect(dialect.decode(wire, context)).toEqual(dialect.decode(wire, context));
          expect(dialect.afterRoundTrip(fault, context)).toEqual(dialect.afterRoundTrip(fault, context));
          expect(JSON.stringify(fault)).toBe(before);
        }),
        { numRuns: runs(300) },
      );
    },
    TIMEOUT_MS,
  );
}

/** The same JSON with its n-th member replaced, counted depth first. */
function replaceMember(value: unknown, by: unknown, nth: number): unknown {
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
