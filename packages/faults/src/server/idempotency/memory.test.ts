import { describe, expect, it } from "vitest";
import { FaultError } from "../../fault/error.ts";
import { memoryIdempotency } from "./memory.ts";

function clock() {
  let time = 1_000;
  return { now: () => time, pass: (ms: number) => (time += ms) };
}

describe("keys in memory", () => {
  it("let one call run, and give its outcome to the others", async () => {
    const keys = memoryIdempotency();
    expect(await keys.begin("k", "d")).toBe("new");
    expect(await keys.begin("k", "d")).toBe("running");
    await keys.settle("k", "end");
    expect(await keys.begin("k", "d")).toEqual({ outcome: "end" });
    expect(await keys.begin("other", "d")).toBe("new");
  });

  it("tell other arguments, while the first call runs and after", async () => {
    const keys = memoryIdempotency();
    await keys.begin("k", "d");
    expect(await keys.begin("k", "e")).toBe("other");
    await keys.settle("k", "end");
    expect(await keys.begin("k", "e")).toBe("other");
  });

  it("are free again when they are given back", async () => {
    const keys = memoryIdempotency();
    await keys.begin("k", "d");
    await keys.release("k");
    expect(await keys.begin("k", "e")).toBe("new");
  });

  it("do not lose an outcome by being given back later", async () => {
    const keys = memoryIdempotency();
    await keys.begin("k", "d");
    await keys.settle("k", "end");
    await keys.release("k");
    await keys.settle("k", "another end");
    expect(await keys.begin("k", "d")).toEqual({ outcome: "end" });
  });

  it("are kept from the end of the call for as long as was said, and while it runs for ever", async () => {
    const { now, pass } = clock();
    const keys = memoryIdempotency({ ttlMs: 100, now });
    await keys.begin("k", "d");
    pass(1_000);
    expect(await keys.begin("k", "d")).toBe("running");
    await keys.settle("k", "end");
    pass(99);
    expect(await keys.begin("k", "d")).toEqual({ outcome: "end" });
    pass(1);
    expect(await keys.begin("k", "d")).toBe("new");
  });

  it("refuse new keys when full, rather than forgetting what has happened", async () => {
    const { now, pass } = clock();
    const keys = memoryIdempotency({ max: 2, ttlMs: 100, now });
    await keys.begin("a", "d");
    await keys.settle("a", "end");
    await keys.begin("b", "d");
    const refused = await keys.begin("c", "d").catch((error: unknown) => error);
    expect(FaultError.is(refused) && refused.fault).toMatchObject({ reason: "core/overloaded", effect: "none" });
    expect(await keys.begin("a", "d")).toEqual({ outcome: "end" });
    pass(100);
    expect(await keys.begin("c", "d")).toBe("new");
  });

  it("refuse new keys when the outcomes together are too long", async () => {
    const { now, pass } = clock();
    const keys = memoryIdempotency({ maxLength: 10, ttlMs: 100, now });
    await keys.begin("a", "d");
    await keys.settle("a", "0123456789");
    await expect(keys.begin("b", "d")).rejects.toThrow(FaultError);
    pass(100);
    expect(await keys.begin("b", "d")).toBe("new");
  });
});
