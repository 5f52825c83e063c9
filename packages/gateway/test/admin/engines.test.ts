// The API of a whole gateway, on PostgreSQL and Redis.

import { type FlakyProxy, flakyProxy } from "@recourse/test-kit/network";
import { createTestDatabase, type TestDatabase } from "@recourse/test-kit/postgres";
import { createRedisServer, type RedisServer } from "@recourse/test-kit/redis";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { ROUTES } from "../../src/admin/app.ts";
import { postgresApprovals } from "../../src/approvals/postgres-approvals.ts";
import { type Gateway, startGateway } from "../../src/gateway.ts";
import { poolOf, requestOf } from "../approvals/support.ts";
import { httpUpstream, testConfig } from "../support/config.ts";
import { MODERN_META, modernHeaders, post } from "../support/post.ts";
import { type StubUpstream, sendJson, serveStub } from "../support/stub-upstream.ts";
import { ADMIN, ask, expectProblem, type Got, keyOf } from "./support.ts";

let redis: RedisServer;
let database: TestDatabase;
let proxy: FlakyProxy;
let stub: StubUpstream;
let gateway: Gateway;
let url: URL;

beforeAll(async () => {
  [redis, database] = await Promise.all([createRedisServer({ durable: false }), createTestDatabase()]);
  proxy = await flakyProxy(database.url);
  stub = await serveStub((_request, response) => sendJson(response, "oops", 500));
  gateway = await startGateway(
    testConfig({
      drainMs: 0,
      store: { mode: "shared", redis: [redis.url], cluster: false, postgres: proxy.url },
      authentication: "required",
      keyCacheMs: 0,
      admin: ADMIN,
      approvals: { tools: ["nothing"], denied: [], expiresMs: 3_600_000, link: undefined },
      breaker: { failures: 1_000, pauseMs: 1_000, maxPauseMs: 30_000 },
      // Each call fails there, and is an incident.
      upstreams: [httpUpstream(stub.url)],
    }),
  );
  if (gateway.adminUrl === undefined) throw new Error("no API");
  url = gateway.adminUrl;
});
afterAll(async () => {
  proxy.reconnect();
  await gateway.close();
  await proxy.close();
  await stub.close();
  await Promise.all([redis.close(), database.drop()]);
});

/** An answer has to fit the schema of its route. */
function expectAnswer(got: Got, operation: string): void {
  const route = ROUTES.find(({ id }) => id === operation);
  expect(got.status, got.text).toBe(route?.status ?? 200);
  expect(route?.answer.safeParse(got.json)).toMatchObject({ success: true });
}

function call(key: string) {
  const params = `{"name":"up__echo","arguments":{},"_meta":{${MODERN_META}}}`;
  const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;
  return post(gateway.url, body, { ...modernHeaders("tools/call", "up__echo"), authorization: `Bearer ${key}` });
}

describe("a gateway on its engines", () => {
  it("makes a key that callers use, finds the incident of its call, erases it, and revokes the key", async () => {
    const added = await ask(url, "/keys", { method: "POST", body: { id: "web", tenant: "acme" } });
    expectAnswer(added, "addKey");
    const { key, prefix } = added.json;
    const failed = await call(key);
    const incident = /incident (\w{26})/.exec(failed.text)?.[1] ?? failed.text;
    await expect.poll(async () => (await ask(url, `/incidents/${incident}`)).status).toBe(200);
    const found = await ask(url, `/incidents/${incident}`);
    expectAnswer(found, "getIncident");
    expect(found.json).toMatchObject({ id: incident, tenant: "acme", caller: '["key","acme","web"]' });

    const searched = await ask(url, `/incidents?caller=${encodeURIComponent(found.json.caller)}&limit=1`);
    expectAnswer(searched, "searchIncidents");
    expect(searched.json).toMatchObject({ items: [{ id: incident }], next: null });
    const classes = await ask(url, "/incident-classes");
    expectAnswer(classes, "listIncidentClasses");
    expect(classes.json.items).toMatchObject([{ fingerprint: found.json.fingerprint, count: 1 }]);
    expectAnswer(await ask(url, `/incident-classes/${found.json.fingerprint}`), "getIncidentClass");

    const path = `/callers/${encodeURIComponent(found.json.caller)}/incidents`;
    const erased = await ask(url, path, { method: "DELETE" });
    expectAnswer(erased, "eraseCallerIncidents");
    expect(erased.json).toEqual({ erased: 1 });
    expectProblem(await ask(url, `/incidents/${incident}`), 404, "core/not_found");

    const revoked = await ask(url, `/keys/${prefix}`, { method: "DELETE" });
    expectAnswer(revoked, "revokeKey");
    await expect.poll(async () => (await call(key)).status).toBe(401);
    const audit = await ask(url, "/audit");
    expectAnswer(audit, "listAudit");
    expect(audit.json.items.map(({ action }: { action: string }) => action)).toEqual([
      "key.revoke",
      "incidents.erase",
      "key.add",
    ]);
    const rows = await database.query(
      "select actor, what as action from gateway_event where kind = 'operator' order by id",
    );
    expect(rows[0]).toEqual({ actor: "the-admin", action: "key.add" });
  });

  it("lets one of several operators decide, once, and the call that waited runs once", async () => {
    const pool = poolOf(database.url);
    onTestFinished(() => pool.end());
    const approvals = postgresApprovals(pool);
    const request = requestOf({ caller: '["key","acme","web"]' });
    const asked = await approvals.consume(request, "call-1");
    const id = "id" in asked ? asked.id : "none";
    const listed = await ask(url, "/approvals?state=pending");
    expectAnswer(listed, "listApprovals");
    expect(listed.json.items).toMatchObject([{ id, state: "pending", tool: request.tool }]);
    expectAnswer(await ask(url, `/approvals/${id}`), "getApproval");
    const decide = () => ask(url, `/approvals/${id}/decision`, { method: "POST", body: { approve: true } });
    const answers = await Promise.all([decide(), decide(), decide(), decide()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    expectAnswer(answers.find(({ status }) => status === 200) as Got, "decideApproval");
    await expect(approvals.consume(request, "call-2")).resolves.toEqual({ state: "consumed", id });
    expect((await ask(url, `/approvals/${id}`)).json).toMatchObject({ state: "consumed", decidedBy: "the-admin" });
    const entries: { target: string; facts: { outcome?: string } }[] = (await ask(url, "/audit")).json.items;
    const own = entries.filter(({ target }) => target === id);
    expect(own.filter(({ facts }) => facts.outcome === undefined).length).toBe(
      1 + own.filter(({ facts }) => facts.outcome === "refused").length,
    );
  });

  it("shows breakers, upstreams, limits, requests and health, and resets a breaker", async () => {
    const { key } = (await ask(url, "/keys", { method: "POST", body: { id: "counted" } })).json;
    await call(key);
    const upstreams = await ask(url, "/upstreams");
    expectAnswer(upstreams, "listUpstreams");
    const [{ requests, failures, lastFailure }] = upstreams.json.items;
    expect(failures).toBeGreaterThan(0);
    expect(requests).toBeGreaterThanOrEqual(failures);
    const kept = () => ask(url, `/incidents/${lastFailure.incident}`);
    await expect.poll(async () => (await kept()).json.reason).toBe(lastFailure.reason);
    expectAnswer(await ask(url, "/breakers"), "listBreakers");
    expectAnswer(await ask(url, "/limits"), "getLimits");
    expectAnswer(await ask(url, "/breakers/up/reset", { method: "POST" }), "resetBreaker");
    const health = await ask(url, "/health");
    expectAnswer(health, "getHealth");
    expect(health.json).toMatchObject({ store: "shared", parts: { database: "works", approvals: "works" } });
  });

  it.each([
    "' or '1'='1",
    "'; drop table gateway_key; --",
    "$1",
    "%",
    "_",
    "\\",
    "ü\u2028",
    "\ud83d\ude00",
    '"',
    "null",
  ])("takes %s as text everywhere", async (text) => {
    const value = encodeURIComponent(text);
    for (const name of ["reason", "kind", "tool", "upstream", "tenant", "caller"])
      for (const path of ["incidents", "incident-classes"]) {
        const got = await ask(url, `/${path}?${name}=${value}`);
        expect([got.status, got.json.items], `${path} ${name}`).toEqual([200, []]);
      }
    expect((await ask(url, `/approvals?tenant=${value}`)).json).toEqual({ items: [], next: null });
    expectProblem(await ask(url, `/keys/${value}`, { method: "DELETE" }), 404, "core/not_found");
    expect((await ask(url, `/callers/${value}/incidents`, { method: "DELETE" })).json).toEqual({ erased: 0 });
  });

  it("takes the edges of time, of pages and of fingerprints", async () => {
    for (const path of [
      "/incidents?since=1970-01-01T00:00:00Z&until=9999-12-30T00:00:00Z",
      "/incident-series?range=30d&caller=nobody",
      "/incidents?limit=200&before=7ZZZZZZZZZZZZZZZZZZZZZZZZZ.99999999999999",
      "/incidents?before=00000000000000000000000000.0",
      "/incidents?fingerprint=abcdef012",
      "/audit?before=999999999999999999",
    ]) {
      const got = await ask(url, path);
      expect(got.status, `${path} ${got.text}`).toBe(200);
    }
    expectProblem(await ask(url, "/incident-classes/abcdef012"), 404, "core/not_found");
  });

  it("answers 503 while PostgreSQL is away, changes nothing, and works again afterwards", async () => {
    proxy.disconnect();
    for (const path of ["/incidents", "/audit", "/keys", "/approvals"]) {
      const got = await ask(url, path);
      expectProblem(got, 503, "core/unavailable");
      expect(got.headers["retry-after"]).toBe("1");
    }
    const added = await ask(url, "/keys", { method: "POST", body: { id: "late" } });
    expectProblem(added, 503, "core/unavailable");
    expect(added.json.fault.effect).toBe("none");
    const health = await ask(url, "/health", { key: keyOf("viewer") });
    expect([health.status, health.json.status, health.json.parts.database]).toEqual([200, "degraded", "away"]);
    expectAnswer(health, "getHealth");
    proxy.reconnect();
    await expect.poll(async () => (await ask(url, "/keys")).status).toBe(200);
    expect((await ask(url, "/keys")).json.items.map(({ id }: { id: string }) => id)).not.toContain("late");
  });
});
