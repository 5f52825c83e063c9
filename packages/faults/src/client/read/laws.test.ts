import fc from "fast-check";
import { expect, it } from "vitest";
import { runs } from "../../../test/runs.ts";
import { isFault } from "../../fault/read-fault.ts";
import type { ExchangeRecord } from "../transport/types.ts";
import type { ReadContext } from "./context.ts";
import { readFailure } from "./read-failure.ts";

const hostile = fc.constantFrom(
  new Proxy({}, { get: () => expect.unreachable(), getOwnPropertyDescriptor: () => expect.unreachable() }),
  Object.defineProperty(new Error("x"), "code", { get: () => expect.unreachable() }),
  Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNREFUSED" } }),
  Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNRESET" } }),
  Object.assign(new Error("MCP error -32000: Connection closed"), { name: "McpError", code: -32000 }),
);
const value = fc.oneof(fc.anything({ withNullPrototype: true, withBigInt: true }), hostile);
const phase = fc.constantFrom<ExchangeRecord["phase"]>("connect", "sent", "headers", "body", "ended");
const record = fc.record(
  {
    phase,
    exchanges: fc.integer({ min: 1, max: 3 }),
    startedMs: fc.constant(0),
    status: fc.integer({ min: 100, max: 599 }),
    headers: fc.dictionary(fc.constantFrom("retry-after", "content-type", "www-authenticate"), fc.string()),
    body: fc.oneof(fc.string(), fc.json()),
    error: value,
  },
  { requiredKeys: ["phase", "exchanges", "startedMs"] },
);
const context: fc.Arbitrary<ReadContext> = fc.record({
  session: fc.boolean(),
  limitMs: fc.double({ min: 0, noNaN: true }),
  record: fc.option(record, { nil: undefined }),
});

it("makes a fault of anything that was thrown, and never throws itself", () => {
  fc.assert(
    fc.property(value, context, (error, facts) => {
      expect(isFault(readFailure({ how: "threw", error }, facts))).toBe(true);
    }),
    { numRuns: runs() },
  );
});

it("rules out an effect only where nothing can have been received", () => {
  fc.assert(
    fc.property(fc.constantFrom("late", "aborted"), context, (how, facts) => {
      const neverLeft = facts.record?.phase === "connect" && facts.record.exchanges === 1;
      expect(readFailure({ how }, facts)?.effect).toBe(neverLeft ? "none" : "possible");
    }),
    { numRuns: runs() },
  );
});

it("does not claim that nothing happened when nobody knows what was thrown", () => {
  const unknown = fc.oneof(fc.string(), fc.integer(), fc.constant(undefined), fc.constant(new Error("of a transport")));
  fc.assert(
    fc.property(unknown, fc.boolean(), (error, session) => {
      expect(readFailure({ how: "threw", error }, { session, limitMs: 1 })).toMatchObject({
        effect: "possible",
        kind: "unknown",
      });
    }),
    { numRuns: runs() },
  );
});
