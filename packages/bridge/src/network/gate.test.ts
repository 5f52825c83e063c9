import { expect, test } from "vitest";
import { createGate } from "./gate.ts";

const never = new AbortController().signal;

test("so many are in at a time, the next in their order", async () => {
  const gate = createGate({ places: 2, waiting: 5 });
  const order: number[] = [];
  const first = await gate.enter(never);
  const second = await gate.enter(never);
  const third = gate.enter(never).then(() => order.push(3));
  const fourth = gate.enter(never).then(() => order.push(4));
  expect(order).toEqual([]);
  first?.();
  // Leaving twice frees one place.
  first?.();
  await third;
  expect(order).toEqual([3]);
  second?.();
  await fourth;
  expect(order).toEqual([3, 4]);
});

test("who finds the queue full is not let in", async () => {
  const gate = createGate({ places: 1, waiting: 1 });
  const leave = await gate.enter(never);
  const waiting = gate.enter(never);
  expect(await gate.enter(never)).toBeUndefined();
  leave?.();
  expect(await waiting).toBeTypeOf("function");
});

test("who gives up frees its turn", async () => {
  const gate = createGate({ places: 1, waiting: 2 });
  const leave = await gate.enter(never);
  const giving = new AbortController();
  const gone = gate.enter(giving.signal);
  const next = gate.enter(never);
  giving.abort(new Error("enough"));
  await expect(gone).rejects.toThrow("enough");
  leave?.();
  (await next)?.();
  expect(await gate.enter(never)).toBeTypeOf("function");
  await expect(gate.enter(AbortSignal.abort(new Error("late")))).rejects.toThrow("late");
});
