import { connectRedis, createRedisServer, type RedisServer } from "@recourse/test-kit/redis";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import {
  type LimitAnswer,
  type LimitBucket,
  type Limits,
  type RedisClient,
  type RedisLimitsOptions,
  redisLimits,
} from "../../src/redis/index.ts";
import { usAt, virtualScripts } from "./support/virtual-server.ts";

type Client = Awaited<ReturnType<typeof connectRedis>>;
let server: RedisServer;
let client: Client;
/** The time of the server and of all processes, in ms, which passes where a test says so. */
let timeMs = 0;
let trips = 0;
const counted = virtualScripts(
  {
    eval: (script, options) => {
      trips += 1;
      return client.eval(script, options);
    },
  },
  () => timeMs,
);
/** A server that a test may stop, and a connection to it. */
async function ownServer(): Promise<{ readonly own: RedisServer; readonly connection: Client }> {
  const own = await createRedisServer({ durable: false });
  onTestFinished(() => own.close());
  const connection = await connectRedis(own.url);
  onTestFinished(() => connection.destroy());
  return { own, connection };
}
const open: Limits[] = [];
/** Longer than any answer takes, also on a slow machine. */
const TIMEOUT_MS = 60_000;
const opened = (options: RedisLimitsOptions): Limits => {
  const limits = redisLimits({ timeoutMs: TIMEOUT_MS, ...options });
  open.push(limits);
  return limits;
};
const limitsOf = (options: Partial<RedisLimitsOptions> = {}): Limits =>
  opened({ client: counted, testing: { clock: { monotonic: () => timeMs } }, ...options });
let names = 0;
interface BucketPlace {
  readonly group?: string;
  /** A server whose time is real. @default the one whose time the test has */
  readonly on?: Client;
}
/** A full bucket. One that is not known would hold what can have grown since the server started. */
async function bucketOf(perSecond: number, burst: number, place: BucketPlace = {}): Promise<LimitBucket> {
  const { group = `g${names}`, on } = place;
  names += 1;
  const us = String(on === undefined ? usAt(timeMs) : Date.now() * 1_000);
  await (on ?? client).hSet(`recourse:limits:{${group}}:b${names}`, { l: String(burst), t: us, r: us });
  return { id: `b${names}`, group, perSecond, burst };
}
const claim = (bucket: LimitBucket, cost = 1) => ({ bucket, cost });
const passed = (answers: readonly LimitAnswer[]) => answers.filter(({ ok }) => ok).length;
/** Makes calls one after the other. */
async function calls(limits: Limits, bucket: LimitBucket, count: number): Promise<LimitAnswer[]> {
  const answers: LimitAnswer[] = [];
  for (let index = 0; index < count; index++) answers.push(await limits.take([claim(bucket)]));
  return answers;
}

beforeAll(async () => {
  server = await createRedisServer({ durable: false });
  client = await connectRedis(server.url);
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((limits) => limits.close()));
});
afterAll(async () => {
  client.destroy();
  await server.close();
});

describe("limits in Redis", () => {
  it("gives the burst and refuses the rest, with the true wait", async () => {
    const bucket = await bucketOf(0.5, 3);
    const answers = await calls(limitsOf(), bucket, 4);
    expect(passed(answers)).toBe(3);
    const refused = answers[3];
    if (refused === undefined || refused.ok || refused.away) throw new Error("not refused");
    expect(refused.short[0].bucket).toBe(bucket);
    expect(refused.waitMs).toBe(2_000);
  });

  it("shares a bucket between processes", async () => {
    const bucket = await bucketOf(0.01, 10);
    const answers = await Promise.all([limitsOf(), limitsOf(), limitsOf()].map((one) => calls(one, bucket, 6)));
    expect(passed(answers.flat())).toBe(10);
  });

  it("asks for each call where few come, and answers from memory where many come", async () => {
    const limits = limitsOf();
    const cold = await bucketOf(1_000, 100);
    trips = 0;
    for (let index = 0; index < 5; index++) {
      const answer = limits.take([claim(cold)]);
      expect(answer).toBeInstanceOf(Promise);
      await answer;
      timeMs += 60;
    }
    expect(trips).toBe(5);
    const hot = await bucketOf(10_000, 20_000);
    trips = 0;
    for (let ms = 0; ms < 250; ms++) {
      expect(passed(await calls(limits, hot, 10))).toBe(10);
      timeMs += 1;
    }
    expect(trips).toBeLessThan(250);
    const answer = limits.take([claim(hot)]);
    expect(answer instanceof Promise || answer.ok).toBe(true);
  });

  it("asks for each call where it is told to be exact", async () => {
    const limits = limitsOf({ mode: "exact" });
    trips = 0;
    await calls(limits, await bucketOf(10_000, 1_000), 200);
    expect(trips).toBe(200);
  });

  it("refuses from memory until the wait is over", async () => {
    const limits = limitsOf();
    const bucket = await bucketOf(1, 1);
    await limits.take([claim(bucket)]);
    await limits.take([claim(bucket)]);
    trips = 0;
    const answers = Array.from({ length: 50 }, () => limits.take([claim(bucket)]));
    expect(answers.every((answer) => !(answer instanceof Promise) && !answer.ok)).toBe(true);
    expect(trips).toBe(0);
    timeMs += 999;
    expect(await limits.take([claim(bucket)])).toMatchObject({ ok: false, waitMs: 1 });
    expect(trips).toBe(0);
    timeMs += 1;
    expect((await limits.take([claim(bucket)])).ok).toBe(true);
  });

  it("lets calls queue on one lease instead of asking for each", async () => {
    const limits = limitsOf();
    const bucket = await bucketOf(1_000, 4_000);
    await calls(limits, bucket, 100);
    trips = 0;
    const answers = await Promise.all(Array.from({ length: 500 }, () => limits.take([claim(bucket)])));
    expect(passed(answers)).toBe(500);
    expect(trips).toBeLessThan(100);
  });

  it("takes of all buckets of a group or of none", async () => {
    const limits = limitsOf({ mode: "exact" });
    const wide = await bucketOf(0.01, 10, { group: "acme" });
    const narrow = await bucketOf(0.01, 1, { group: "acme" });
    const answers: LimitAnswer[] = [];
    for (let index = 0; index < 5; index++) answers.push(await limits.take([claim(wide), claim(narrow)]));
    expect(passed(answers)).toBe(1);
    expect(passed(await calls(limits, wide, 20))).toBe(9);
  });

  it.each(["exact", "leased"] as const)(
    "hands tokens of the first group back when the second refuses: %s",
    async (mode) => {
      const limits = limitsOf({ mode });
      const first = await bucketOf(0.01, 40, { group: "first" });
      const second = await bucketOf(0.01, 1, { group: "second" });
      if (mode === "leased") await calls(limits, first, 20);
      const before = mode === "leased" ? 20 : 0;
      // A bucket that is refused from memory is not asked again, so another process empties the second one.
      await limitsOf().take([claim(second)]);
      expect(await limits.take([claim(first), claim(second)])).toMatchObject({ ok: false, away: false });
      expect(await limits.take([claim(first), claim(second)])).toMatchObject({ short: [{ bucket: second }] });
      await limits.close();
      expect(passed(await calls(limitsOf({ mode: "exact" }), first, 60))).toBe(40 - before);
    },
  );

  it.each(["exact", "leased"] as const)(
    "asks one server for all groups in one step, or takes nothing: %s",
    async (mode) => {
      const limits = limitsOf({ mode, oneServer: true });
      const wide = await bucketOf(0.01, 10, { group: "wide" });
      const narrow = await bucketOf(0.01, 2, { group: "narrow" });
      trips = 0;
      expect(await limits.take([claim(wide), claim(narrow)])).toMatchObject({ ok: true });
      expect(trips).toBe(1);
      // Another process empties the narrow one, and asks for each group.
      await limitsOf().take([claim(wide), claim(narrow)]);
      expect(await limits.take([claim(wide), claim(narrow)])).toMatchObject({ ok: false, short: [{ bucket: narrow }] });
      await limits.close();
      expect(passed(await calls(limitsOf({ mode: "exact" }), wide, 20))).toBe(8);
    },
  );

  it("gives what is there and never more while processes differ in mode", async () => {
    const wide = await bucketOf(0.01, 3_000, { group: "wide-mixed" });
    const narrow = await bucketOf(0.01, 400, { group: "narrow-mixed" });
    const processes = (["exact", "leased"] as const).flatMap((mode) =>
      [true, false].map((oneServer) => limitsOf({ mode, oneServer })),
    );
    const callsOf = async (limits: Limits, count: number) => {
      const answers: LimitAnswer[] = [];
      for (let at = 0; at < count; at++) answers.push(await limits.take([claim(wide), claim(narrow)]));
      return answers;
    };
    const first = await Promise.all(processes.map((one) => callsOf(one, 50)));
    expect(passed(first.flat())).toBe(200);
    const rest = await Promise.all(processes.map((one) => callsOf(one, 200)));
    expect(passed(rest.flat())).toBeLessThanOrEqual(200);
    await Promise.all(processes.map((one) => one.close()));
    expect(passed(rest.flat()) + passed(await callsOf(limitsOf({ mode: "exact" }), 400))).toBe(200);
  });

  it("gives tokens back on request, once", async () => {
    const limits = limitsOf({ mode: "exact" });
    const bucket = await bucketOf(0.01, 3);
    const taken = await limits.take([claim(bucket, 3)]);
    if (!taken.ok) throw new Error("refused");
    taken.giveBack();
    taken.giveBack();
    expect(passed(await calls(limits, bucket, 9))).toBe(3);
  });

  it("takes several tokens for a call that costs more, and never more than the burst", async () => {
    const limits = limitsOf();
    const bucket = await bucketOf(0.01, 10);
    expect((await limits.take([claim(bucket, 4)])).ok).toBe(true);
    expect((await limits.take([claim(bucket, 4)])).ok).toBe(true);
    expect((await limits.take([claim(bucket, 4)])).ok).toBe(false);
    // Refused for 4 is not refused for 2.
    expect((await limits.take([claim(bucket, 2)])).ok).toBe(true);
    expect((await limits.take([claim(await bucketOf(0.01, 5), 50)])).ok).toBe(true);
  });

  it("hands back what it holds when no calls come, and when it is closed", async () => {
    for (const end of ["idle", "closed"] as const) {
      const limits = limitsOf();
      const bucket = await bucketOf(0.01, 1_000);
      const spent = passed(await calls(limits, bucket, 100));
      if (end === "closed") await limits.close();
      const other = limitsOf({ mode: "exact" });
      if (end === "idle") {
        trips = 0;
        timeMs += 60;
        await expect.poll(() => trips).toBe(1);
      }
      // Leases end only after 200 ms, so all of them were handed back.
      expect((await other.take([claim(bucket, 1_000 - spent)])).ok).toBe(true);
      expect((await other.take([claim(bucket)])).ok).toBe(false);
    }
  });

  it("spends no leased token later than 195 ms after asking, by its own clock", async () => {
    const limits = limitsOf();
    const bucket = await bucketOf(10_000, 4_000);
    await calls(limits, bucket, 50);
    expect(limits.take([claim(bucket)])).toMatchObject({ ok: true });
    timeMs += 194.9;
    expect(limits.take([claim(bucket)])).toMatchObject({ ok: true });
    timeMs += 0.1;
    expect(limits.take([claim(bucket)])).toBeInstanceOf(Promise);
  });

  it("answers after the scripts of the server were flushed", async () => {
    const limits = opened({ client, mode: "exact" });
    const bucket = await bucketOf(0.01, 2, { on: client });
    await limits.take([claim(bucket)]);
    await client.scriptFlush();
    expect((await limits.take([claim(bucket)])).ok).toBe(true);
  });

  it("asks again while the keys of a call are moving to another node", async () => {
    let refusals = 3;
    const moving: RedisClient = {
      evalSha: (sha1, options) =>
        refusals-- > 0
          ? Promise.reject(new Error("TRYAGAIN Multiple keys request during rehashing of slot"))
          : client.evalSha(sha1, options),
      eval: (script, options) => client.eval(script, options),
    };
    const limits = opened({ client: moving, mode: "exact" });
    const [one, other] = [
      await bucketOf(0.01, 2, { group: "moving", on: client }),
      await bucketOf(0.01, 2, { group: "moving", on: client }),
    ];
    expect((await limits.take([claim(one), claim(other)])).ok).toBe(true);
    expect(refusals).toBeLessThan(0);
    expect(limits.isAway).toBe(false);
    expect(passed(await calls(limits, one, 5))).toBe(1);
  });
});

describe("a server of limits that is away", () => {
  it("is away for all calls from the first failure until a probe finds it again", async () => {
    const { own, connection } = await ownServer();
    const switches: string[] = [];
    const limits = opened({ client: connection, mode: "exact", onSwitch: (state) => switches.push(state) });
    const bucket = await bucketOf(1_000, 100, { on: connection });
    await limits.take([claim(bucket)]);
    await own.kill();
    await expect.poll(async () => limits.take([claim(bucket)])).toMatchObject({ ok: false, away: true });
    expect(limits.isAway).toBe(true);
    // Nobody waits from now on.
    expect(limits.take([claim(await bucketOf(1, 1))])).toMatchObject({
      ok: false,
      away: true,
      cause: expect.any(Error),
    });
    await own.start();
    await expect.poll(() => limits.isAway).toBe(false);
    expect(switches).toEqual(["away", "back"]);
    await expect.poll(async () => (await limits.take([claim(bucket)])).ok, { interval: 100 }).toBe(true);
    await limits.close();
  });

  it("is away when it does not answer in time", async () => {
    const { own, connection } = await ownServer();
    const blocker = await connectRedis(own.url);
    const limits = opened({ client: connection, timeoutMs: 100 });
    await limits.take([claim(await bucketOf(1, 1))]);
    await blocker.sendCommand(["CLIENT", "PAUSE", "600000", "WRITE"]);
    expect(await limits.take([claim(await bucketOf(1, 1))])).toMatchObject({ ok: false, away: true });
    await blocker.sendCommand(["CLIENT", "UNPAUSE"]);
    await expect.poll(() => limits.isAway).toBe(false);
    await limits.close();
    blocker.destroy();
  });

  it("still gives tokens that are held, and only those", async () => {
    const { own, connection } = await ownServer();
    // Its time stands still, so that leases do not end while the test runs.
    const limits = opened({
      client: connection,
      testing: { clock: { monotonic: () => stoppedAt ?? performance.now() } },
    });
    let stoppedAt: number | undefined;
    const bucket = await bucketOf(10_000, 2_000, { on: connection });
    expect(passed(await calls(limits, bucket, 200))).toBe(200);
    let answer = await limits.take([claim(bucket)]);
    stoppedAt = performance.now();
    await own.kill();
    let given = 0;
    for (; answer.ok && given < 2_000; given++) answer = await limits.take([claim(bucket)]);
    expect(answer).toMatchObject({ ok: false, away: true });
    expect(given).toBeLessThanOrEqual(1_000);
    await limits.close();
  });
});

describe("the check of a server", () => {
  it("has nothing to say about one that keeps what it was given", async () => {
    expect(await opened({ client }).check()).toEqual([]);
  });

  it("warns of eviction, and of a user that may not ask for the age of the server", async () => {
    const { connection } = await ownServer();
    await connection.configSet("maxmemory-policy", "allkeys-lru");
    expect(await opened({ client: connection }).check()).toEqual([
      "Redis has maxmemory-policy allkeys-lru: a bucket that is evicted comes back full. Use noeviction for limits.",
    ]);
    await connection.sendCommand(["ACL", "SETUSER", "narrow", "on", "nopass", "~*", "+@all", "-info"]);
    await connection.sendCommand(["AUTH", "narrow", "any"]);
    expect(await opened({ client: connection }).check()).toEqual([
      "The user of Redis may not run INFO in scripts, so that no new bucket can be made. Grant it with +info.",
    ]);
  });
});
