// Keys in a real PostgreSQL: the table, the bound on revocation, and floods.

import { createTestDatabase, type TestDatabase } from "@recourse/test-kit/postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApiKey } from "../../src/auth/api-keys.ts";
import { createAuthenticator } from "../../src/auth/authenticator.ts";
import { createKeyTable, type KeyStore, postgresKeys } from "../../src/stores/keys.ts";
import { recorder } from "../support/recorder.ts";
import { answerTo, counting, fakeClock, headOf, poolOf, storeKey } from "./support.ts";

const CONFIG = { authentication: "required", keys: [], keyCacheMs: 60_000, jwt: undefined } as const;

let database: TestDatabase;
let pool: ReturnType<typeof poolOf>;
let keys: KeyStore;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = poolOf(database.url);
  await createKeyTable(pool);
  keys = postgresKeys(pool);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** An authenticator on the database with a clock of its own. */
function open(store: KeyStore = keys, keyCacheMs: number = CONFIG.keyCacheMs) {
  const clock = fakeClock();
  const observer = recorder();
  return { ...createAuthenticator({ ...CONFIG, keyCacheMs }, { keys: store }, observer, clock), clock, observer };
}

describe("the table", () => {
  test("four replicas that start at once make it, and one that starts later changes nothing", async () => {
    const fresh = await createTestDatabase();
    const pools = Array.from({ length: 4 }, () => poolOf(fresh.url, 1));
    try {
      // All are connected before the first of them begins.
      await Promise.all(pools.map((one) => one.query("select 1")));
      await Promise.all(pools.map(createKeyTable));
      const [first] = pools;
      if (first === undefined) throw new Error("no pool");
      const key = await storeKey(postgresKeys(first));
      await createKeyTable(first);
      const { rows } = await first.query("select part, version from gateway_schema");
      expect(rows).toEqual([{ part: "keys", version: 2 }]);
      await expect(postgresKeys(first).find(key.slice(3, 11))).resolves.toMatchObject({ id: "ci" });
    } finally {
      await Promise.all(pools.map((one) => one.end()));
      await fresh.drop();
    }
  });

  test("a user without the right to create tables can start where they are there", async () => {
    const role = `reader_${createApiKey().prefix}`;
    await pool.query(`create role ${role} login; revoke create on schema public from public;
      grant select on gateway_schema to ${role}`);
    const url = new URL(database.url);
    url.username = role;
    const reader = poolOf(url.href, 1);
    try {
      await expect(createKeyTable(reader)).resolves.toBeUndefined();
    } finally {
      await reader.end();
      await pool.query(`drop owned by ${role}; drop role ${role}`);
    }
  });

  test("it holds the digest, never the key, and a taken prefix is not given twice", async () => {
    const { key, prefix, sha256 } = createApiKey();
    const row = {
      prefix,
      sha256: Buffer.from(sha256, "hex"),
      id: "full",
      tenant: "acme",
      tools: ["shop__*"],
      scopes: ["a", "b"],
      entitlements: ["pro"],
      dialect: "onx",
      expires: new Date("2030-01-01T00:00:00Z"),
    } as const;
    await expect(keys.add(row)).resolves.toBe(true);
    await expect(keys.add({ ...row, id: "other" })).resolves.toBe(false);
    await expect(keys.find(prefix)).resolves.toEqual({ ...row, created: expect.any(Date), revoked: undefined });
    const { rows } = await pool.query("select gateway_key::text as line from gateway_key");
    expect(JSON.stringify(rows)).not.toContain(key.slice(12));
  });
});

describe("accepting", () => {
  test("a stored key becomes its caller, one value for all calls, also after it was looked up again", async () => {
    const key = await storeKey(keys, {
      id: "web",
      tenant: "acme",
      tools: ["shop__*"],
      scopes: ["orders"],
      dialect: "onx",
    });
    const store = counting(keys);
    const one = open(store);
    const caller = await one.authenticator(headOf(key));
    expect(caller).toMatchObject({
      id: '["key","acme","web"]',
      tenant: "acme",
      subject: "web",
      tools: ["shop__*"],
      scopes: new Set(["orders"]),
      dialect: "onx",
    });
    expect(one.authenticator(headOf(key))).toBe(caller);
    expect(store.asked).toHaveLength(1);
    one.clock.pass(60_000);
    await expect(one.authenticator(headOf(key))).resolves.toBe(caller);
    expect(store.asked).toHaveLength(2);
  });

  test("after half of the bound it is looked up again in the background, so a steady flow never waits", async () => {
    const key = await storeKey(keys);
    const store = counting(keys);
    const one = open(store);
    await answerTo(one, key);
    for (let turn = 1; turn <= 4; turn++) {
      one.clock.pass(31_000);
      expect(one.authenticator(headOf(key))).not.toBeInstanceOf(Promise);
      await expect.poll(() => store.counts.answered).toBe(1 + turn);
    }
  });

  test("many calls with one key share a look-up", async () => {
    const key = await storeKey(keys);
    const store = counting(keys);
    const one = open(store);
    const answers = await Promise.all(Array.from({ length: 50 }, () => answerTo(one, key)));
    expect(new Set(answers)).toEqual(new Set(["ci"]));
    expect(store.asked).toHaveLength(1);
  });
});

describe("refusing", () => {
  test("a revoked key is accepted for no longer than the bound, and then refused", async () => {
    const key = await storeKey(keys);
    const one = open();
    await expect(answerTo(one, key)).resolves.toBe("ci");
    await expect(keys.revoke(key.slice(3, 11))).resolves.toEqual([key.slice(3, 11)]);
    one.clock.pass(29_999);
    await expect(answerTo(one, key)).resolves.toBe("ci");
    one.clock.pass(30_001);
    await expect(answerTo(one, key)).resolves.toBe("unauthenticated");
    await expect(answerTo(open(), key)).resolves.toBe("unauthenticated");
  });

  test("with a bound of 0 every call asks the database", async () => {
    const key = await storeKey(keys);
    const one = open(keys, 0);
    await expect(answerTo(one, key)).resolves.toBe("ci");
    await keys.revoke(key.slice(3, 11));
    await expect(answerTo(one, key)).resolves.toBe("unauthenticated");
  });

  test("a key expires at its moment, whatever is remembered", async () => {
    const { clock, ...one } = open();
    const key = await storeKey(keys, { expires: new Date(clock.now() + 5_000) });
    await expect(answerTo(one, key)).resolves.toBe("ci");
    clock.pass(4_999);
    await expect(answerTo(one, key)).resolves.toBe("ci");
    clock.pass(1);
    await expect(answerTo(one, key)).resolves.toBe("unauthenticated");
    await expect(answerTo(open(), await storeKey(keys, { expires: new Date(0) }))).resolves.toBe("unauthenticated");
  });

  test("a key with the prefix of another is refused", async () => {
    const key = await storeKey(keys);
    const forged = `${key.slice(0, 12)}${createApiKey().key.slice(12)}`;
    await expect(answerTo(open(), forged)).resolves.toBe("unauthenticated");
  });

  test("every refusal is one value, whether the database was asked or not", async () => {
    const revoked = await storeKey(keys);
    await keys.revoke(revoked.slice(3, 11));
    const one = open();
    const expired = await storeKey(keys, { expires: new Date(0) });
    const refused = await Promise.all(
      [undefined, "malformed", createApiKey().key, revoked, expired, "eyJh.eyJh.eyJh"].map((key) =>
        one.authenticator(headOf(key)),
      ),
    );
    expect(new Set(refused).size).toBe(1);
  });

  test("an unknown key is remembered for a moment, and works soon after it was added", async () => {
    const { key, prefix, sha256 } = createApiKey();
    const store = counting(keys);
    const one = open(store);
    for (let calls = 0; calls < 5; calls++) await expect(answerTo(one, key)).resolves.toBe("unauthenticated");
    expect(store.asked).toHaveLength(1);
    const owner = { id: "late", tenant: "acme", tools: [], scopes: [], entitlements: [] };
    await keys.add({ ...owner, prefix, sha256: Buffer.from(sha256, "hex"), dialect: undefined, expires: undefined });
    one.clock.pass(2_000);
    await expect(answerTo(one, key)).resolves.toBe("late");
  });

  test("a flood of random keys asks for few at a time; what exceeds the queue gets 503, and known keys do not wait", async () => {
    const known = await storeKey(keys);
    let running = 0;
    let most = 0;
    const slow: KeyStore = {
      ...keys,
      async find(prefix) {
        running += 1;
        most = Math.max(most, running);
        const found = await keys.find(prefix);
        running -= 1;
        return found;
      },
    };
    const one = open(slow);
    await answerTo(one, known);
    const flood = Array.from({ length: 1_000 }, () => answerTo(one, createApiKey().key));
    expect(one.authenticator(headOf(known))).toMatchObject({ subject: "ci" });
    const answers = await Promise.all(flood);
    const count = (kind: string) => answers.filter((answer) => answer === kind).length;
    expect(most).toBe(4);
    expect([count("unauthenticated"), count("unavailable")]).toEqual([260, 740]);
    expect(one.observer.switches).toEqual([]);
  });

  test("the hour of use is written once an hour and key, and only for a key that is accepted", async () => {
    const marked: string[] = [];
    const store: KeyStore = {
      ...keys,
      async markUsed(prefix) {
        marked.push(prefix);
        await keys.markUsed(prefix);
      },
    };
    const key = await storeKey(store, { createdBy: "the-admin" });
    const prefix = key.slice(3, 11);
    await expect(keys.find(prefix)).resolves.toMatchObject({ createdBy: "the-admin", lastUsed: undefined });
    const wrong = `${key.slice(0, -4)}AAAA`;
    const now = () => Date.now();
    const { authenticator } = createAuthenticator(CONFIG, { keys: store }, recorder(), { now });
    await authenticator(headOf(wrong));
    expect(marked).toEqual([]);
    await authenticator(headOf(key));
    await expect.poll(async () => (await keys.find(prefix))?.lastUsed).toBeInstanceOf(Date);
    const lastUsed = (await keys.find(prefix))?.lastUsed?.getTime() ?? 0;
    expect([lastUsed % 3_600_000, Date.now() - lastUsed < 3_600_000 + 60_000]).toEqual([0, true]);
    // Another process looks the key up, and finds that this hour is known.
    const other = createAuthenticator(CONFIG, { keys: store }, recorder(), { now });
    await other.authenticator(headOf(key));
    expect(marked.length).toBeLessThanOrEqual(Date.now() - lastUsed < 3_600_000 ? 1 : 2);
    await pool.query("update gateway_key set last_used = last_used - interval '1 hour' where prefix = $1", [prefix]);
    const later = createAuthenticator(CONFIG, { keys: store }, recorder(), { now });
    await later.authenticator(headOf(key));
    await expect.poll(async () => (await keys.find(prefix))?.lastUsed?.getTime()).toBeGreaterThanOrEqual(lastUsed);
  });

  test("keys that have not the form of ours never reach the database", async () => {
    const store = counting(keys);
    const one = open(store);
    for (const key of ["a", "rk_short", "sk-0123456789", "rk_zzzzzzzz_x"]) await answerTo(one, key);
    expect(store.asked).toEqual([]);
  });
});
