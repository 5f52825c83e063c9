// The engine is away, or does not answer.
import { randomBytes } from "node:crypto";
import { readFault } from "@recourse/core";
import { guard, type IdempotencyStore } from "@recourse/core/server";
import { connectRedis, createRedisServer } from "@recourse/test-kit/redis";
import { type AnyServer, connectPair } from "@recourse/test-kit/sdk-pairs";
import { afterAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { postgresIdempotency } from "../src/postgres/index.ts";
import { redisIdempotency } from "../src/redis/index.ts";
import {
  connect,
  ENGINES,
  type EngineName,
  type KillableEngine,
  PATIENT,
  patientPool,
  startEngine,
  startKillableEngine,
} from "./support/engines.ts";

const hex = () => randomBytes(32).toString("hex");
const DIGEST = hex();
const CLAIM = { owner: hex(), deadlineMs: 600_000, honoured: false };

/** One server of each engine, since the first start of a server is slow. Every test leaves it running. */
const servers = new Map<EngineName, Promise<KillableEngine>>();
function killableEngine(name: EngineName): Promise<KillableEngine> {
  const server = servers.get(name) ?? startKillableEngine(name);
  servers.set(name, server);
  return server;
}
afterAll(async () => {
  for (const server of servers.values()) await (await server).close();
});

interface ToolResult {
  readonly content: readonly object[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

describe.each(ENGINES)("while %s is away", (name) => {
  it("calls with a key are refused without effect, and an outcome is stored when it is back", async () => {
    const engine = await killableEngine(name);
    const connected = await connect(name, engine.url);
    const patient = connected.store();
    // An outcome is not waited for: it cannot be stored.
    const hurried = connected.store({ timeoutMs: 100 });
    const store: IdempotencyStore = {
      begin: (key, digest, claim) => patient.begin(key, digest, claim),
      settle: (key, fence, outcome) => hurried.settle(key, fence, outcome),
      release: (key, fence) => hurried.release(key, fence),
    };
    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    let effects = 0;
    const incidents: unknown[] = [];
    const pair = await connectPair("v2 modern", (server: AnyServer) => {
      const pay = async () => {
        begun.resolve();
        await gate.promise;
        effects += 1;
        return { content: [{ type: "text", text: `payment ${effects}` }] };
      };
      server.registerTool("pay", { inputSchema: z.object({}) }, pay as never);
      return guard(server, {
        idempotency: { store, caller: () => "ann" },
        sink: (incident) => void incidents.push(incident),
      });
    });
    const call = async (key: string) => {
      const params = { name: "pay", arguments: {}, _meta: { "recourse/call": { key } } };
      const { _meta, content } = (await pair.client.callTool(params)) as ToolResult;
      return readFault(_meta?.["recourse/fault"]) ?? content[0];
    };
    const first = call("a");
    await begun.promise;
    await engine.kill();
    expect(await call("b")).toMatchObject({ reason: "core/unavailable", effect: "none" });
    expect(incidents).toHaveLength(1);
    // The caller gets its answer, and the operator learns that it is not stored yet.
    gate.resolve();
    expect(await first).toMatchObject({ text: "payment 1" });
    expect(incidents).toHaveLength(2);
    await engine.start();
    await expect.poll(() => call("a")).toMatchObject({ text: "payment 1" });
    await expect.poll(() => call("b")).toMatchObject({ text: "payment 2" });
    await Promise.all([patient.close(), hurried.close()]);
    expect(effects).toBe(2);
    await pair.close();
    await connected.close();
  });
});

/** Lets an engine hang until it is told to go on. */
const HANG = {
  postgres: async (url: string) => {
    const pool = patientPool(url);
    const client = await pool.connect();
    await client.query("begin; lock table recourse_idempotency in access exclusive mode");
    return async () => {
      await client.query("rollback");
      client.release();
      await pool.end();
    };
  },
  redis: async (url: string) => {
    const client = await connectRedis(url);
    await client.sendCommand(["CLIENT", "PAUSE", "600000", "WRITE"]);
    return async () => {
      await client.sendCommand(["CLIENT", "UNPAUSE"]);
      client.destroy();
    };
  },
} as const satisfies Record<EngineName, (url: string) => Promise<() => Promise<void>>>;

describe.each(ENGINES)("while %s does not answer", (name) => {
  it("a claim is refused in time, and given back if it was made after all", async () => {
    const engine = await startEngine(name);
    const connected = await connect(name, engine.url);
    const store = connected.store({ timeoutMs: 100 });
    const [key, kept] = [hex(), hex()];
    const before = await connected.store().begin(kept, DIGEST, CLAIM);
    const goOn = await HANG[name](engine.url);
    // It hangs until it is told to go on, far longer than a test may take.
    await expect(store.begin(key, DIGEST, CLAIM)).rejects.toThrow();
    if (before.state === "new") await expect(store.settle(kept, before.fence, "{}")).rejects.toThrow("repeated");
    await goOn();
    // Either may be made after the other.
    await expect.poll(() => store.begin(key, DIGEST, CLAIM).catch(String)).toMatchObject({ state: "new" });
    await store.close();
    await expect
      .poll(() => store.begin(kept, DIGEST, CLAIM).catch(String))
      .toEqual({ state: "settled", outcome: "{}" });
    await connected.close();
    await engine.close();
  });
});

describe.each(ENGINES)("one caller on %s", (name) => {
  it("cannot use more keys than its share, and is still told of those it has used", async () => {
    const engine = await startEngine(name);
    const connected = await connect(name, engine.url);
    const store = connected.store({ maxKeysPerCaller: 2, keepMs: 1_000_000 });
    const [first, second] = [hex(), hex()];
    const state = await store.begin(first, DIGEST, CLAIM);
    await store.begin(second, DIGEST, { ...CLAIM, deadlineMs: 0 });
    expect(await store.begin(first, DIGEST, CLAIM)).toEqual({ state: "running" });
    const refused = { fault: { reason: "core/rate_limited", effect: "none", retry: { allowed: true } } };
    await expect(store.begin(hex(), DIGEST, CLAIM)).rejects.toMatchObject(refused);
    expect(await store.begin(first, DIGEST, CLAIM)).toEqual({ state: "running" });
    expect(await store.begin(second, DIGEST, { ...CLAIM, honoured: true })).toMatchObject({ state: "new" });
    expect(await store.begin(hex(), DIGEST, { ...CLAIM, owner: hex() })).toMatchObject({ state: "new" });
    if (state.state === "new") await store.release(first, state.fence);
    expect(await store.begin(hex(), DIGEST, CLAIM)).toMatchObject({ state: "new" });
    await connected.close();
    await engine.close();
  });
});

describe("what a restart forgets", () => {
  it.each([
    ["nothing, with every change on disk", true, "running"],
    ["every key, without persistence: calls then run again", false, "new"],
  ])("Redis: %s", async (_what, durable, after) => {
    const server = await createRedisServer({ durable });
    const client = await connectRedis(server.url);
    const store = redisIdempotency({ ...PATIENT, client });
    const key = hex();
    expect(await store.begin(key, DIGEST, CLAIM)).toMatchObject({ state: "new" });
    await server.kill();
    await server.start();
    await expect.poll(() => client.isReady).toBe(true);
    expect(await store.begin(key, DIGEST, CLAIM)).toMatchObject({ state: after });
    client.destroy();
    await server.close();
  });

  it("PostgreSQL: nothing", async () => {
    const server = await killableEngine("postgres");
    const connected = await connect("postgres", server.url);
    const key = hex();
    expect(await connected.store().begin(key, DIGEST, CLAIM)).toMatchObject({ state: "new" });
    await server.kill();
    await server.start();
    const pool = patientPool(server.url);
    expect(await postgresIdempotency({ ...PATIENT, pool }).begin(key, DIGEST, CLAIM)).toEqual({ state: "running" });
    await pool.end();
    await connected.close();
  });
});
