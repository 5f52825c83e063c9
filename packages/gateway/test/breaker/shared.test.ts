import { createRedisServer, type RedisServer } from "@recourse/test-kit/redis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { breakerKey } from "../../src/breaker/breaker-server.ts";
import { keysAt, testReplica } from "./support/replicas.ts";

let server: RedisServer;
beforeAll(async () => {
  server = await createRedisServer({ durable: false });
});
afterAll(() => server.close());

const replicas = (count: number, options: object = {}) =>
  Promise.all(Array.from({ length: count }, () => testReplica({ url: server.url, ...options })));

/** A pause that does not end while a test runs. */
const PAUSE_MS = 600_000;

type TestReplica = Awaited<ReturnType<typeof testReplica>>;

/** Counts five failures on one replica, and waits until the others know of it. */
async function trip(name: string, [first, ...others]: readonly TestReplica[]): Promise<void> {
  for (const one of others) await one.call(name, "success");
  for (let count = 0; count < 5; count++) await first?.call(name, "failure");
  await expect.poll(() => others.map((one) => one.stateOf(name))).toEqual(others.map(() => "open"));
}

describe("breakers that replicas share", () => {
  it("open on all replicas when one has counted five failures, and close on all with one probe", async () => {
    const all = await replicas(3, { pauseMs: PAUSE_MS });
    const keys = await keysAt(server.url);
    await trip("a", all);
    for (const one of all) expect(await one.ask("a")).toMatchObject({ go: false, afterMs: expect.any(Number) });
    // The pause is over.
    await keys.hSet(breakerKey("a"), "u", "0");
    const probe = await all[1]?.probe("a");
    await expect.poll(() => all.map((one) => one.stateOf("a"))).toEqual(["half-open", "half-open", "half-open"]);
    // The probe has an hour, but may end at any moment.
    expect(await all[2]?.ask("a")).toEqual({ go: false, afterMs: PAUSE_MS });
    if (probe !== undefined) all[1]?.breakers.tell({ upstream: "a" }, probe.pass, "success");
    await expect.poll(() => all.map((one) => one.stateOf("a"))).toEqual(["closed", "closed", "closed"]);
    expect(await keys.hGetAll(breakerKey("a"))).toMatchObject({ s: "closed" });
  });

  it("have one name for a change on all replicas, however it went on in between", async () => {
    const all = await replicas(3, { pauseMs: 30 });
    await trip("g", all);
    // A probe that fails, and one that succeeds.
    for (const signal of ["failure", "success"] as const) {
      const probe = await all[1]?.probe("g");
      if (probe !== undefined) all[1]?.breakers.tell({ upstream: "g" }, probe.pass, signal);
    }
    await expect
      .poll(() => all.map((one) => one.flips.map(({ what }) => what)))
      .toEqual([...Array(3).fill(["opened", "closed"])]);
    for (const at of [0, 1]) expect(new Set(all.map((one) => one.flips[at]?.epoch)).size).toBe(1);
    expect(all[0]?.flips[0]).toMatchObject({ upstream: "g", failures: 5 });
    const late = await testReplica({ url: server.url });
    await late.call("g", "success");
    await expect.poll(() => late.flips).toEqual([{ ...all[1]?.flips[1], failures: undefined }]);
  });

  it("give the probe to one of many calls at the same moment", async () => {
    const all = await replicas(4, { pauseMs: 50 });
    await trip("b", all);
    await expect.poll(() => all.map((one) => one.restOf("b"))).toEqual([0, 0, 0, 0]);
    const calls = all.flatMap((one) => Array.from({ length: 25 }, () => one.ask("b")));
    const answers = await Promise.all(calls);
    expect(answers.filter(({ go }) => go)).toHaveLength(1);
  });

  it("forget a probe that is not heard of again, and nothing that it says later counts", async () => {
    const all = await replicas(2, { pauseMs: 20 });
    const keys = await keysAt(server.url);
    const nowMs = async () => {
      const [seconds, us] = (await keys.sendCommand(["TIME"])) as unknown as readonly [string, string];
      return Number(seconds) * 1_000 + Math.floor(Number(us) / 1_000);
    };
    await trip("c", all);
    const fromMs = await nowMs();
    // It has no time of its own, so one second is left.
    const lost = await all[0]?.probe("c", 0);
    const untilMs = Number(await keys.hGet(breakerKey("c"), "u"));
    expect(untilMs).toBeGreaterThanOrEqual(fromMs + 1_000);
    expect(untilMs).toBeLessThanOrEqual((await nowMs()) + 1_000);
    // The second is over.
    await keys.hSet(breakerKey("c"), "u", "0");
    const next = await all[1]?.probe("c");
    if (lost !== undefined) all[0]?.breakers.tell({ upstream: "c" }, lost.pass, "success");
    await all[0]?.answered();
    expect(await keys.hGet(breakerKey("c"), "s")).toBe("half");
    if (next !== undefined) all[1]?.breakers.tell({ upstream: "c" }, next.pass, "failure");
    await expect.poll(() => all.map((one) => one.stateOf("c"))).toEqual(["open", "open"]);
    expect(await keys.hGet(breakerKey("c"), "n")).toBe("2");
  });

  it("let the next call be the probe when one has shown nothing", async () => {
    const all = await replicas(2, { pauseMs: 20 });
    await trip("d", all);
    const first = await all[0]?.probe("d");
    if (first !== undefined) all[0]?.breakers.tell({ upstream: "d" }, first.pass, "ignored");
    expect(await all[1]?.probe("d")).toMatchObject({ go: true });
  });

  it("are known to a replica that starts later, and to one that hears no messages", async () => {
    const all = await replicas(1, { pauseMs: PAUSE_MS });
    await trip("e", all);
    const deaf = await testReplica({ url: server.url, hears: false });
    await deaf.call("e", "success");
    await expect.poll(() => deaf.stateOf("e")).toBe("open");
    await all[0]?.breakers.reset({ upstream: "e" });
    await expect.poll(() => deaf.stateOf("e")).toBe("closed");
    await all[0]?.call("e", "success");
    expect(all[0]?.stateOf("e")).toBe("closed");
  });

  it("are forgotten by Redis some time after the last call", async () => {
    const all = await replicas(1);
    await trip("f", all);
    const keys = await keysAt(server.url);
    expect(await keys.pTTL(breakerKey("f"))).toBeGreaterThan(0);
    await all[0]?.probe("f");
    expect(await keys.pTTL(breakerKey("f"))).toBeGreaterThan(60_000);
  });
});

it("work on a cluster", async () => {
  const cluster = await createRedisServer({ durable: false, cluster: true });
  try {
    const all = await Promise.all([1, 2].map(() => testReplica({ url: cluster.url, cluster: true, pauseMs: 100 })));
    await trip("a", all);
    const probe = await all[1]?.probe("a");
    if (probe !== undefined) all[1]?.breakers.tell({ upstream: "a" }, probe.pass, "success");
    await expect.poll(() => all.map((one) => one.stateOf("a"))).toEqual(["closed", "closed"]);
  } finally {
    await cluster.close();
  }
});

it("go on by themselves while Redis is away, and share again afterwards what they found out", async () => {
  const own = await createRedisServer({ durable: false });
  try {
    const all = await Promise.all([1, 2].map(() => testReplica({ url: own.url, pauseMs: PAUSE_MS })));
    const [first, second] = all;
    for (const one of all) await one.call("a", "success");
    await own.kill();
    // A look finds out that Redis is away.
    await expect.poll(() => all.map((one) => one.said.includes("away"))).toEqual([true, true]);
    for (let count = 0; count < 5; count++) await first?.call("a", "failure");
    expect(await first?.ask("a")).toMatchObject({ go: false });
    expect(first?.breakers.views).toMatchObject([{ state: "open", scope: "local" }]);
    expect(await second?.ask("a")).toMatchObject({ go: true });
    await expect(first?.breakers.reset({ upstream: "a" })).rejects.toThrow("Redis does not answer");
    await own.start();
    await expect.poll(() => second?.stateOf("a")).toBe("open");
    expect(first?.breakers.views).toMatchObject([{ state: "open", scope: "shared" }]);
    expect(first?.said.filter((one) => one === "away" || one === "back")).toEqual(["away", "back"]);
  } finally {
    await own.close();
  }
});

it("one probe for each process while Redis is away", async () => {
  const own = await createRedisServer({ durable: false });
  try {
    const all = await Promise.all([1, 2].map(() => testReplica({ url: own.url, pauseMs: 300 })));
    await trip("a", all);
    await own.kill();
    const probes = await Promise.all(all.map((one) => one.probe("a")));
    expect(probes.map(({ go }) => go)).toEqual([true, true]);
    for (const one of all) expect(await one.ask("a")).toMatchObject({ go: false });
    for (const [at, one] of all.entries()) {
      const probe = probes[at];
      if (probe !== undefined) one.breakers.tell({ upstream: "a" }, probe.pass, "success");
      expect(one.stateOf("a")).toBe("closed");
    }
  } finally {
    await own.close();
  }
});
