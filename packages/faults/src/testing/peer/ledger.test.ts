import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../../../test/runs.ts";
import { FaultError } from "../../fault/error.ts";
import { createLedger, type Effect } from "./ledger.ts";

const effect = (call: string, key?: string): Effect => ({ tool: "charge", call, key });

test("counts effects in all, by call and by key", () => {
  const written: Effect[] = [];
  const ledger = createLedger((one) => written.push(one));
  for (const one of [effect("a"), effect("a"), effect("b", "k")]) ledger.apply(one);
  expect(ledger.effects()).toEqual({ total: 3, calls: { a: 2, b: 1 }, keys: { k: 1 } });
  expect(written).toHaveLength(3);
});

test("the same key stands for the same outcome, whatever the order of the arguments", () => {
  const ledger = createLedger();
  const first = ledger.once("k", { tool: "charge", args: { a: 1, b: { c: 2, d: 3 } } }, () => ({ number: 1 }));
  const again = ledger.once("k", { tool: "charge", args: { b: { d: 3, c: 2 }, a: 1 } }, () => ({ number: 2 }));
  expect([first, again]).toEqual([{ number: 1 }, { number: 1 }]);
});

test.each([
  ["other arguments", { tool: "charge", args: { a: 2 } }],
  ["another tool", { tool: "refund", args: { a: 1 } }],
])("the same key with %s is a conflict", (_, facts) => {
  const ledger = createLedger();
  ledger.once("k", { tool: "charge", args: { a: 1 } }, () => ({}));
  const reuse = () => ledger.once("k", facts, () => ({}));
  expect(reuse).toThrow(FaultError);
  expect(reuse).toThrow("This idempotency key was used before with other arguments");
});

test("a call that throws leaves its key free", () => {
  const ledger = createLedger();
  const facts = { tool: "charge", args: {} };
  const failing = () =>
    ledger.once("k", facts, () => {
      throw new Error("no");
    });
  expect(failing).toThrow("no");
  expect(ledger.once("k", facts, () => ({ done: true }))).toEqual({ done: true });
});

test("no key is applied twice, however often its call is repeated", () => {
  const keys = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 30 });
  fc.assert(
    fc.property(keys, (calls) => {
      const ledger = createLedger();
      for (const [at, key] of calls.entries())
        ledger.once(key, { tool: "charge", args: {} }, () => {
          ledger.apply(effect(String(at), key));
          return {};
        });
      expect(ledger.effects().keys).toEqual(Object.fromEntries([...new Set(calls)].map((key) => [key, 1])));
    }),
    { numRuns: runs(200) },
  );
});
