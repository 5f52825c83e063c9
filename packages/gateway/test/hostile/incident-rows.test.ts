// Who writes into the table of incidents: nobody without a credential, and nobody by being refused.
import { core } from "@recourse/core/reasons";
import { createTestDatabase, type TestDatabase } from "@recourse/test-kit/postgres";
import { isNightly } from "@recourse/test-kit/runs";
import pg from "pg";
import { Agent, request } from "undici";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createApiKey } from "../../src/auth/api-keys.ts";
import type { GatewayConfig } from "../../src/config/types.ts";
import type { GatewayOptions } from "../../src/gateway.ts";
import type { Incidents } from "../../src/incidents/incidents.ts";
import { startEngines } from "../idempotency/support/replicas.ts";
import { incidentWith, openReplica, poolOf, testDatabase } from "../incidents/support.ts";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { holdTime, passUntil } from "../support/held-time.ts";
import { callEcho } from "../support/post.ts";
import { sendJson, startStubUpstream } from "../support/stub-upstream.ts";
import { unsynced } from "../support/unsynced.ts";

/** The clock of gateways whose calls have to be in one minute. */
const NOW = Date.now();
/** The controls that need Redis or PostgreSQL. */
const ENGINES = "keys|limits|breakers|idempotency|approvals|sessions|incidents";
const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

let database: TestDatabase;
let engines: Awaited<ReturnType<typeof startEngines>>;
let pool: pg.Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  engines = await startEngines(unsynced(database.url));
  pool = new pg.Pool({ connectionString: database.url, max: 2 });
});
afterAll(async () => {
  await pool.end();
  await engines.close();
  await database.drop();
});

/** Sends requests with these credentials, 400 at a time, and counts the statuses of the answers. */
async function flood(url: URL, credentials: readonly string[]): Promise<Record<number, number>> {
  const agent = new Agent({ connections: 400 });
  onTestFinished(() => agent.destroy());
  const statuses: Record<number, number> = {};
  await Promise.all(
    credentials.map(async (credential) => {
      const headers = { "content-type": "application/json", authorization: `Bearer ${credential}` };
      const { statusCode, body } = await request(url, { method: "POST", headers, body: PING, dispatcher: agent });
      await body.dump();
      statuses[statusCode] = (statuses[statusCode] ?? 0) + 1;
    }),
  );
  return statuses;
}

/** Time passes no faster than it really does, and not while the machine stands still. */
const STEP_MS = 10;

/** Runs a gateway on the shared store until its incidents are written, and gives their reasons and how many there are. */
async function rowsAfter(
  changes: Partial<GatewayConfig>,
  attack: (url: URL) => Promise<void>,
  options: GatewayOptions = {},
) {
  await pool.query("delete from incident").catch(() => {});
  holdTime();
  const gateway = await startTestGateway(engines.shared(changes), options);
  await passUntil(attack(gateway.url), STEP_MS);
  await passUntil(gateway.close(), STEP_MS);
  // On a busy machine a store may not answer in time for a moment, which is a row of its own.
  const { rows } = await pool.query(
    `select reason, upstream, count(*)::int as n from incident
     where coalesce(sample->'causes'->0->>'name', '') !~ '^(${ENGINES}) away$' group by 1, 2 order by 1`,
  );
  return rows as { readonly reason: string; readonly upstream: string | null; readonly n: number }[];
}

describe("requests without a credential that counts", () => {
  it("unknown keys leave no row while their look-up stands still, and that it does is one", async () => {
    const keys = Array.from({ length: 400 }, () => createApiKey().key);
    const rows = await rowsAfter({ authentication: "required" }, async (url) => {
      const locking = await pool.connect();
      await locking.query("begin; lock table gateway_key in access exclusive mode");
      expect(await flood(url, keys)).toEqual({ 503: 400 });
      await locking.query("rollback");
      locking.release();
    });
    expect(rows).toEqual([]);
    const away = await pool.query("select sample->'causes'->0->>'name' as name from incident where reason = $1", [
      "core/unavailable",
    ]);
    expect(away.rows.filter(({ name }) => name === "keys away")).toHaveLength(1);
    expect(away.rows.filter(({ name }) => name === null)).toEqual([]);
  });

  it.runIf(isNightly)(
    "3,200 unknown keys leave no row",
    async () => {
      const keys = Array.from({ length: 3_200 }, () => createApiKey().key);
      const rows = await rowsAfter({ authentication: "required" }, async (url) => {
        const statuses = await flood(url, keys);
        expect((statuses[401] ?? 0) + (statuses[503] ?? 0)).toBe(3_200);
      });
      expect(rows).toEqual([]);
    },
    180_000,
  );

  it("an issuer that is down is one row, however many tokens are shown", async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const tokens = Array.from(
      { length: 200 },
      (_, index) => `${part({ alg: "RS256", kid: "k" })}.${part({ sub: `user ${index}` })}.c2lnbmF0dXJl`,
    );
    const jwt = {
      issuer: "https://issuer.example",
      audience: "gateway",
      jwksUrl: "http://127.0.0.1:9/jwks",
      tenantClaim: "tenant",
      entitlementsClaim: undefined,
      tools: ["*"],
      dialect: undefined,
    };
    const rows = await rowsAfter({ authentication: "required", jwt }, async (url) => {
      expect(await flood(url, tokens)).toEqual({ 503: 200 });
    });
    expect(rows).toEqual([{ reason: "core/unavailable", upstream: null, n: 1 }]);
  });
});

it("an open breaker refuses without a row, and that it opened is one", async () => {
  const upstream = await startStubUpstream((_request, response) => sendJson(response, "oops", 500));
  const changes = {
    upstreams: [httpUpstream(upstream.url)],
    authentication: "none" as const,
    breaker: { failures: 5, pauseMs: 600_000, maxPauseMs: 600_000 },
  };
  const rows = await rowsAfter(changes, async (url) => {
    for (let call = 0; call < 60; call += 1) {
      const answer = await callEcho(url);
      if (call >= 5) expect(answer.text).not.toContain('"incident"');
    }
  });
  expect(rows).toEqual([
    { reason: "transport/breaker_open", upstream: "up", n: 1 },
    { reason: "transport/http_failed", upstream: "up", n: 5 },
  ]);
});

/** The id that a caller is told of a failure, which is then recorded as the edge does it. */
function give({ admit, sink }: Pick<Incidents, "admit" | "sink">): string {
  const fault = core.internal.fault();
  const admission = admit({ fault, upstream: "shop", tool: "shop__find", atMs: NOW });
  sink({ ...incidentWith({ fault, atMs: NOW, id: admission.id }), admission });
  return admission.id;
}

it("1,500 failures of one sort in a minute are 1,000 rows, a count of 1,500, and every id is found", async () => {
  const { url } = await testDatabase();
  const replica = await openReplica(poolOf(url));
  const ids = new Set(Array.from({ length: 1_500 }, () => give(replica)));
  const count = async () => (await replica.reader.findClasses("", 5)).map((one) => one.count);
  await expect.poll(count).toEqual([1_500]);
  expect(ids.size).toBe(1_000);
  const rows = await replica.reader.search({}, { limit: 2_000 });
  expect(new Set(rows.map(({ id }) => id))).toEqual(ids);
});

describe.runIf(isNightly)("through the gateway", () => {
  it("1,100 calls that fail alike in a minute are 1,000 rows, and every id is found", async () => {
    const upstream = await startStubUpstream((_request, response) => sendJson(response, "oops", 500));
    const ids = new Set<string>();
    const changes = { upstreams: [httpUpstream(upstream.url)], authentication: "none" as const };
    const attack = async (url: URL) => {
      for (let round = 0; round < 22; round += 1) {
        const answers = await Promise.all(Array.from({ length: 50 }, () => callEcho(url)));
        for (const { text } of answers) ids.add(/"incident":"(\w{26})"/.exec(text)?.[1] ?? "none");
      }
    };
    const rows = await rowsAfter(changes, attack, { testing: { clock: { now: () => NOW } } });
    expect(rows).toEqual([{ reason: "transport/http_failed", upstream: "up", n: 1_000 }]);
    expect(ids.size).toBe(1_000);
    const found = await pool.query("select count(distinct id)::int as n from incident where id = any($1)", [[...ids]]);
    expect(found.rows).toEqual([{ n: 1_000 }]);
  }, 180_000);
});
