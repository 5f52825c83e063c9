// One caller that wants its idempotency keys to stay, and to be many.
import { randomUUID } from "node:crypto";
import { isNightly } from "@recourse/test-kit/runs";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sha256Hex } from "../../src/call/binding.ts";
import { callKeyed, faultIn, type KeyedCall } from "../idempotency/support/call.ts";
import { keyed, OTHER, START_MS, startEngines } from "../idempotency/support/replicas.ts";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { holdTime } from "../support/held-time.ts";
import { startStubUpstream } from "../support/stub-upstream.ts";

const KEEP_MS = 60_000;
const HOUR_MS = 3_600_000;
const YEARS_99 = 99 * 365 * 86_400_000;
const ACME_OWNER = sha256Hex(JSON.stringify(["key", "acme", "ci"]));

let engines: Awaited<ReturnType<typeof startEngines>>;
let pool: pg.Pool;

beforeAll(async () => {
  engines = await startEngines();
  pool = new pg.Pool({ connectionString: engines.url, max: 1 });
}, START_MS);

afterAll(async () => {
  await pool.end();
  await engines.close();
});

// No deadline ends.
beforeEach(holdTime);

/** A replica with one upstream that answers at once. */
async function replica(changes: Parameters<typeof keyed>[0] = {}) {
  const upstream = await startStubUpstream();
  const upstreams = [httpUpstream(upstream.url, { timeoutMs: 2_000 })];
  const gateway = await startTestGateway(engines.shared({ upstreams, ...changes }));
  return { upstream, url: gateway.url };
}

/** Makes as many calls with new keys, 16 at a time. Returns the answers. */
async function callMany(url: URL, count: number, call: KeyedCall = {}) {
  const answers: Awaited<ReturnType<typeof callKeyed>>[] = [];
  let begun = 0;
  const lane = async () => {
    while (begun < count) {
      begun += 1;
      answers.push(await callKeyed(url, { ...call, key: JSON.stringify(randomUUID()) }));
    }
  };
  await Promise.all(Array.from({ length: 16 }, lane));
  return answers;
}

const isRefused = (answer: { readonly text: string }) => answer.text.includes("rate_limited");

describe("how long a key stays", () => {
  it("is decided by the gateway and the upstream, not by the caller", async () => {
    const { url } = await replica({ deadlineMs: 30_000 });
    await callKeyed(url, { key: '"stays"', deadlineMs: YEARS_99 });
    const sql = "select extract(epoch from max(expires) - now()) * 1000 as left from gateway_idempotency";
    const { rows } = await pool.query<{ left: string }>(sql);
    // The time-out of the upstream, and the grace in which an outcome is stored.
    expect(Number(rows[0]?.left)).toBeLessThanOrEqual(KEEP_MS + 2_000 + 5_000);
  });

  it("is at least as long as its call may run", async () => {
    const { url } = await replica({ deadlineMs: 500 });
    await callKeyed(url, { key: '"short"', deadlineMs: 1 });
    expect((await callKeyed(url, { key: '"long"', deadlineMs: YEARS_99 })).text).toContain('"ok"');
  });
});

describe("how many new keys one caller has", () => {
  it("is bounded for all replicas together, and others do not notice", async () => {
    const { url } = await replica();
    // What this caller has used at other replicas in this minute.
    const sql = `insert into gateway_idempotency_share (owner, slot, n, expires)
      select decode($1, 'hex'), floor(extract(epoch from now()) * 1000 / 60000), 9950, now() + interval '20 minutes'`;
    await pool.query(sql, [ACME_OWNER]);
    const answers = await callMany(url, 200);
    const refused = answers.filter(isRefused);
    // A replica reports every hundredth key.
    expect(answers.length - refused.length).toBe(100);
    const fault = faultIn(refused[0] as (typeof answers)[number]);
    expect(fault).toMatchObject({
      reason: "core/rate_limited",
      effect: "none",
      retry: { allowed: true },
      limits: [{ policy: "keys", quota: 10_000, remaining: 0, windowMs: 600_000 }],
    });
    // The keys of this minute count for ten minutes after it, and the next one may have begun.
    expect(fault.retry?.afterMs).toBeGreaterThan(500_000);
    expect(fault.retry?.afterMs).toBeLessThanOrEqual(660_000);
    expect((await callMany(url, 50, { credential: OTHER })).filter(isRefused)).toEqual([]);
  });

  it.runIf(isNightly)("is bounded in memory too", { timeout: 300_000 }, async () => {
    const upstream = await startStubUpstream();
    // No key is forgotten while the test runs.
    const idempotency = { keepMs: HOUR_MS };
    const gateway = await startTestGateway(keyed({ upstreams: [httpUpstream(upstream.url)], idempotency }));
    const answers = await callMany(gateway.url, 10_050);
    const refused = answers.filter(isRefused);
    expect(refused).toHaveLength(50);
    const fault = faultIn(refused[0] as (typeof answers)[number]);
    expect(fault).toMatchObject({ effect: "none", limits: [{ policy: "keys", quota: 10_000, remaining: 0 }] });
    expect(fault.retry?.afterMs).toBeGreaterThan(HOUR_MS - 300_000);
    expect(fault.retry?.afterMs).toBeLessThanOrEqual(HOUR_MS);
    expect((await callMany(gateway.url, 50, { credential: OTHER })).filter(isRefused)).toEqual([]);
  });
});
