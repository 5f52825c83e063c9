import { VirtualClock } from "@recourse/test-kit/virtual-clock";
import { describe, expect, it } from "vitest";
import { answer, broken, createTestAdapter, failure, hang } from "../../test/test-adapter.ts";
import { AdapterError } from "./adapter-error.ts";
import { Starter } from "./backend-manager.ts";

const gone = () => Promise.reject(Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }));

describe("the start", () => {
  it("runs once for all first calls, which wait for it", async () => {
    let starts = 0;
    const { call, clock, manager } = createTestAdapter({
      lifecycle: {
        initialise: async () => {
          starts++;
          await clock.sleep(400);
          return "backend";
        },
      },
    });
    expect(manager.health.status).toBe("idle");
    const calls = Array.from({ length: 10 }, () => call(() => answer));
    await new Promise(setImmediate);
    expect(manager.health).toEqual({ status: "starting", failures: 0, running: 10 });
    await clock.run(400);
    expect(await Promise.all(calls)).toEqual(Array(10).fill(answer));
    expect(starts).toBe(1);
  });

  it("that fails is answered with a wait, and without the cause", async () => {
    const { call, manager, reported } = createTestAdapter({ lifecycle: { initialise: broken } });
    const fault = await failure(call(() => expect.unreachable()));
    expect(fault).toMatchObject({
      reason: "adapter/unavailable",
      effect: "none",
      retry: { allowed: true, afterMs: 1_000 },
      recourse: [{ do: "retry", afterMs: 1_000 }],
    });
    expect(JSON.stringify(fault)).not.toContain("hunter2");
    expect(manager.health.status).toBe("down");
    expect(reported).toEqual(["adapter shop: the backend could not be started"]);
  });

  it("that takes longer than a call continues without it", async () => {
    const { call, clock, manager } = createTestAdapter({
      lifecycle: { initialise: () => clock.sleep(3_000).then(() => "backend") },
    });
    const fault = failure(call(() => expect.unreachable()));
    await clock.run(1_000);
    expect(await fault).toMatchObject({ reason: "tool/timeout", effect: "none" });
    await clock.run(3_000);
    expect(manager.health.status).toBe("healthy");
    expect(await call(() => answer)).toBe(answer);
  });
});

describe("health", () => {
  it("goes down with failed calls; then calls are refused at once, until a check succeeds", async () => {
    const world = { works: false };
    const { call, clock, manager, reported } = createTestAdapter({
      lifecycle: { health: () => (world.works ? undefined : broken()) },
    });
    for (const status of ["healthy", "degraded", "down"]) {
      await failure(call(gone));
      expect(manager.health.status).toBe(status);
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
    expect(reported).toEqual(["adapter shop: the backend is degraded", "adapter shop: the backend is down"]);
  });

  it("is passed to onStatus, whose own failures change nothing", async () => {
    const changes: object[] = [];
    const onStatus = (change: object) => {
      changes.push(change);
      throw new Error("the listener is broken");
    };
    const { call, reported } = createTestAdapter({
      options: { onStatus, breaker: { failures: 3, degradedFailures: 1 } },
    });
    expect((await failure(call(gone))).reason).toBe("adapter/unavailable");
    expect(await call(() => answer)).toBe(answer);
    expect(changes).toEqual([
      { from: "healthy", to: "degraded" },
      { from: "degraded", to: "healthy" },
    ]);
    expect(reported).toEqual([
      "adapter shop: the backend is degraded",
      "adapter shop: onStatus failed",
      "adapter shop: onStatus failed",
    ]);
  });

  it.each([
    ["a declared refusal", () => Promise.reject(new AdapterError("GONE")), "healthy"],
    ["an undeclared failure", () => Promise.reject(new AdapterError("NO_SUCH")), "healthy"],
    ["a bug of the handler", () => Promise.reject(new TypeError("x is undefined")), "healthy"],
    ["a failure that is returned as a result", () => ({ structuredContent: { success: false } }), "healthy"],
    ["a connection that is refused", gone, "down"],
  ])("after %s three times", async (_what, handler, status) => {
    const { call, manager } = createTestAdapter();
    for (let n = 0; n < 3; n++) await failure(call(handler));
    expect(manager.health.status).toBe(status);
  });
});

describe("close", () => {
  it("waits for running calls, refuses new ones, and closes the backend once", async () => {
    const { call, clock, manager, closed } = createTestAdapter();
    const running = call(() => clock.sleep(500).then(() => answer));
    await new Promise(setImmediate);
    const ends = [manager.close(), manager.close()];
    expect(await failure(call(() => expect.unreachable()))).toMatchObject({
      reason: "adapter/unavailable",
      effect: "none",
    });
    expect(closed).toEqual([]);
    await clock.run(500);
    await Promise.all(ends);
    expect(await running).toBe(answer);
    expect(closed).toEqual(["backend of config"]);
    expect(manager.health).toEqual({ status: "closed", failures: 0, running: 0 });
  });

  it("waits within its limit, then aborts the calls", async () => {
    const { call, clock, manager, closed, reported } = createTestAdapter({ options: { drainTimeoutMs: 200 } });
    const faults = Array.from({ length: 5 }, () => failure(call(hang)));
    await new Promise(setImmediate);
    const end = manager.close();
    await clock.run(200);
    await end;
    for (const fault of faults)
      expect(await fault).toMatchObject({ reason: "adapter/unavailable", effect: "possible" });
    expect(closed).toEqual(["backend of config"]);
    expect(reported).toEqual([]);
  });

  it("does not wait when its signal is aborted", async () => {
    const { call, manager } = createTestAdapter();
    const fault = failure(call(hang));
    await new Promise(setImmediate);
    await manager.close(AbortSignal.abort());
    expect((await fault).reason).toBe("adapter/unavailable");
  });

  it.each([
    ["fails", broken, "adapter shop: the backend could not be closed"],
    ["hangs", hang, "adapter shop: the backend did not close in time"],
  ])("ends although the backend %s, and reports it", async (_what, close, line) => {
    const { call, clock, manager, reported } = createTestAdapter({ lifecycle: { close } });
    await call(() => answer);
    const end = manager.close();
    await clock.run();
    await end;
    expect(reported).toEqual([line]);
  });

  it("aborts a running start, and closes its late backend", async () => {
    const { call, clock, manager, closed } = createTestAdapter({
      lifecycle: { initialise: () => clock.sleep(900).then(() => "late") },
    });
    const fault = failure(call(() => expect.unreachable()));
    await new Promise(setImmediate);
    await manager.close(AbortSignal.abort());
    expect(await fault).toMatchObject({ reason: "adapter/unavailable", effect: "none" });
    await clock.run();
    expect(closed).toEqual(["late"]);
  });

  it("does nothing for an adapter that never started", async () => {
    const { manager, closed } = createTestAdapter();
    await manager.close();
    expect(closed).toEqual([]);
  });
});

function createStarter(initialise: (attempt: number, clock: VirtualClock, signal: AbortSignal) => Promise<string>) {
  const clock = new VirtualClock();
  const seen = { attempts: [] as number[], discarded: [] as string[], failed: [] as unknown[], started: 0 };
  const starter = new Starter<string>({
    clock,
    startTimeoutMs: 1_000,
    restartPauseMs: 2_000,
    maxRestartPauseMs: 5_000,
    initialise: (signal) => {
      seen.attempts.push(clock.now());
      return initialise(seen.attempts.length, clock, signal);
    },
    discard: (backend) => seen.discarded.push(backend),
    onStarted: () => seen.started++,
    onFailed: (cause) => seen.failed.push((cause as Error).message),
  });
  return { clock, starter, seen };
}

describe("Starter", () => {
  it("starts once for all who ask at the same time and later", async () => {
    const { clock, starter, seen } = createStarter((_attempt, time) => time.sleep(500).then(() => "backend"));
    const asked = Array.from({ length: 20 }, () => starter.start());
    expect(starter.isStarting).toBe(true);
    await clock.run();
    const starts = await Promise.all([...asked, starter.start()]);
    expect(new Set(starts.map((start) => start.ok && start.backend))).toEqual(new Set(["backend"]));
    expect(seen).toMatchObject({ attempts: [0], started: 1 });
  });

  it("tries a failed start again, with growing delays", async () => {
    const { clock, starter, seen } = createStarter((attempt) =>
      attempt < 5 ? Promise.reject(new Error(`no ${attempt}`)) : Promise.resolve("backend"),
    );
    for (let at = 0; at <= 20_000; at += 500) {
      clock.at(at, () => {});
      await clock.run(at);
      await starter.start();
    }
    expect(seen).toMatchObject({
      attempts: [0, 2_000, 6_000, 11_000, 16_000],
      failed: ["no 1", "no 2", "no 3", "no 4"],
      started: 1,
    });
  });

  it("says when to ask again during the delay, without a start", async () => {
    const { clock, starter, seen } = createStarter(() => Promise.reject(new Error("no")));
    expect(await starter.start()).toEqual({ ok: false, afterMs: 2_000 });
    clock.at(500, () => {});
    await clock.run(500);
    expect(await starter.start()).toEqual({ ok: false, afterMs: 1_500 });
    expect(starter.hasFailed).toBe(true);
    expect(seen.attempts).toEqual([0]);
  });

  it("gives up a start that takes too long, and discards its late backend", async () => {
    const { clock, starter, seen } = createStarter((_attempt, time) => time.sleep(3_000).then(() => "late"));
    const start = starter.start();
    await clock.run();
    expect(await start).toEqual({ ok: false, afterMs: 2_000 });
    expect(seen).toMatchObject({ discarded: ["late"], failed: ["the start did not end in time"] });
    expect(starter.backend).toBeUndefined();
  });

  it("stops for good", async () => {
    const { clock, starter, seen } = createStarter((_attempt, time, signal) =>
      time.sleep(500, signal).then(() => "backend"),
    );
    const start = starter.start();
    starter.stop();
    expect(await start).toEqual({ ok: false, afterMs: 0 });
    expect(await starter.start()).toEqual({ ok: false, afterMs: 0 });
    await clock.run();
    expect(seen).toMatchObject({ attempts: [0], failed: [], started: 0 });
  });
});
