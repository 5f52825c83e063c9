import { randomUUID } from "node:crypto";
import { LATEST_HANDSHAKE_REVISION } from "@recourse/core/wire";
import { eventually } from "@recourse/test-kit/eventually";
import { connectRedis, createRedisServer, type RedisServer } from "@recourse/test-kit/redis";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { NO_ABILITIES } from "../call/abilities.ts";
import type { CallerSession } from "../call/session.ts";
import { openRedis, type Redis } from "../stores/redis.ts";
import { createReplicaBus } from "../stores/replica-bus.ts";
import { SessionStates } from "./session-states.ts";

let server: RedisServer;
beforeAll(async () => {
  server = await createRedisServer({ durable: false });
});
afterAll(() => server.close());

const ANN = { id: "ann" };
const observer = { unexpected: (error: unknown) => expect.unreachable(String(error)), log: () => {} };

function newSession(leftMs = 3_600_000): CallerSession {
  return {
    nonce: randomUUID(),
    revision: LATEST_HANDSHAKE_REVISION,
    abilities: NO_ABILITIES,
    expiresMs: Date.now() + leftMs,
  };
}

/** A replica with Redis. It counts what it asks there. */
async function openReplica({ on = server, hears = true, maxSessions = 100 } = {}) {
  const opened = await openRedis({ urls: [on.url], cluster: false, onError: () => {} });
  const asked: string[] = [];
  const redis: Redis = {
    ...opened.redis,
    eval(script, options) {
      asked.push(script);
      return opened.redis.eval(script, options);
    },
  };
  const bus = await createReplicaBus({ mode: "shared", redis }, { observer });
  const clock = { ms: 0 };
  const states = new SessionStates({
    stores: { mode: "shared", redis },
    bus: hears ? bus : { ...bus, on: () => {}, broadcast: () => {} },
    observer,
    monotonic: () => clock.ms,
    maxSessions,
  });
  const ended: string[] = [];
  states.onEnd((nonce) => void ended.push(nonce));
  onTestFinished(() => {
    bus.close();
    opened.close();
  });
  return { states, asked, clock, ended };
}

describe("with Redis", () => {
  // Time passes only if the test says so: Redis is never late on a slow machine.
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  it("a session is read once, and then known without waiting", async () => {
    const { states, asked } = await openReplica();
    const session = newSession();
    const first = states.find(ANN, session);
    const second = states.find(ANN, session);
    expect(first).toBeInstanceOf(Promise);
    expect(await Promise.all([first, second])).toMatchObject([{ isEnded: false }, { isEnded: false }]);
    expect(asked).toHaveLength(1);
    expect(states.find(ANN, session)).toMatchObject({ isEnded: false, level: undefined });
    expect(asked).toHaveLength(1);
  });

  it("a session that was opened here is not even read", async () => {
    const { states, asked } = await openReplica();
    const session = newSession();
    states.begin(ANN, session);
    expect(states.find(ANN, session)).toMatchObject({ isEnded: false, level: undefined });
    expect(asked).toEqual([]);
  });

  it("a replica that sees a session for the first time learns all that became of it", async () => {
    const [a, b] = [await openReplica(), await openReplica({ hears: false })];
    const [ended, levelled] = [newSession(), newSession()];
    await a.states.end(ANN, ended);
    await a.states.setLevel(ANN, levelled, "warning");
    await a.states.setLevel(ANN, levelled, "debug");
    expect(await b.states.find(ANN, ended)).toMatchObject({ isEnded: true });
    expect(await b.states.find(ANN, levelled)).toMatchObject({ isEnded: false, level: "debug" });
    expect(a.states.find(ANN, levelled)).toMatchObject({ level: "debug" });
  });

  it("a replica that knows a session hears of changes at once, and runs what waits for its end once", async () => {
    const [a, b] = [await openReplica(), await openReplica()];
    const session = newSession();
    await Promise.all([a, b].map(({ states }) => states.find(ANN, session)));
    await a.states.setLevel(ANN, session, "error");
    await eventually(async () => expect(await b.states.find(ANN, session)).toMatchObject({ level: "error" }));
    await b.states.end(ANN, session);
    await b.states.end(ANN, session);
    await eventually(async () => expect(await a.states.find(ANN, session)).toMatchObject({ isEnded: true }));
    expect([a.ended, b.ended]).toEqual([[session.nonce], [session.nonce]]);
    expect([...a.asked, ...b.asked].filter((script) => script.includes("HMGET"))).toHaveLength(2);
  });

  it("what was not heard is read after a minute, in the background", async () => {
    const [a, b] = [await openReplica(), await openReplica({ hears: false })];
    const session = newSession();
    await b.states.find(ANN, session);
    await a.states.end(ANN, session);
    b.clock.ms = 59_999;
    expect(b.states.find(ANN, session)).toMatchObject({ isEnded: false });
    expect(b.asked).toHaveLength(1);
    b.clock.ms = 60_000;
    for (let at = 0; at < 3; at++) expect(b.states.find(ANN, session)).toMatchObject({ isEnded: false });
    await eventually(async () => expect(await b.states.find(ANN, session)).toMatchObject({ isEnded: true }));
    expect(b.asked).toHaveLength(2);
  });

  it("the client of a session is known at every replica that runs when it begins", async () => {
    const [a, b] = await Promise.all([openReplica(), openReplica()]);
    const [named, bare] = [newSession(), newSession()];
    a.states.begin(ANN, named, { name: "agent", version: "1.2.0" });
    a.states.begin(ANN, bare);
    expect(a.states.clientOf(named)).toEqual({ name: "agent", version: "1.2.0" });
    await eventually(() => expect(b.states.clientOf(named)).toEqual({ name: "agent", version: "1.2.0" }));
    expect([a.states.clientOf(bare), b.states.clientOf(bare)]).toEqual([undefined, undefined]);
  });

  it("what is heard during the first read is not lost", async () => {
    const opened = await openRedis({ urls: [server.url], cluster: false, onError: () => {} });
    onTestFinished(() => opened.close());
    const go = Promise.withResolvers<undefined>();
    let hear = (_body: object): unknown => undefined;
    const states = new SessionStates({
      stores: {
        mode: "shared",
        redis: {
          ...opened.redis,
          async eval(script, options) {
            const answer = await opened.redis.eval(script, options);
            await go.promise;
            return answer;
          },
        },
      },
      bus: {
        on(kind, handler) {
          if (kind === "session.changed") hear = (body) => handler({ ...body }, "other");
        },
        broadcast: () => {},
      },
      observer,
    });
    const session = newSession();
    const reading = states.find(ANN, session);
    hear({ nonce: session.nonce });
    go.resolve(undefined);
    expect(await reading).toMatchObject({ isEnded: true });
  });

  it("keys say nothing, and go away with their sessions", async () => {
    const client = await connectRedis(server.url);
    onTestFinished(() => client.destroy());
    await client.flushAll();
    const { states } = await openReplica();
    const session = newSession(1_500_000);
    await states.setLevel(ANN, session, "info");
    await states.end(ANN, session);
    const keys = await client.keys("*");
    expect(keys).toEqual([expect.stringMatching(/^recourse:caller-session:/)]);
    expect(keys.join()).not.toContain(session.nonce);
    const leftMs = await client.pTTL(keys[0] ?? "");
    expect(leftMs).toBeGreaterThan(0);
    expect(leftMs).toBeLessThanOrEqual(1_500_000);
    const { states: other } = await openReplica({ hears: false });
    expect(await other.find(ANN, session)).toMatchObject({ isEnded: true });
    await client.flushAll();
    const { states: later } = await openReplica({ hears: false });
    expect(await later.find(ANN, session)).toMatchObject({ isEnded: false });
  });

  it("without Redis nothing is known, what this process did counts, and it is read again when Redis is back", async () => {
    const own = await createRedisServer({ durable: true });
    onTestFinished(() => own.close());
    const [a, b] = [await openReplica({ on: own }), await openReplica({ on: own, hears: false })];
    const [ended, here] = [newSession(), newSession()];
    await a.states.end(ANN, ended);
    await own.kill();
    expect(await b.states.find(ANN, ended)).toMatchObject({ isEnded: false });
    await a.states.end(ANN, here);
    await a.states.setLevel(ANN, ended, "info");
    expect(a.states.find(ANN, here)).toMatchObject({ isEnded: true });
    await own.start();
    await eventually(async () => {
      // The client waits before it connects again.
      await vi.advanceTimersByTimeAsync(500);
      b.clock.ms += 1_000;
      expect(await b.states.find(ANN, ended)).toMatchObject({ isEnded: true });
    });
  });

  it("a Redis that does not answer is not waited for", async () => {
    const states = new SessionStates({
      stores: {
        mode: "shared",
        redis: {
          eval: () => new Promise(() => {}),
          evalSha: () => new Promise(() => {}),
          listen: async () => {},
          publish: async () => "failed",
        },
      },
      bus: { on: () => {}, broadcast: () => {} },
      observer,
    });
    const found = states.find(ANN, newSession());
    await vi.advanceTimersByTimeAsync(100);
    expect(await found).toMatchObject({ isEnded: false });
  });

  it("sessions of one caller do not push out those of another", async () => {
    const { states, asked } = await openReplica({ maxSessions: 10 });
    const session = newSession();
    await states.find({ id: "bob" }, session);
    for (let at = 0; at < 50; at++) states.begin(ANN, newSession());
    expect(states.find({ id: "bob" }, session)).toMatchObject({ isEnded: false });
    expect(asked).toHaveLength(1);
  });
});

describe("in memory", () => {
  const open = () =>
    new SessionStates({ stores: { mode: "memory" }, bus: { on: () => {}, broadcast: () => {} }, observer });

  it("never waits, and remembers what was changed", async () => {
    const states = open();
    const [one, other] = [newSession(), newSession()];
    states.begin(ANN, one);
    expect(states.find(ANN, one)).toEqual({ isEnded: false, level: undefined });
    await states.setLevel(ANN, one, "notice");
    await states.end(ANN, other);
    expect(states.find(ANN, one)).toMatchObject({ isEnded: false, level: "notice" });
    expect(states.find(ANN, other)).toMatchObject({ isEnded: true, level: undefined });
  });

  it("what fails at the end of a session does not keep it open", async () => {
    const errors: unknown[] = [];
    const states = new SessionStates({
      stores: { mode: "memory" },
      bus: { on: () => {}, broadcast: () => {} },
      observer: { unexpected: (error) => void errors.push(error) },
    });
    states.onEnd(() => {
      throw new Error("broken");
    });
    const session = newSession();
    await states.end(ANN, session);
    expect(states.find(ANN, session)).toMatchObject({ isEnded: true });
    expect(errors).toHaveLength(1);
  });
});
