// What the first page of the console asks for, on whole gateways.

import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { type FlakyProxy, flakyProxy } from "@recourse/test-kit/network";
import { createTestDatabase, type TestDatabase } from "@recourse/test-kit/postgres";
import { createRedisServer, type RedisServer } from "@recourse/test-kit/redis";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ROUTES } from "../../src/admin/app.ts";
import type { GatewayConfig } from "../../src/config/types.ts";
import { type Gateway, startGateway } from "../../src/gateway.ts";
import { httpUpstream, testConfig } from "../support/config.ts";
import { MODERN_META, modernHeaders, post } from "../support/post.ts";
import { answerWith, OK, type StubUpstream, sendJson, serveStub } from "../support/stub-upstream.ts";
import { ADMIN, ask, expectProblem, type Got } from "./support.ts";

const KEY = "rk_overview_0123456789abcdef";
const CALLER = '["key","acme","ann"]';

function configOf(stub: StubUpstream, changes: Partial<GatewayConfig>): GatewayConfig {
  const sha256 = createHash("sha256").update(KEY).digest("hex");
  const rights = { tools: ["*"], scopes: [], entitlements: [], dialect: undefined };
  return testConfig({
    drainMs: 0,
    authentication: "required",
    admin: ADMIN,
    keys: [{ id: "ann", tenant: "acme", sha256, ...rights }],
    // Whatever is called most often is refused in the end.
    limits: {
      address: undefined,
      key: undefined,
      tenant: undefined,
      cost: undefined,
      tools: [{ pattern: "up__lim*", rate: { perSecond: 0.0001, burst: 1 } }],
      mode: "exact",
    },
    approvals: {
      tools: ["up__approved"],
      denied: [],
      expiresMs: 3_600_000,
      link: undefined,
    } as GatewayConfig["approvals"],
    breaker: { failures: 1_000, pauseMs: 1_000, maxPauseMs: 30_000 },
    upstreams: [httpUpstream(stub.url)],
    ...changes,
  });
}

const TOOLS = ["works", "fails", "limited", "approved"];
const startStub = () =>
  serveStub((request, response) => {
    if (request.text.includes('"fails"')) sendJson(response, "oops", 500);
    else return answerWith(OK)(request, response);
  }, TOOLS);

function expectAnswer(got: Got, operation: string): void {
  const route = ROUTES.find(({ id }) => id === operation);
  expect(got.status, got.text).toBe(200);
  const checked = route?.answer.safeParse(got.json);
  expect(checked?.error, JSON.stringify(checked?.error?.issues)).toBeUndefined();
}

/** Makes the calls that all gateways of these tests have seen. */
async function makeCalls(gateway: Gateway): Promise<void> {
  const call = (tool: string, key = KEY) => {
    const params = `{"name":"up__${tool}","arguments":{"n":1},"_meta":{${MODERN_META}}}`;
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;
    return post(gateway.url, body, {
      ...modernHeaders("tools/call", `up__${tool}`),
      authorization: `Bearer ${key}`,
    });
  };
  await vi.waitFor(async () => expect((await call("works")).text).toContain("ok"));
  for (const tool of ["works", "fails", "fails", "limited", "limited", "limited", "approved", "missing"])
    await call(tool);
  await call("works", "rk_wrong");
}

/** `limited`: how many of three calls the limit refuses. */
function describeOverview(name: string, gatewayOf: () => Gateway, limited: number) {
  const get = (path: string) => ask(gatewayOf().adminUrl as URL, path);

  describe(name, () => {
    it("answers all parts in one request", async () => {
      await expect.poll(async () => (await get("/overview")).json.classes.value.incidents).toBe(2);
      await expect.poll(async () => (await get("/overview")).json.calls.value?.byOutcome.operator).toBe(2);
      for (const range of ["15m", "1h", "24h", "7d", "30d"]) {
        const got = await get(`/overview?range=${range}`);
        expectAnswer(got, "getOverview");
        const faults = Object.entries<object>(got.json).filter(([, part]) => "fault" in Object(part));
        expect(faults, range).toEqual([]);
        expect(gzipSync(got.text).length).toBeLessThan(12_000);
      }
      const { calls, series, classes, hits, upstreams, approvals, refusals, health, changes } = (
        await get("/overview?range=15m")
      ).json;
      expect(calls.value).toMatchObject({
        byOutcome: { operator: 2, refused: limited + 2, caller: 1 },
        callers: 1,
        before: { total: 0, operator: 0 },
        upstreams: [{ upstream: "up" }],
      });
      expect(calls.value.upstreams[0].total).toHaveLength(15);
      expect(series.value).toMatchObject({ step: "minute", length: 15, groups: [{ total: 2 }] });
      expect(classes.value).toMatchObject({
        items: [{ tool: "up__fails", count: 2, callers: 1 }],
        incidents: 2,
        classes: 1,
        last: { tool: "up__fails" },
      });
      expect(hits.value).toMatchObject({
        tenants: [{ group: "acme", count: 2 }],
        callers: [{ group: CALLER, count: 2 }],
        tenantCount: 1,
        callerCount: 1,
      });
      expect(upstreams.value).toMatchObject([{ upstream: "up", listed: "current", recent: { faults: 2 } }]);
      expect(approvals.value).toMatchObject({ pending: 1, items: [{ tool: "up__approved", arguments: '{"n":1}' }] });
      expect(refusals.value).toMatchObject([
        {
          caller: CALLER,
          tenant: "acme",
          policy: "up__lim*",
          rate: { perSecond: 0.0001, burst: 1 },
          refused: limited,
        },
      ]);
      expect(health.value.status).toBe("ok");
      expect(changes.value).toMatchObject([{ kind: "process" }]);
    });

    it("answers with 304 as long as nothing changes", async () => {
      const url = gatewayOf().adminUrl as URL;
      const first = await get("/overview?range=30d");
      const tag = String(first.headers["etag"]);
      const again = await ask(url, "/overview?range=30d", { headers: { "if-none-match": tag } });
      expect([again.status, again.text]).toEqual([304, ""]);
      const other = await ask(url, "/overview?range=7d", { headers: { "if-none-match": tag } });
      expect(other.status).toBe(200);
    });

    it("counts incidents and calls over time, and ranks who is hit and refused", async () => {
      const series = await get("/incident-series?by=tool&range=1h&kind=upstream_failed");
      expectAnswer(series, "getIncidentSeries");
      const empty = await get("/incident-series?reason=core/nothing&range=24h");
      expectAnswer(empty, "getIncidentSeries");
      expect([empty.json.groups, empty.json.other.counts.length]).toEqual([[], 24]);
      const tools = await get("/incident-series?by=tool&range=7d&tenant=acme");
      expect(tools.json).toMatchObject({ length: 168, groups: [{ group: "up__fails", total: 2 }] });
      const { fingerprint } = (await get("/incident-classes")).json.items[0];
      for (const path of [`by=caller&fingerprint=${fingerprint}`, "by=caller&range=24h"]) {
        const hits = await get(`/incident-hits?${path}`);
        expectAnswer(hits, "getIncidentHits");
        expect(hits.json).toMatchObject({ items: [{ group: CALLER, count: 2 }], count: 1, other: 0 });
      }
      const rates = await get("/call-rates?by=tool&upstream=up&range=1h");
      expectAnswer(rates, "getCallRates");
      const fails = rates.json.groups.find(({ group }: { group: string }) => group === "up__fails");
      expect(fails).toMatchObject({ calls: 2, faults: 2, p95Ms: expect.any(Number) });
      const refusals = await get("/limit-refusals?by=policy");
      expectAnswer(refusals, "listLimitRefusals");
      expect(refusals.json.items).toMatchObject([{ policy: "up__lim*", refused: limited }]);
      expectProblem(await get("/overview?range=2h"), 400, "protocol/invalid_params");
    });
  });
}

let stub: StubUpstream;
let memory: Gateway;
let shared: Gateway;
let redis: RedisServer;
let database: TestDatabase;
let proxy: FlakyProxy;

beforeAll(async () => {
  [stub, redis, database] = await Promise.all([
    startStub(),
    createRedisServer({ durable: false }),
    createTestDatabase(),
  ]);
  proxy = await flakyProxy(database.url);
  memory = await startGateway(configOf(stub, {}));
  const store = { mode: "shared", redis: [redis.url], cluster: false, postgres: proxy.url } as const;
  shared = await startGateway(configOf(stub, { store }));
  await Promise.all([makeCalls(memory), makeCalls(shared)]);
});
afterAll(async () => {
  proxy.reconnect();
  await Promise.all([memory.close(), shared.close()]);
  await Promise.all([proxy.close(), stub.close()]);
  await Promise.all([redis.close(), database.drop()]);
});

describeOverview("with a store in memory", () => memory, 2);
// Redis has just started, so it may have forgotten what was used: a new bucket is empty.
describeOverview("with shared stores", () => shared, 3);

describe("with shared stores", () => {
  it("has the parts that need no database while it is down, and a fault for each of the others", async () => {
    const url = shared.adminUrl as URL;
    proxy.disconnect();
    const got = await ask(url, "/overview");
    proxy.reconnect();
    expectAnswer(got, "getOverview");
    const { health, calls, series, classes, hits, approvals, refusals, upstreams } = got.json;
    expect(health.value.parts.database).toBe("away");
    expect(upstreams.value).toMatchObject([{ upstream: "up", listed: "current" }]);
    for (const part of [calls, series, classes, hits, approvals, refusals])
      expect(part.fault).toMatchObject({ kind: "unavailable", reason: "core/unavailable" });
    await expect.poll(async () => (await ask(url, "/overview")).json.calls.value?.byOutcome.operator).toBe(2);
  });

  it("erases what was counted of a caller with its incidents", async () => {
    const url = shared.adminUrl as URL;
    await ask(url, `/callers/${encodeURIComponent(CALLER)}/incidents`, { method: "DELETE" });
    expect((await ask(url, "/incident-hits")).json).toEqual({ items: [], count: 0, other: 0 });
    expect((await ask(url, "/limit-refusals")).json.items).toEqual([]);
    expect((await ask(url, "/overview")).json.calls.value.byOutcome.operator).toBe(2);
  });
});
