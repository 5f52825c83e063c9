import type { Fault } from "@recourse/core";
import type { RedisClient } from "@recourse/stores/redis";
import { eventually } from "@recourse/test-kit/eventually";
import { connectRedis, createRedisServer, type RedisServer } from "@recourse/test-kit/redis";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Call } from "../../src/call/call.ts";
import type { GatewayConfig } from "../../src/config/types.ts";
import { createLimiter } from "../../src/limits/limiter.ts";
import { openRedis } from "../../src/stores/redis.ts";
import { holdTime, pass, passUntil } from "../support/held-time.ts";

const RATES = {
  address: undefined,
  key: undefined,
  tenant: undefined,
  cost: undefined,
  tools: [],
  mode: "leased",
} as const;
type Limits = Partial<GatewayConfig["limits"]>;
type Away = GatewayConfig["away"]["limits"];

function limiterOf(limits: Limits, options: { redis?: RedisClient; away?: Away; now?: () => number } = {}) {
  const { redis, away = "closed", now } = options;
  const seen: string[] = [];
  const config = { name: "edge", limits: { ...RATES, ...limits }, away: { limits: away, replicas: 2 } };
  const observer = {
    switched: (control: string, state: string, answer: string) => seen.push(`${control} ${state} ${answer}`),
    log: (_level: string, text: string) => seen.push(text),
    unexpected: (error: unknown, where: string) => seen.push(`${where}: ${String(error)}`),
  };
  const limiter = createLimiter(
    config,
    redis === undefined ? { mode: "memory" } : { mode: "shared", redis },
    observer,
    now === undefined ? {} : { now },
  );
  return { limiter, seen };
}

interface Facts {
  readonly caller?: { readonly id: string; readonly tenant: string };
  readonly tool?: string;
  readonly cost?: number;
  readonly kind?: string;
  readonly id?: number | undefined;
  readonly bytes?: number;
}
const CI = { id: "key acme ci", tenant: "acme" };
const BOT = { id: "key acme bot", tenant: "acme" };
const OTHER = { id: "key umbrella ci", tenant: "umbrella" };

/** A call as the step before has left it. */
function callOf(facts: Facts = {}): Call {
  const { caller = CI, tool, cost = 1, kind = "upstream", bytes = 100 } = facts;
  const id = "id" in facts ? facts.id : 1;
  const route = { kind, upstream: {}, target: tool, tool: tool === undefined ? undefined : { name: tool, cost } };
  return {
    caller,
    route,
    message: { id, method: tool === undefined ? "resources/read" : "tools/call", bytes: Buffer.alloc(bytes) },
  } as unknown as Call;
}

/** How many of so many calls pass, and the last refusal. */
async function calls(take: (call: Call) => unknown, count: number, make: () => Call = callOf) {
  let passed = 0;
  let fault: Fault | undefined;
  for (let index = 0; index < count; index++) {
    const outcome = (await take(make())) as Fault | undefined;
    if (outcome === undefined) passed += 1;
    else fault = outcome;
  }
  return { passed, fault };
}

describe("limits in memory", () => {
  let nowMs = 0;
  const now = () => nowMs;

  it("count each key for itself, and say when to come again", async () => {
    const { limiter } = limiterOf({ key: { perSecond: 2, burst: 4 } }, { now });
    const { passed, fault } = await calls(limiter.take, 6);
    expect(passed).toBe(4);
    expect(fault).toMatchObject({
      kind: "rate_limited",
      reason: "core/rate_limited",
      message: "The rate limit of 4 per 2 seconds is reached.",
      effect: "none",
      retry: { allowed: true, afterMs: 500 },
      limits: [{ policy: "key", unit: "calls", quota: 4, remaining: 0, windowMs: 2_000, resetMs: 500, scope: "key" }],
      origin: { layer: "gateway", name: "edge" },
      recourse: [{ do: "retry", afterMs: 500 }],
    });
    expect((await calls(limiter.take, 6, () => callOf({ caller: BOT }))).passed).toBe(4);
    nowMs += 500;
    expect((await calls(limiter.take, 3)).passed).toBe(1);
  });

  it("count a tenant over all its keys", async () => {
    const { limiter } = limiterOf({ tenant: { perSecond: 1, burst: 5 } }, { now });
    expect((await calls(limiter.take, 3)).passed).toBe(3);
    expect((await calls(limiter.take, 9, () => callOf({ caller: BOT }))).passed).toBe(2);
    expect((await calls(limiter.take, 9, () => callOf({ caller: OTHER }))).passed).toBe(5);
  });

  it("name on the call the limit that lasts longest, in whatever order they stand", async () => {
    const slow = { pattern: "shop__refund", rate: { perSecond: 0.1, burst: 1 } };
    const quick = { pattern: "shop__*", rate: { perSecond: 2, burst: 1 } };
    for (const tools of [
      [slow, quick],
      [quick, slow],
    ]) {
      const { limiter } = limiterOf({ tools }, { now });
      await limiter.take(callOf({ tool: "shop__refund" }));
      const call = callOf({ tool: "shop__refund" });
      const fault = await limiter.take(call);
      expect(fault?.limits?.map(({ resetMs }) => resetMs)).toEqual([10_000, 500]);
      expect(call.limitedBy).toBe("shop__refund");
    }
  });

  it("take the cost of a tool from its tenant, and a token of every pattern that fits", async () => {
    const tools = [
      { pattern: "shop__*", rate: { perSecond: 1, burst: 3 } },
      { pattern: "shop__refund", rate: { perSecond: 1, burst: 1 } },
    ];
    const { limiter } = limiterOf({ cost: { perSecond: 1, burst: 10 }, tools }, { now });
    const refund = () => callOf({ tool: "shop__refund", cost: 2 });
    const first = await calls(limiter.take, 2, refund);
    expect(first).toMatchObject({ passed: 1, fault: { limits: [{ policy: "tool", quota: 1 }] } });
    // The refused call has taken nothing from the others.
    expect((await calls(limiter.take, 4, () => callOf({ caller: OTHER, tool: "shop__find" }))).passed).toBe(2);
    const costly = await calls(limiter.take, 9, () => callOf({ tool: "crm__find", cost: 3 }));
    expect(costly).toMatchObject({
      passed: 2,
      fault: { limits: [{ policy: "cost", unit: "units", scope: "tenant" }] },
    });
  });

  it.each([
    ["what the gateway answers itself", { kind: "local" }],
    ["a message that needs nothing", { kind: "ignored" }],
    ["a notification", { id: undefined }],
  ])("do not count %s", async (_, facts) => {
    const { limiter } = limiterOf({ key: { perSecond: 1, burst: 1 } }, { now });
    expect((await calls(limiter.take, 5, () => callOf(facts))).passed).toBe(5);
    expect((await calls(limiter.take, 5)).passed).toBe(1);
  });
});

describe("limits in Redis", () => {
  let server: RedisServer;
  let redis: Awaited<ReturnType<typeof connectRedis>>;
  beforeAll(async () => {
    server = await createRedisServer({ durable: false });
    redis = await connectRedis(server.url);
  });
  afterAll(async () => {
    redis.destroy();
    await server.close();
  });

  it("are shared by replicas, for tenants and tools that live on different nodes of a cluster", async () => {
    const tools = [{ pattern: "*", rate: { perSecond: 1_000, burst: 6 } }];
    const replicas = [1, 2].map(() => limiterOf({ key: { perSecond: 1_000, burst: 1_000 }, tools }, { redis }).limiter);
    const answers = () => Promise.all(replicas.map((one) => calls(one.take, 5, () => callOf({ tool: "shop__find" }))));
    // A server that has just started lets nothing through that could have passed before.
    await expect.poll(async () => (await answers()).reduce((sum, { passed }) => sum + passed, 0)).toBeGreaterThan(0);
    await Promise.all(replicas.map((one) => one.close()));
  });

  it.each([
    ["closed", 0],
    ["open", 12],
    ["local", 3],
  ] as const)("answer %s while Redis is away, and count again when it is back", async (away, passes) => {
    holdTime();
    const own = await createRedisServer({ durable: false });
    const connection = await connectRedis(own.url);
    try {
      const { limiter, seen } = limiterOf({ key: { perSecond: 0.001, burst: 6 } }, { redis: connection, away });
      await limiter.take(callOf());
      await own.kill();
      await eventually(async () => {
        await limiter.take(callOf({ caller: OTHER }));
        expect(limiter.isAway).toBe(true);
      });
      const { passed, fault } = await calls(limiter.take, 12);
      expect(passed).toBe(passes);
      const expected = {
        closed: { kind: "unavailable", effect: "none", retry: { allowed: true, afterMs: 500 } },
        open: undefined,
        local: { kind: "rate_limited", limits: [{ quota: 3, policy: "key" }] },
      } as const;
      if (expected[away] === undefined) expect(fault).toBeUndefined();
      else expect(fault).toMatchObject(expected[away]);
      await own.start();
      await eventually(async () => {
        // It is asked again after a pause.
        await pass(250);
        expect(limiter.isAway).toBe(false);
      });
      expect(seen.filter((line) => line.startsWith("limits"))).toEqual([`limits away ${away}`, `limits back ${away}`]);
      expect(await limiter.take(callOf())).toMatchObject({ kind: "rate_limited" });
      await passUntil(limiter.close());
    } finally {
      connection.destroy();
      await own.close();
    }
  });

  it("end commands that are not answered, without a timer for each", async () => {
    const opened = await openRedis({ urls: [server.url], cluster: false, onError: () => {} });
    holdTime();
    const plenty = { perSecond: 1_000, burst: 1_000 };
    const { limiter } = limiterOf({ key: plenty, mode: "exact" }, { redis: opened.redis });
    onTestFinished(async () => {
      await redis.sendCommand(["CLIENT", "UNPAUSE"]);
      await passUntil(limiter.close());
      opened.close();
    });
    await eventually(async () => expect(await limiter.take(callOf())).toBeUndefined());
    const timers = vi.spyOn(AbortSignal, "timeout");
    onTestFinished(() => timers.mockRestore());
    expect(await limiter.take(callOf())).toBeUndefined();
    expect(timers).not.toHaveBeenCalled();
    await redis.sendCommand(["CLIENT", "PAUSE", "600000", "WRITE"]);
    const late = Promise.all([limiter.take(callOf()), limiter.take(callOf())]);
    await pass(200);
    for (const fault of await late) expect(fault).toMatchObject({ kind: "unavailable" });
    expect(limiter.isAway).toBe(true);
  });

  it("log what is wrong with the setup", async () => {
    await redis.configSet("maxmemory-policy", "allkeys-lru");
    const { limiter, seen } = limiterOf({}, { redis });
    await expect.poll(() => seen).toHaveLength(1);
    expect(seen[0]).toContain("maxmemory-policy allkeys-lru");
    await limiter.close();
  });
});
