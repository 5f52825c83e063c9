import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../../../test/runs.ts";
import { FaultError } from "../../fault/error.ts";
import { type AppliedEffect, createEffectLog } from "./effect-log.ts";

const charge = (call: string, key?: string): AppliedEffect => ({ tool: "charge", call, key });

test("effects are counted in total, by call and by key", () => {
  const reported: AppliedEffect[] = [];
  const log = createEffectLog((effect) => reported.push(effect));
  for (const effect of [charge("a"), charge("a"), charge("b", "k")]) log.record(effect);
  expect(log.counts()).toEqual({ total: 3, calls: { a: 2, b: 1 }, keys: { k: 1 } });
  expect(reported).toHaveLength(3);
});

test("the same key gives the stored result, in whatever order the arguments are", () => {
  const log = createEffectLog();
  const first = log.runOnce("k", { tool: "charge", args: { a: 1, b: { c: 2, d: 3 } } }, () => ({ number: 1 }));
  const again = log.runOnce("k", { tool: "charge", args: { b: { d: 3, c: 2 }, a: 1 } }, () => ({ number: 2 }));
  expect([first, again]).toEqual([{ number: 1 }, { number: 1 }]);
});

test.each([
  ["other arguments", { tool: "charge", args: { a: 2 } }],
  ["another tool", { tool: "refund", args: { a: 1 } }],
])("the same key with %s is a conflict", (_, call) => {
  const log = createEffectLog();
  log.runOnce("k", { tool: "charge", args: { a: 1 } }, () => ({}));
  const reuse = () => log.runOnce("k", call, () => ({}));
  expect(reuse).toThrow(FaultError);
  expect(reuse).toThrow("This idempotency key was used before with other arguments");
});

test("a call that throws leaves its key free", () => {
  const log = createEffectLog();
  const call = { tool: "charge", args: {} };
  const failing = () =>
    log.runOnce("k", call, () => {
      throw new Error("no");
    });
  expect(failing).toThrow("no");
  expect(log.runOnce("k", call, () => ({ done: true }))).toEqual({ done: true });
});

test("each key has one effect, however often its call is repeated", () => {
  const keys = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 30 });
  fc.assert(
    fc.property(keys, (calls) => {
      const log = createEffectLog();
      for (const [at, key] of calls.entries())
        log.runOnce(key, { tool: "charge", args: {} }, () => {
          log.record(charge(String(at), key));
          return {};
        });
      expect(log.counts().keys).toEqual(Object.fromEntries([...new Set(calls)].map((key) => [key, 1])));
    }),
    { numRuns: runs(200) },
  );
});
