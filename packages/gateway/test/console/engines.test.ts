// Sessions of two replicas on Redis and PostgreSQL, while these are up and down.
import { type FlakyProxy, flakyProxy } from "@recourse/test-kit/network";
import { createTestDatabase, type TestDatabase } from "@recourse/test-kit/postgres";
import { createRedisServer, type RedisServer } from "@recourse/test-kit/redis";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Gateway } from "../../src/gateway.ts";
import { startGateway } from "../../src/gateway.ts";
import { ADMIN, keyOf } from "../admin/support.ts";
import { testConfig } from "../support/config.ts";
import { browse, CONSOLE, signInAs } from "./support.ts";

const SECRET = "a-secret-of-at-least-32-characters";

let redis: RedisServer;
let database: TestDatabase;
let proxies: FlakyProxy[];
let gateways: Gateway[];

beforeAll(async () => {
  [redis, database] = await Promise.all([createRedisServer({ durable: false }), createTestDatabase()]);
  proxies = [await flakyProxy(redis.url), await flakyProxy(database.url)];
  const [toRedis, toDatabase] = proxies.map((proxy) => proxy.url);
  const config = testConfig({
    drainMs: 0,
    store: { mode: "shared", redis: [toRedis ?? ""], cluster: false, postgres: toDatabase ?? "" },
    admin: { ...ADMIN, console: { ...CONSOLE, secret: SECRET } },
  });
  gateways = [await startGateway(config), await startGateway(config)];
});
afterAll(async () => {
  for (const proxy of proxies) proxy.reconnect();
  for (const gateway of gateways) await gateway.close();
  for (const proxy of proxies) await proxy.close();
  await Promise.all([redis.close(), database.drop()]);
});

const urls = () => gateways.map(({ adminUrl }) => adminUrl ?? new URL("http://none"));
const me = (url: URL, cookie: string) => browse(url, "/admin/v1/me", { headers: { cookie } });
const signOutAt = (url: URL, cookie: string) =>
  browse(url, "/console/session", { method: "DELETE", headers: { cookie } });

it("a session counts on both, and a sign-out on one ends it on the other", async () => {
  const [one, other] = urls() as [URL, URL];
  const { cookie } = await signInAs(one, "admin");
  expect((await me(other, cookie)).json).toMatchObject({ id: "the-admin", via: "session" });
  expect((await signOutAt(one, cookie)).status).toBe(204);
  expect((await me(one, cookie)).status).toBe(401);
  await expect.poll(async () => (await me(other, cookie)).status).toBe(401);
  const audit = await browse(other, "/admin/v1/audit?limit=10", {
    headers: { authorization: `Bearer ${keyOf("viewer")}` },
  });
  const actions = audit.json.items.map(({ by, action }: Record<string, string>) => [by, action]);
  expect(actions).toEqual([
    ["the-admin", "console.sign-out"],
    ["the-admin", "console.sign-in"],
  ]);
});

it("operators sign in, work and sign out while both stores are down", async () => {
  const [one] = urls() as [URL, URL];
  for (const proxy of proxies) proxy.disconnect();
  const { cookie, status } = await signInAs(one, "admin");
  expect(status).toBe(200);
  expect((await me(one, cookie)).status).toBe(200);
  expect((await signOutAt(one, cookie)).status).toBe(204);
  expect((await me(one, cookie)).status).toBe(401);
});
