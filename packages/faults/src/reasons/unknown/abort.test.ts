import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { recogniseAbort } from "./abort.ts";

const reasonOf = (value: unknown) => recogniseAbort(value)?.({}).reason;
const caught = async (work: () => Promise<unknown>): Promise<unknown> =>
  work().then(
    () => expect.unreachable(),
    (error: unknown) => error,
  );

describe("recogniseAbort", () => {
  it("knows what platforms throw on an abort", async () => {
    const controller = new AbortController();
    controller.abort();
    expect(reasonOf(controller.signal.reason)).toBe("core/cancelled");
    expect(reasonOf(await caught(() => fetch("http://127.0.0.1:1/", { signal: controller.signal })))).toBe(
      "core/cancelled",
    );
    const error = await caught(() => sleep(1_000, undefined, { signal: controller.signal }));
    expect(error).toMatchObject({ code: "ABORT_ERR" });
    expect(reasonOf(error)).toBe("core/cancelled");
    expect(reasonOf(new DOMException("x", "AbortError"))).toBe("core/cancelled");
  });

  it("knows what platforms throw on a timeout", async () => {
    const signal = AbortSignal.timeout(1);
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    expect(reasonOf(signal.reason)).toBe("core/timeout");
    expect(reasonOf(new DOMException("x", "TimeoutError"))).toBe("core/timeout");
  });

  it.each([
    ["AbortError", "core/cancelled"],
    ["CanceledError", "core/cancelled"],
    ["CancelledError", "core/cancelled"],
    ["TimeoutError", "core/timeout"],
    ["Error", undefined],
    ["constructor", undefined],
    ["", undefined],
  ])("reads the name %s", (name, reason) => {
    expect(reasonOf({ name })).toBe(reason);
    expect(reasonOf(Object.assign(new Error("x"), { name }))).toBe(reason);
  });

  it("reads the code of Node's own", () => {
    expect(reasonOf({ code: "ABORT_ERR" })).toBe("core/cancelled");
    expect(reasonOf({ name: "Error", code: "ABORT_ERR" })).toBe("core/cancelled");
    expect(reasonOf({ code: "OTHER" })).toBeUndefined();
    expect(reasonOf({ code: 20 })).toBeUndefined();
  });

  it.each([[null], [undefined], ["AbortError"], [7], [{}], [new DOMException("x", "DataCloneError")]])(
    "knows nothing about %s",
    (value) => {
      expect(reasonOf(value)).toBeUndefined();
    },
  );

  it("believes the platform rather than a property put on top", () => {
    const error = Object.defineProperty(new DOMException("x", "TimeoutError"), "name", { value: "AbortError" });
    expect(reasonOf(error)).toBe("core/timeout");
  });

  it("works where there is no DOMException", () => {
    const kept = globalThis.DOMException;
    try {
      Reflect.deleteProperty(globalThis, "DOMException");
      expect(reasonOf({ name: "AbortError" })).toBe("core/cancelled");
    } finally {
      Object.defineProperty(globalThis, "DOMException", { value: kept, configurable: true, writable: true });
    }
  });
});
