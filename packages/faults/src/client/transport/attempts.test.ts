import { expect, test } from "vitest";
import { addExchange, createAttempts, endExchange } from "./attempts.ts";
import { begin } from "./exchange.ts";

const call = (id: string, attempt = 1) => ({ id, attempt });

test("what is taken is forgotten", () => {
  const attempts = createAttempts(10);
  addExchange(attempts.of(call("a")), begin(5));
  expect(attempts.take(call("a", 2))).toBeUndefined();
  expect(attempts.take(call("a"))).toEqual({ phase: "sent", exchanges: 1, startedMs: 5 });
  expect(attempts.take(call("a"))).toBeUndefined();
});

test("an attempt that sent nothing was not seen", () => {
  const attempts = createAttempts(10);
  attempts.of(call("a"));
  expect(attempts.take(call("a"))).toBeUndefined();
});

test("beyond the limit the oldest is forgotten", () => {
  const attempts = createAttempts(3);
  for (const id of ["a", "b", "c", "d"]) addExchange(attempts.of(call(id)), begin(0));
  expect(["a", "b", "c", "d"].map((id) => attempts.take(call(id)) !== undefined)).toEqual([false, true, true, true]);
});

test("the end of an exchange counts only while it is the last one", () => {
  const attempt = createAttempts(1).of(call("a"));
  const [first, second] = [begin(1), begin(2)];
  addExchange(attempt, first);
  addExchange(attempt, second);
  endExchange(attempt, first, () => true);
  expect(attempt.isLost).toBeUndefined();
  endExchange(attempt, second, () => true);
  expect(attempt.isLost?.()).toBe(true);
  addExchange(attempt, begin(3));
  expect(attempt.isLost).toBeUndefined();
});
