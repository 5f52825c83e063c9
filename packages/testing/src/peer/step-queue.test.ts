import { FaultError } from "@recourse/core";
import { runs } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { PeerRequest } from "./json-rpc.ts";
import { type AppliedEffect, createEffectLog, createStepQueue, type StepOptions, type StepSpec } from "./step-queue.ts";

type Name = "bang" | "fizz";
const queueOf = (options: StepOptions<Name> = {}) => createStepQueue<Name>({ bang: {}, fizz: {} }, options);
const request = (name: string, meta = {}, method = "tools/call"): PeerRequest => ({
  id: 1,
  method,
  params: { name },
  meta,
});

test("a step may wait for another method, or for any method", () => {
  const queue = queueOf();
  queue.next("bang", { on: "ping" });
  queue.next("fizz", { on: "*" });
  expect(queue.take(request("a"))?.do).toBe("fizz");
  expect(queue.take(request("a"))).toBeUndefined();
  expect(queue.take(request("a", {}, "ping"))?.do).toBe("bang");
});

test("the request itself decides first, then the queue, then the tool, then `choose`", () => {
  const queue = queueOf({ steps: ["ok"], tools: { a: "bang" }, choose: () => "fizz" });
  expect(queue.take(request("a", { "recourse/misbehave": "fizz" }))?.do).toBe("fizz");
  expect(queue.take(request("a", {}), "fizz")?.do).toBe("fizz");
  expect(queue.take(request("a"))).toBeUndefined();
  expect(queue.take(request("a"))?.do).toBe("bang");
  expect(queue.take(request("constructor"))?.do).toBe("fizz");
  expect(queue.take(request("a", {}, "ping"))?.do).toBe("fizz");
});

test("a name that does not exist throws at once", () => {
  const wrong = "bamg" as StepSpec<Name>;
  expect(() => queueOf({ steps: [wrong] })).toThrow('There is no misbehaviour "bamg"; did you mean "bang"?');
  expect(() => queueOf({ tools: { a: wrong } })).toThrow(TypeError);
  expect(() => queueOf().next(wrong)).toThrow(TypeError);
  expect(() => queueOf().next("constructor" as StepSpec<Name>)).toThrow('There is no misbehaviour "constructor".');
  expect(() => queueOf().take(request("a", { "recourse/misbehave": "bamg" }))).toThrow(TypeError);
});

test("a list with a wrong name adds nothing, and the queue can be cleared", () => {
  const queue = queueOf();
  expect(() => queue.next(["bang", "bamg" as StepSpec<Name>])).toThrow(TypeError);
  expect(queue.take(request("a"))).toBeUndefined();
  queue.next(["bang", "fizz"]);
  queue.clear();
  expect(queue.take(request("a"))).toBeUndefined();
});

test("the same key gives the stored result, in whatever order the arguments are", () => {
  const log = createEffectLog();
  const first = log.runOnce("k", { tool: "charge", args: { a: 1, b: { c: 2, d: 3 } } }, () => ({ number: 1 }));
  const again = log.runOnce("k", { tool: "charge", args: { b: { d: 3, c: 2 }, a: 1 } }, () => ({ number: 2 }));
  expect([first, again]).toEqual([{ number: 1 }, { number: 1 }]);
});

const charge = (call: string, key?: string): AppliedEffect => ({ tool: "charge", call, key });

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
