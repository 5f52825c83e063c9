import { setImmediate } from "node:timers/promises";
import { runInNewContext } from "node:vm";
import { afterEach, expect, it, vi } from "vitest";
import { deliverIncident, type Incident, sinkFailures } from "./incident.ts";

const unhandled = vi.fn();
const others = process.listeners("unhandledRejection");
afterEach(() => {
  process.removeAllListeners("unhandledRejection");
  for (const one of others) process.on("unhandledRejection", one);
});

const rejected = () => Promise.reject(new Error("later"));

it.each<[string, () => unknown]>([
  ["throws", () => runInNewContext("throw new Error('now')")],
  ["rejects", rejected],
  ["rejects with a promise of another realm", () => runInNewContext("Promise.reject(new Error('later'))")],
  ["rejects later in another realm", () => runInNewContext("(async () => { await null; throw 1; })()")],
  // biome-ignore lint/suspicious/noThenProperty: a thenable is what this case needs.
  ["returns a thenable that rejects", () => ({ then: (_: unknown, no: (e: unknown) => void) => no(1) })],
  // biome-ignore lint/suspicious/noThenProperty: a thenable is what this case needs.
  ["returns a function with a then", () => Object.assign(() => {}, { then: (_: unknown, no: () => void) => no() })],
  // biome-ignore lint/suspicious/noThenProperty: a thenable is what this case needs.
  ["returns a thenable whose own promise rejects", () => ({ then: rejected })],
  [
    "returns a thenable that cannot be read",
    () =>
      // biome-ignore lint/suspicious/noThenProperty: a thenable is what this case needs.
      Object.defineProperty({}, "then", {
        get: () => {
          throw new Error("no");
        },
      }),
  ],
])("counts a sink that %s once, and leaves no rejection unhandled", async (_name, sink) => {
  process.removeAllListeners("unhandledRejection");
  process.on("unhandledRejection", unhandled);
  const before = sinkFailures();
  deliverIncident(sink, {} as Incident);
  await setImmediate();
  await setImmediate();
  expect(unhandled).not.toHaveBeenCalled();
  expect(sinkFailures() - before).toBe(1);
});
