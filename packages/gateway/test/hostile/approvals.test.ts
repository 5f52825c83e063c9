// One caller that asks for approvals that nobody decides.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { postgresApprovals } from "../../src/approvals/postgres-approvals.ts";
import { poolOf } from "../approvals/support.ts";
import { callOlder, faultIn } from "../idempotency/support/call.ts";
import { keyed, OTHER, START_MS, startEngines } from "../idempotency/support/replicas.ts";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { holdTime } from "../support/held-time.ts";
import { startStubUpstream } from "../support/stub-upstream.ts";
import { usedBytes } from "../support/used-bytes.ts";

let engines: Awaited<ReturnType<typeof startEngines>>;
let pool: ReturnType<typeof poolOf>;

beforeAll(async () => {
  engines = await startEngines();
  pool = poolOf(engines.url);
}, START_MS);
afterAll(async () => {
  await pool.end();
  await engines.close();
});

const config = (url: URL, expiresMs: number) => ({
  upstreams: [httpUpstream(url)],
  approvals: { tools: ["up__*"], denied: [], expiresMs, link: undefined },
});

/** Longer than the tests run. */
const HOURS_10 = 36_000_000;
const LONG = "x".repeat(60_000);
const MIB = 1_024 * 1_024;

describe("approvals that nobody decides", () => {
  it("leave no arguments in the memory of the gateway", async () => {
    const { url: upstream } = await startStubUpstream();
    const { url } = await startTestGateway(keyed(config(upstream, 30)));
    const ask = (n: number) => callOlder(url, { args: `{"n":${n},"text":"${LONG}"}` });
    for (let n = 0; n < 20; n++) await ask(n);
    const before = usedBytes();
    for (let n = 20; n < 320; n++) await ask(n);
    // They were 18 MB. Buffers of connections are freed a little later.
    await expect.poll(() => (usedBytes() - before) / MIB, { interval: 200 }).toBeLessThan(6);
  });

  it("leave no arguments in PostgreSQL, and are deleted after a day", async () => {
    const { url: upstream } = await startStubUpstream();
    const { url } = await startTestGateway(engines.shared(config(upstream, 30)));
    // Four of this size may wait at once: a fifth is refused until the first has expired.
    const ask = (n: number) => callOlder(url, { args: `{"n":${n},"text":"${LONG}"}` });
    for (let n = 0; n < 30; n++) {
      await expect.poll(async () => (await ask(n)).text).toContain("approval_required");
    }
    const store = postgresApprovals(pool);
    await expect.poll(() => store.list({ limit: 1, state: "pending" })).toEqual([]);
    await store.deleteOld(30 * 86_400_000);
    const sql = "select count(*)::int as rows, sum(octet_length(arguments))::int as bytes from gateway_approval";
    expect((await pool.query(sql)).rows).toEqual([{ rows: 30, bytes: 0 }]);
    await pool.query("update gateway_approval set expires = expires - interval '25 hours'");
    await store.deleteOld(30 * 86_400_000);
    expect((await pool.query(sql)).rows).toEqual([{ rows: 0, bytes: null }]);
  });

  it("are few for one caller at all replicas together, and others are asked about", async () => {
    holdTime();
    const { url: upstream } = await startStubUpstream();
    const changes = engines.shared(config(upstream, HOURS_10));
    const gateways = [await startTestGateway(changes), await startTestGateway(changes)] as const;
    const ask = (n: number) => callOlder(gateways[n % 2 === 0 ? 0 : 1].url, { args: `{"n":${n}}` });
    const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => ask(n)));
    const refused = answers.filter(({ text }) => text.includes("rate_limited"));
    const { rows } = await pool.query(
      "select count(*)::int as waiting from gateway_approval where state = 'pending' and expires > now()",
    );
    expect([rows[0], refused.length]).toEqual([{ waiting: 20 }, 180]);
    const fault = faultIn(refused[0] as (typeof answers)[number]);
    expect(fault).toMatchObject({
      reason: "core/rate_limited",
      effect: "none",
      retry: { allowed: true },
      limits: [{ policy: "approvals", unit: "waiting calls", quota: 20, remaining: 0 }],
    });
    expect(fault.retry?.afterMs).toBeGreaterThan(HOURS_10 - 600_000);
    expect(fault.retry?.afterMs).toBeLessThanOrEqual(HOURS_10);
    expect((await callOlder(gateways[0].url, { credential: OTHER })).text).toContain("approval_required");
  });

  it.each(["memory", "shared"])("are short for one caller, store: %s", async (mode) => {
    holdTime();
    const { url: upstream } = await startStubUpstream();
    await pool.query("delete from gateway_approval");
    const changes = config(upstream, HOURS_10);
    const { url } = await startTestGateway(mode === "memory" ? keyed(changes) : engines.shared(changes));
    const ask = (n: number) => callOlder(url, { args: `{"n":${n},"text":"${LONG}"}` });
    for (let n = 0; n < 4; n++) expect((await ask(n)).text).toContain("approval_required");
    expect(faultIn(await ask(4))).toMatchObject({
      effect: "none",
      limits: [{ policy: "approvals", unit: "waiting bytes", quota: 262_144, remaining: 0 }],
    });
    expect((await callOlder(url)).text).toContain("approval_required");
  });
});
