import { expect, test } from "vitest";
import type { PeerRequest } from "./json-rpc.ts";
import { createStepQueue, type Step, type StepOptions } from "./step-queue.ts";

type Name = "bang" | "fizz";
const queueOf = (options: StepOptions<Name> = {}) => createStepQueue<Name>({ bang: {}, fizz: {} }, options);
const request = (name: string, meta = {}, method = "tools/call"): PeerRequest => ({
  id: 1,
  method,
  params: { name },
  meta,
});
const BANG = { do: "bang", delayMs: undefined, commit: false };

test("tool calls take the steps one by one, other requests do not", () => {
  const queue = queueOf({ steps: ["bang", "ok"] });
  queue.next({ do: "fizz", delayMs: 5, commit: true });
  expect(queue.take(request("a", {}, "tools/list"))).toBeUndefined();
  expect([1, 2, 3, 4].map(() => queue.take(request("a")))).toEqual([
    BANG,
    undefined,
    { do: "fizz", delayMs: 5, commit: true },
    undefined,
  ]);
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
  const wrong = "bamg" as Step<Name>;
  expect(() => queueOf({ steps: [wrong] })).toThrow('There is no misbehaviour "bamg"; did you mean "bang"?');
  expect(() => queueOf({ tools: { a: wrong } })).toThrow(TypeError);
  expect(() => queueOf().next(wrong)).toThrow(TypeError);
  expect(() => queueOf().next("constructor" as Step<Name>)).toThrow('There is no misbehaviour "constructor".');
  expect(() => queueOf().take(request("a", { "recourse/misbehave": "bamg" }))).toThrow(TypeError);
});

test("a list with a wrong name adds nothing, and the queue can be cleared", () => {
  const queue = queueOf();
  expect(() => queue.next(["bang", "bamg" as Step<Name>])).toThrow(TypeError);
  expect(queue.take(request("a"))).toBeUndefined();
  queue.next(["bang", "fizz"]);
  queue.clear();
  expect(queue.take(request("a"))).toBeUndefined();
});
