import { createTestDatabase, openPool } from "@recourse/test-kit/postgres";
import { expect, it, onTestFinished } from "vitest";
import { openGatewaySecret } from "./gateway-secret.ts";
import type { Stores } from "./open-stores.ts";

async function openShared() {
  const database = await createTestDatabase();
  const pool = openPool(database.url);
  onTestFinished(async () => {
    await pool.end();
    await database.drop();
  });
  const redis: Extract<Stores, { mode: "shared" }>["redis"] = {
    eval: () => Promise.reject(new Error("not asked")),
    evalSha: () => Promise.reject(new Error("not asked")),
    listen: async () => {},
    publish: async () => "failed",
  };
  return { database, stores: { mode: "shared", redis, pool, close: async () => {} } satisfies Stores };
}

it("all replicas of a database get the same secret, also where they start at the same time", async () => {
  const { stores } = await openShared();
  const opened = await Promise.all([1, 2, 3].map(() => openGatewaySecret(stores)));
  const again = await openGatewaySecret(stores);
  expect(again.length).toBe(32);
  for (const one of opened) expect(one.equals(again)).toBe(true);
});

it("a gateway that signed rounds before keeps its secret", async () => {
  const { stores, database } = await openShared();
  const before = await openGatewaySecret(stores);
  const [row] = await database.query("select secret from gateway_secret where name = 'rounds'");
  expect(before.equals(row?.["secret"] as Buffer)).toBe(true);
});

it("does not start without the secret of others, since they would not know what it signs", async () => {
  const { stores, database } = await openShared();
  await openGatewaySecret(stores);
  await database.query("delete from gateway_secret");
  await expect(openGatewaySecret(stores)).rejects.toThrow("has lost its secret");
});

it("in memory each process has its own", async () => {
  const stores: Stores = { mode: "memory", close: async () => {} };
  const [one, other] = [await openGatewaySecret(stores), await openGatewaySecret(stores)];
  expect(one.length).toBe(32);
  expect(one.equals(other)).toBe(false);
});
