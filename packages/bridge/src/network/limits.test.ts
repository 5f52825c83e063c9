import { expect, test } from "vitest";
import { createSemaphore } from "./limits.ts";

const never = new AbortController().signal;

/** A task that runs until it is let go. */
function task() {
  const { promise, resolve } = Promise.withResolvers<string>();
  return { run: () => promise, end: () => resolve("done") };
}

test("an aborted task leaves the queue", async () => {
  const run = createSemaphore({ permits: 1, maxWaiting: 2 });
  const first = task();
  const running = run(never, first.run);
  const giving = new AbortController();
  const gone = run(giving.signal, first.run);
  const next = run(never, first.run);
  giving.abort(new Error("enough"));
  await expect(gone).rejects.toThrow("enough");
  first.end();
  expect(await Promise.all([running, next])).toEqual(["done", "done"]);
  expect(await run(never, first.run)).toBe("done");
  await expect(run(AbortSignal.abort(new Error("timeout")), first.run)).rejects.toThrow("timeout");
});
