import { describe, expect, it } from "vitest";
import { adapted, answer, broken, failure, hang } from "../../test/adapted.ts";
import { AdapterError } from "./adapter-error.ts";

describe("the start", () => {
  it("is one for all first calls, which wait for it", async () => {
    let starts = 0;
    const { call, clock, keeper } = adapted({
      lifecycle: {
        initialise: async () => {
          starts++;
          await clock.sleep(400);
          return "backend";
        },
      },
    });
    expect(keeper.health.status).toBe("idle");
    const calls = Array.from({ length: 10 }, () => call(() => answer));
    await new Promise(setImmediate);
    expect(keeper.health).toEqual({ status: "starting", failures: 0, running: 10 });
    await clock.run(400);
    expect(await Promise.all(calls)).toEqual(Array(10).fill(answer));
    expect(starts).toBe(1);
  });

  it("that fails is told with a wait, and no word of why", async () => {
    const { call, keeper, told } = adapted({ lifecycle: { initialise: broken } });
    const fault = await failure(call(() => expect.unreachable()));
    expect(fault).toMatchObject({
      reason: "adapter/unavailable",
      effect: "none",
      retry: { allowed: true, afterMs: 1_000 },
      recourse: [{ do: "retry", afterMs: 1_000 }],
    });
    expect(JSON.stringify(fault)).not.toContain("hunter2");
    expect(keeper.health.status).toBe("down");
    expect(told).toEqual(["adapter shop: the backend could not be started"]);
  });

  it("that outlasts a call goes on without it", async () => {
    const { call, clock, keeper } = adapted({
      lifecycle: { initialise: () => clock.sleep(3_000).then(() => "backend") },
    });
    const fault = failure(call(() => expect.unreachable()));
    await clock.run(1_000);
    expect(await fault).toMatchObject({ reason: "tool/timeout", effect: "none" });
    await clock.run(3_000);
    expect(keeper.health.status).toBe("healthy");
    expect(await call(() => answer)).toBe(answer);
  });
});

describe("health", () => {
  it("goes down with failed calls; then calls are refused at once, until a check finds the backend back", async () => {
    const world = { works: false };
    const { call, clock, keeper, told } = adapted({
      lifecycle: { health: () => (world.works ? undefined : broken()) },
    });
    for (const status of ["healthy", "degraded", "down"]) {
      await failure(call(broken));
      expect(keeper.health.status).toBe(status);
    }
    const refused = await failure(call(() => expect.unreachable()));
    expect(refused).toMatchObject({
      reason: "adapter/unavailable",
      effect: "none",
      retry: { allowed: true, afterMs: 5_000 },
    });
    await clock.run(5_000);
    expect((await failure(call(() => expect.unreachable()))).retry?.afterMs).toBe(10_000);
    world.works = true;
    await clock.run(15_000);
    expect(await call(() => answer)).toBe(answer);
    expect(told).toEqual(["adapter shop: the backend is degraded", "adapter shop: the backend is down"]);
  });

  it("is told to whoever listens, whose own failures change nothing", async () => {
    const changes: object[] = [];
    const onStatus = (change: object) => {
      changes.push(change);
      throw new Error("the listener is broken");
    };
    const { call, told } = adapted({ options: { onStatus, degradedAfter: 1 } });
    expect((await failure(call(broken))).reason).toBe("adapter/failed");
    expect(await call(() => answer)).toBe(answer);
    expect(changes).toEqual([
      { from: "healthy", to: "degraded" },
      { from: "degraded", to: "healthy" },
    ]);
    expect(told).toEqual([
      "adapter shop: the backend is degraded",
      "adapter shop: onStatus failed",
      "adapter shop: onStatus failed",
    ]);
  });

  it.each([
    ["a refusal of its own", () => Promise.reject(new AdapterError("GONE")), "healthy"],
    ["an undeclared one", () => Promise.reject(new AdapterError("NO_SUCH")), "down"],
    ["a failure in disguise", () => ({ structuredContent: { success: false } }), "down"],
  ])("after %s three times", async (_what, handler, status) => {
    const { call, keeper } = adapted();
    for (let n = 0; n < 3; n++) await failure(call(handler));
    expect(keeper.health.status).toBe(status);
  });
});

describe("close", () => {
  it("waits for running calls, takes no new ones, and closes the backend once", async () => {
    const { call, clock, keeper, closed } = adapted();
    const running = call(() => clock.sleep(500).then(() => answer));
    await new Promise(setImmediate);
    const ends = [keeper.close(), keeper.close()];
    expect(await failure(call(() => expect.unreachable()))).toMatchObject({
      reason: "adapter/unavailable",
      effect: "none",
    });
    expect(closed).toEqual([]);
    await clock.run(500);
    await Promise.all(ends);
    expect(await running).toBe(answer);
    expect(closed).toEqual(["backend of config"]);
    expect(keeper.health).toEqual({ status: "closed", failures: 0, running: 0 });
  });

  it("does not wait longer than it may: then calls are ended", async () => {
    const { call, clock, keeper, closed, told } = adapted({ options: { drainMs: 200 } });
    const faults = Array.from({ length: 5 }, () => failure(call(hang)));
    await new Promise(setImmediate);
    const end = keeper.close();
    await clock.run(200);
    await end;
    for (const fault of faults)
      expect(await fault).toMatchObject({ reason: "adapter/unavailable", effect: "possible" });
    expect(closed).toEqual(["backend of config"]);
    expect(told).toEqual([]);
  });

  it("does not wait at all when its signal says so", async () => {
    const { call, keeper } = adapted();
    const fault = failure(call(hang));
    await new Promise(setImmediate);
    await keeper.close(AbortSignal.abort());
    expect((await fault).reason).toBe("adapter/unavailable");
  });

  it.each([
    ["fails", broken, "adapter shop: the backend could not be closed"],
    ["hangs", hang, "adapter shop: the backend did not close in time"],
  ])("ends though the backend %s, and tells the operator", async (_what, close, line) => {
    const { call, clock, keeper, told } = adapted({ lifecycle: { close } });
    await call(() => answer);
    const end = keeper.close();
    await clock.run();
    await end;
    expect(told).toEqual([line]);
  });

  it("ends a start that is under way, and closes what still comes of it", async () => {
    const { call, clock, keeper, closed } = adapted({
      lifecycle: { initialise: () => clock.sleep(900).then(() => "late") },
    });
    const fault = failure(call(() => expect.unreachable()));
    await new Promise(setImmediate);
    await keeper.close(AbortSignal.abort());
    expect(await fault).toMatchObject({ reason: "adapter/unavailable", effect: "none" });
    await clock.run();
    expect(closed).toEqual(["late"]);
  });

  it("of an adapter that never started has nothing to do", async () => {
    const { keeper, closed } = adapted();
    await keeper.close();
    expect(closed).toEqual([]);
  });
});
