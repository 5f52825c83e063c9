import { runs } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { addExchange, type CallAttempt, createAttempts, endExchange, findCallRef, untilLost } from "./attempts.ts";
import { beginExchange, type HttpExchange } from "./exchange.ts";

const call = (id: string, attempt = 1) => ({ id, attempt });

test("beyond the limit the oldest is forgotten", () => {
  const attempts = createAttempts(3);
  for (const id of ["a", "b", "c", "d"]) addExchange(attempts.of(call(id)), beginExchange(0));
  expect(["a", "b", "c", "d"].map((id) => attempts.take(call(id)) !== undefined)).toEqual([false, true, true, true]);
});

const request = (params: object) => JSON.stringify({ method: "tools/call", params, jsonrpc: "2.0", id: 7 });

test("the mark of a request is read, whatever its arguments and its key hold", () => {
  const refs = fc.record({ id: fc.string(), attempt: fc.integer({ min: 1 }) });
  const marks = fc.record({ key: fc.string(), deadlineMs: fc.nat() }, { requiredKeys: [] });
  const args = fc.dictionary(
    fc.string(),
    fc.oneof(fc.jsonValue(), fc.constant({ _meta: { "recourse/call": { id: "x" } } })),
  );
  fc.assert(
    fc.property(refs, marks, args, (ref, rest, given) => {
      const body = request({ arguments: given, _meta: { other: 1, "recourse/call": { ...rest, ...ref } } });
      expect(findCallRef(body)).toEqual(ref);
    }),
    { numRuns: runs() },
  );
});

test.each([
  ["no mark", request({ name: "work" })],
  ["no id", request({ _meta: { "recourse/call": { attempt: 1 } } })],
  ["an attempt that is no number", request({ _meta: { "recourse/call": { id: "a", attempt: "1" } } })],
  ["a text that talks of the mark", request({ arguments: { text: '"recourse/call":{"id":"a","attempt":1}' } })],
  ["no JSON", '"recourse/call":{'],
])("a body with %s belongs to no call", (_name, body) => {
  expect(findCallRef(body)).toBeUndefined();
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const CALL = { id: "a", attempt: 1 };

function started(): { attempt: CallAttempt; exchange: HttpExchange; heard: unknown[]; stop: AbortController } {
  const attempt = createAttempts(1).of(CALL);
  const exchange = beginExchange(0);
  const stop = new AbortController();
  const heard: unknown[] = [];
  untilLost(attempt, { signal: stop.signal, graceMs: 50 }).then(
    ({ phase }) => heard.push(phase),
    (reason: unknown) => heard.push(reason),
  );
  addExchange(attempt, exchange);
  return { attempt, exchange, heard, stop };
}

test("an end without an answer is told after the grace, not before", async () => {
  const { attempt, exchange, heard } = started();
  endExchange(attempt, exchange, () => true);
  await vi.advanceTimersByTimeAsync(49);
  expect(heard).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(heard).toEqual(["sent"]);
});

test("an end that came before anybody asked is told too", async () => {
  const attempt = createAttempts(1).of(CALL);
  const exchange = beginExchange(0);
  addExchange(attempt, exchange);
  endExchange(attempt, exchange, () => true);
  const lost = untilLost(attempt, { signal: new AbortController().signal, graceMs: 50 });
  await vi.advanceTimersByTimeAsync(50);
  expect((await lost).exchanges).toBe(1);
});

test("who stops waiting is told why, and leaves nothing behind", async () => {
  const { attempt, exchange, heard, stop } = started();
  endExchange(attempt, exchange, () => true);
  stop.abort("enough");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(heard).toEqual(["enough"]);
  expect(attempt.listeners.size).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
  await expect(untilLost(attempt, { signal: AbortSignal.abort("before"), graceMs: 50 })).rejects.toBe("before");
});
