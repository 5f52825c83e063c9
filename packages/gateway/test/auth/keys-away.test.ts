// The database of the keys is killed and started again.

import { type Cluster, createCluster } from "@recourse/test-kit/postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createApiKey } from "../../src/auth/api-keys.ts";
import { createAuthenticator } from "../../src/auth/authenticator.ts";
import { createKeyTable, postgresKeys } from "../../src/stores/keys.ts";
import { recorder } from "../support/recorder.ts";
import { answerTo, counting, fakeClock, headOf, poolOf, storeKey } from "./support.ts";

let cluster: Cluster;
let pool: ReturnType<typeof poolOf>;

beforeAll(async () => {
  cluster = await createCluster();
  pool = poolOf(cluster.url);
});
afterAll(async () => {
  await pool.end();
  await cluster.close();
});

test("known keys go on up to the bound, all others get 503 and never 401, until the database is back", async () => {
  await createKeyTable(pool);
  const store = counting(postgresKeys(pool));
  const known = await storeKey(store, { id: "known" });
  const other = await storeKey(store, { id: "other" });
  const clock = fakeClock();
  const observer = recorder();
  const config = { authentication: "required", keys: [], keyCacheMs: 60_000, jwt: undefined } as const;
  const one = createAuthenticator(config, { keys: store }, observer, clock);
  await expect(answerTo(one, known)).resolves.toBe("known");

  await cluster.kill();
  const answer = await one.authenticator(headOf(other));
  expect(answer).toMatchObject({
    kind: "unavailable",
    reason: "core/unavailable",
    effect: "none",
    recourse: [{ do: "retry", afterMs: 1_000 }],
  });
  expect(observer.switches).toEqual(["keys away"]);
  const asked = store.asked.filter((prefix) => prefix !== "-").length;
  for (let calls = 0; calls < 20; calls++) await expect(answerTo(one, createApiKey().key)).resolves.toBe("unavailable");
  // While it is away only the probe asks.
  expect(store.asked.filter((prefix) => prefix !== "-")).toHaveLength(asked);
  await expect(answerTo(one, "malformed")).resolves.toBe("unauthenticated");
  clock.pass(59_999);
  await expect(answerTo(one, known)).resolves.toBe("known");
  clock.pass(1);
  await expect(answerTo(one, known)).resolves.toBe("unavailable");

  await cluster.start();
  await expect.poll(() => observer.switches).toEqual(["keys away", "keys back"]);
  await expect(answerTo(one, known)).resolves.toBe("known");
  await expect(answerTo(one, other)).resolves.toBe("other");
  await expect(answerTo(one, createApiKey().key)).resolves.toBe("unauthenticated");
  for (const key of [known, other]) expect(observer.lines.join()).not.toContain(key);
  one.close();
});

test("closing ends the probing", async () => {
  const store = counting(postgresKeys(pool));
  const config = { authentication: "required", keys: [], keyCacheMs: 60_000, jwt: undefined } as const;
  const broken = {
    ...store,
    find: (prefix: string) => store.find(prefix).then(() => Promise.reject(new Error("broken"))),
  };
  const one = createAuthenticator(config, { keys: broken }, recorder());
  await expect(answerTo(one, createApiKey().key)).resolves.toBe("unavailable");
  await expect.poll(() => store.asked.filter((prefix) => prefix === "-").length).toBeGreaterThan(0);
  one.close();
  await pool.query("select pg_sleep(0.1)");
  const asked = store.asked.length;
  await pool.query("select pg_sleep(0.7)");
  expect(store.asked).toHaveLength(asked);
});
