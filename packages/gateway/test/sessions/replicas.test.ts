// Replicas on one Redis and one PostgreSQL: what one of them knows about a session, the other knows too.
import { createTestDatabase, type TestDatabase } from "@recourse/test-kit/postgres";
import { createRedisServer, type RedisServer } from "@recourse/test-kit/redis";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ACME, keyed, OTHER, START_MS } from "../idempotency/support/replicas.ts";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { startStubUpstream } from "../support/stub-upstream.ts";
import { unsynced } from "../support/unsynced.ts";
import { initialize, reasonIn, resultFor, send, terminate } from "./support.ts";

let redis: RedisServer;
let database: TestDatabase;
beforeAll(async () => {
  redis = await createRedisServer({ durable: true });
  database = await createTestDatabase();
}, START_MS);
afterAll(async () => {
  await redis?.close();
  await database?.drop();
});

const ECHO = { name: "up__echo", arguments: {} };

async function startReplicas() {
  const upstream = await startStubUpstream();
  const options = keyed({
    store: { mode: "shared", redis: [redis.url], cluster: false, postgres: unsynced(database.url) },
    upstreams: [httpUpstream(upstream.url)],
    away: { limits: "open", replicas: 2 },
  });
  const a = await startTestGateway(options);
  const b = await startTestGateway(options);
  return { a: a.url, b: b.url, upstream };
}

const stated = (text: string | undefined): unknown =>
  JSON.parse(text ?? "{}").params._meta["io.modelcontextprotocol/logLevel"];

it("a session that was opened at one replica is known at the other, and to its caller only", async () => {
  const { a, b } = await startReplicas();
  const session = await initialize(a, { key: ACME });
  expect(await resultFor(b, "tools/call", ECHO, { key: ACME, session })).toMatchObject({ content: [{ text: "ok" }] });
  expect((await send(b, "tools/call", ECHO, { key: OTHER, session })).status).toBe(404);
});

it("a session that was ended at one replica is over at the other, known or not", async () => {
  const { a, b } = await startReplicas();
  const [known, unknown] = [await initialize(a, { key: ACME }), await initialize(a, { key: ACME })];
  await resultFor(b, "tools/call", ECHO, { key: ACME, session: known });
  expect((await terminate(a, { key: ACME, session: known })).status).toBe(200);
  expect((await terminate(a, { key: ACME, session: unknown })).status).toBe(200);
  const first = await send(b, "tools/call", ECHO, { key: ACME, session: unknown });
  expect([first.status, reasonIn(first)]).toEqual([404, "protocol/session_not_found"]);
  await expect.poll(async () => (await send(b, "ping", {}, { key: ACME, session: known })).status).toBe(404);
});

it("a level that was set at one replica counts at the other", async () => {
  const { a, b, upstream } = await startReplicas();
  const session = await initialize(a, { key: ACME });
  await resultFor(b, "tools/call", ECHO, { key: ACME, session });
  await resultFor(a, "logging/setLevel", { level: "error" }, { key: ACME, session });
  await expect
    .poll(async () => {
      await resultFor(b, "tools/call", ECHO, { key: ACME, session });
      return stated(upstream.received.at(-1)?.text);
    })
    .toBe("error");
});

it("while Redis is away sessions are still known, and what was ended is over where it was ended", async () => {
  const { a, b } = await startReplicas();
  const [ended, open] = [await initialize(a, { key: ACME }), await initialize(a, { key: ACME })];
  await redis.kill();
  try {
    expect((await send(b, "ping", {}, { key: ACME, session: open })).status).toBe(200);
    expect((await send(a, "ping", {}, { key: ACME, session: await initialize(b, { key: ACME }) })).status).toBe(200);
    expect((await terminate(a, { key: ACME, session: ended })).status).toBe(200);
    expect((await send(a, "ping", {}, { key: ACME, session: ended })).status).toBe(404);
    expect((await send(b, "ping", {}, { key: ACME, session: ended })).status).toBe(200);
  } finally {
    await redis.start();
  }
});
