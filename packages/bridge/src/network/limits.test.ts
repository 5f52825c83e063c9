import { expect, test } from "vitest";
import { createSemaphore } from "./limits.ts";

const never = new AbortController().signal;

test("limits the running tasks; the others follow in order", async () => {
  const gate = createSemaphore({ permits: 2, maxWaiting: 5 });
  const order: number[] = [];
  const first = await gate.acquire(never);
  const second = await gate.acquire(never);
  const third = gate.acquire(never).then(() => order.push(3));
  const fourth = gate.acquire(never).then(() => order.push(4));
  expect(order).toEqual([]);
  first?.();
  // Releasing twice frees one permit.
  first?.();
  await third;
  expect(order).toEqual([3]);
  second?.();
  await fourth;
  expect(order).toEqual([3, 4]);
});

test("a full queue refuses further tasks", async () => {
  const gate = createSemaphore({ permits: 1, maxWaiting: 1 });
  const leave = await gate.acquire(never);
  const waiting = gate.acquire(never);
  expect(await gate.acquire(never)).toBeUndefined();
  leave?.();
  expect(await waiting).toBeTypeOf("function");
});

test("an aborted task leaves the queue", async () => {
  const gate = createSemaphore({ permits: 1, maxWaiting: 2 });
  const leave = await gate.acquire(never);
  const giving = new AbortController();
  const gone = gate.acquire(giving.signal);
  const next = gate.acquire(never);
  giving.abort(new Error("enough"));
  await expect(gone).rejects.toThrow("enough");
  leave?.();
  (await next)?.();
  expect(await gate.acquire(never)).toBeTypeOf("function");
  await expect(gate.acquire(AbortSignal.abort(new Error("timeout")))).rejects.toThrow("timeout");
});
