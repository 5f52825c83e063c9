import type { FaultError } from "@recourse/core";
import { describe, expect, it } from "vitest";
import { answer, broken, createTestAdapter, failure, hang, pass } from "../../test/test-adapter.ts";
import { AdapterError } from "./adapter-error.ts";

const gone = () => Promise.reject(Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }));

const REFUSED = { reason: "adapter/unavailable", effect: "none" };
const IN_FIVE = { allowed: true, afterMs: 5_000 };

describe("the start", () => {
  it("runs once for all first calls, which wait for it", async () => {
    let starts = 0;
    const { call, clock, manager } = createTestAdapter({
      lifecycle: { initialise: () => clock.sleep(400).then(() => `backend ${++starts}`) },
    });
    expect(manager.health.status).toBe("idle");
    const calls = Array.from({ length: 10 }, () => call(() => answer));
    await new Promise(setImmediate);
    expect(manager.health).toEqual({ status: "starting", running: 10 });
    await clock.run(400);
    expect(await Promise.all(calls)).toEqual(Array(10).fill(answer));
    expect(starts).toBe(1);
  });

  it("that fails is answered with a wait, and without the cause", async () => {
    const { call, manager, reported } = createTestAdapter({ lifecycle: { initialise: broken } });
    const fault = await failure(call(() => expect.unreachable()));
    expect(fault).toMatchObject({ ...REFUSED, retry: IN_FIVE, recourse: [{ do: "retry", afterMs: 5_000 }] });
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

describe("a start that failed", () => {
  it("is tried again by the next call after a pause that grows", async () => {
    const attempts: number[] = [];
    const { call, clock, reported } = createTestAdapter({
      lifecycle: { initialise: () => (attempts.push(clock.now()) < 4 ? broken() : "backend") },
    });
    const answers: unknown[] = [];
    for (let at = 0; at <= 40_000; at += 2_500) {
      await pass(clock, at);
      answers.push(await call(() => answer).catch(({ fault }: FaultError) => fault.retry?.afterMs));
    }
    expect(attempts).toEqual([0, 5_000, 15_000, 35_000]);
    expect(answers.slice(0, 4)).toEqual([5_000, 2_500, 10_000, 7_500]);
    expect(answers.at(-1)).toBe(answer);
    expect(reported).toEqual(Array(3).fill("adapter shop: the backend could not be started"));
  });

  it("and takes too long is given up, and its late backend is closed", async () => {
    const { call, clock, closed, manager, reported } = createTestAdapter({
      lifecycle: { initialise: () => clock.sleep(30_000).then(() => "late") },
      options: { startTimeoutMs: 500 },
    });
    const fault = failure(call(() => expect.unreachable()));
    await clock.run(500);
    expect(await fault).toMatchObject({ reason: "adapter/unavailable", effect: "none" });
    expect(manager.health.status).toBe("down");
    await clock.run();
    expect(closed).toEqual(["late"]);
    expect(reported).toEqual(["adapter shop: the backend could not be started"]);
  });
});

describe("health", () => {
  it("goes down with failed calls; then calls are refused at once, until one finds out that it works again", async () => {
    const world = { works: false };
    const { call, clock, manager, reported } = createTestAdapter();
    const ask = () => call(() => (world.works ? answer : gone()));
    for (const status of ["healthy", "healthy", "down"]) {
      await failure(ask());
      expect(manager.health.status).toBe(status);
    }
    const refused = await failure(call(() => expect.unreachable()));
    expect(refused).toMatchObject({ ...REFUSED, retry: IN_FIVE });
    await pass(clock, 5_000);
    await failure(ask());
    expect((await failure(call(() => expect.unreachable()))).retry?.afterMs).toBe(10_000);
    world.works = true;
    await pass(clock, 15_000);
    expect(await ask()).toBe(answer);
    expect(manager.health.status).toBe("healthy");
    expect(reported).toEqual(["adapter shop: the backend is down"]);
  });

  it("a call that was to find out, and left, leaves that to the next one", async () => {
    const { call, clock } = createTestAdapter();
    for (let n = 0; n < 3; n++) await failure(call(gone));
    await pass(clock, 5_000);
    const left = await failure(
      call(() => expect.unreachable(), { context: { mcpReq: { signal: AbortSignal.abort() } } }),
    );
    expect(left.kind).toBe("cancelled");
    expect(await call(() => answer)).toBe(answer);
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
    expect(await failure(call(() => expect.unreachable()))).toMatchObject(REFUSED);
    expect(closed).toEqual([]);
    await clock.run(500);
    await Promise.all(ends);
    expect(await running).toBe(answer);
    expect(closed).toEqual(["backend of config"]);
    expect(manager.health).toEqual({ status: "closed", running: 0 });
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
});
