// What happens and what changed, on real gateways: alone, and two that share Redis and PostgreSQL.

import { createServer } from "node:http";
import { createTestDatabase, type TestDatabase } from "@recourse/test-kit/postgres";
import { createRedisServer, type RedisServer } from "@recourse/test-kit/redis";
import { request } from "undici";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { ROUTES } from "../../src/admin/app.ts";
import { LIVE_EVENTS } from "../../src/admin/overview-schemas.ts";
import type { GatewayConfig } from "../../src/config/types.ts";
import type { Gateway } from "../../src/gateway.ts";
import { httpUpstream, testConfig } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { callEcho } from "../support/post.ts";
import { answerWith, OK, type StubAnswer, startStubUpstream } from "../support/stub-upstream.ts";
import { ADMIN, ask, expectProblem, type Got, keyOf } from "./support.ts";

const BREAKER = { failures: 2, pauseMs: 60_000, maxPauseMs: 60_000 };
const failing: StubAnswer = (_, response) => void response.writeHead(500).end();

/** A gateway whose upstream fails as long as the test says so. */
async function startFailing(changes: Partial<GatewayConfig> = {}) {
  const world = { answer: failing };
  const stub = await startStubUpstream((received, response) => world.answer(received, response));
  const config = { admin: ADMIN, breaker: BREAKER, upstreams: [httpUpstream(stub.url)], ...changes };
  const gateway = await startTestGateway(config);
  return { world, stub, config, gateway, url: gateway.adminUrl as URL };
}

interface LiveEvent {
  readonly id: string | undefined;
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of many forms.
  readonly data: any;
}

/** Opens a stream of a gateway. Each event has to fit its schema. */
async function follow(url: URL, headers: Readonly<Record<string, string>> = {}) {
  const events: LiveEvent[] = [];
  const answer = await request(`${url.href}/live`, {
    headers: { authorization: `Bearer ${keyOf("viewer")}`, ...headers },
  });
  const state = { status: answer.statusCode, headers: answer.headers, isOver: false };
  let rest = "";
  answer.body.on("data", (bytes: Buffer) => {
    const blocks = (rest + bytes.toString()).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
      const name = field("event");
      if (name === undefined) continue;
      const data = JSON.parse(field("data") ?? "");
      expect(LIVE_EVENTS[name as keyof typeof LIVE_EVENTS].safeParse(data).error, block).toBeUndefined();
      events.push({ id: field("id"), name, data });
    }
  });
  const end = () => {
    state.isOver = true;
  };
  answer.body.on("end", end).on("error", end).on("close", end);
  onTestFinished(() => void answer.body.destroy());
  const named = (name: string) => events.filter((event) => event.name === name).map(({ data }) => data);
  return { events, named, state, leave: () => answer.body.destroy() };
}

/** An answer has to fit the schema of its route. */
function expectAnswer(got: Got, operation: string): void {
  const route = ROUTES.find(({ id }) => id === operation);
  expect(got.status, got.text).toBe(200);
  expect(route?.answer.safeParse(got.json).error).toBeUndefined();
}

describe("a gateway alone", () => {
  it("tells a failure, the breaker that opens, and counts", async () => {
    const { gateway, url } = await startFailing();
    const stream = await follow(url);
    expect([stream.state.status, stream.state.headers["content-type"]]).toEqual([200, "text/event-stream"]);
    expect(stream.state.headers["cache-control"]).toBe("no-store");
    await callEcho(gateway.url);
    await callEcho(gateway.url);
    await expect.poll(() => stream.named("breaker")).toMatchObject([{ upstream: "up", tool: "echo", state: "open" }]);
    await expect.poll(() => stream.named("change").at(-1)?.kind).toBe("breaker");
    const [incident] = stream.named("incident");
    expect(incident).toMatchObject({ reason: "transport/http_failed", tool: "up__echo", upstream: "up" });
    expect((await ask(url, `/incidents/${incident.id}`)).status).toBe(200);
    await expect.poll(() => stream.named("tick").reduce((sum, tick) => sum + tick.calls, 0)).toBe(2);
    expect(stream.named("tick").reduce((sum, tick) => sum + tick.faults, 0)).toBe(2);
  });

  it("shows a tool that is held back with its upstream, until it is reset", async () => {
    const { gateway, url } = await startFailing();
    const held = async () => (await ask(url, "/upstreams")).json.items[0].heldTools;
    expect(await held()).toBeUndefined();
    await callEcho(gateway.url);
    await callEcho(gateway.url);
    const upstreams = await ask(url, "/upstreams");
    expectAnswer(upstreams, "listUpstreams");
    expect(upstreams.json.items[0]).toMatchObject({ upstream: "up", breaker: "closed" });
    const [tool, ...others] = upstreams.json.items[0].heldTools;
    expect(tool).toEqual({ tool: "echo", name: "up__echo", state: "open", afterMs: expect.any(Number) });
    expect(others).toEqual([]);
    expect(tool.afterMs).toBeGreaterThan(20_000);
    // The time to the next probe alone is no new answer.
    const again = await ask(url, "/upstreams", { headers: { "if-none-match": String(upstreams.headers["etag"]) } });
    expect(again.status).toBe(304);
    const overview = await ask(url, "/overview?range=1h");
    expectAnswer(overview, "getOverview");
    expect(overview.json.upstreams.value[0].heldTools).toMatchObject([{ tool: "echo", name: "up__echo" }]);
    await ask(url, `/breakers/up/reset?tool=${tool.tool}`, { method: "POST" });
    expect(await held()).toBeUndefined();
  });

  it("lists what changed: its start, the breaker, the operator who reset it, and a new configuration", async () => {
    const { gateway, url, config } = await startFailing();
    await callEcho(gateway.url);
    await callEcho(gateway.url);
    const breakers = await ask(url, "/breakers");
    expectAnswer(breakers, "listBreakers");
    expect(breakers.json.items).toEqual([
      expect.objectContaining({ upstream: "up", state: "closed" }),
      expect.objectContaining({ upstream: "up", tool: "echo", state: "open", failures: 2, scope: "local" }),
    ]);
    const [, ofTool] = breakers.json.items;
    expect(ofTool.pauseMs).toBeGreaterThanOrEqual(30_000);
    expect((await ask(url, `/incidents/${ofTool.lastIncident}`)).json.tool).toBe("up__echo");
    const reset = await ask(url, "/breakers/up/reset?tool=echo", { method: "POST" });
    expect(reset.json).toEqual({ upstream: "up", tool: "echo", reset: true });
    expect((await ask(url, "/breakers")).json.items).toHaveLength(1);
    await gateway.reload(testConfig({ ...config, deadlineMs: 1_000, name: "other" }));
    gateway.reloadRefused(["upstreams.shop.url", ""]);
    await expect.poll(async () => (await ask(url, "/changes?kind=config")).json.items.length).toBe(2);
    const changes = await ask(url, "/changes");
    expectAnswer(changes, "listChanges");
    const shown = changes.json.items.map(({ kind, what, target, facts }: Record<string, unknown>) => [
      ...[kind, what, target, facts],
    ]);
    expect(shown.toSorted()).toEqual(
      [
        ["config", "refused", "configuration", { options: ["upstreams.shop.url"] }],
        ["config", "taken-over", "configuration", { options: ["name", "deadline", "drain"] }],
        ["breaker", "closed", "up", { tool: "echo" }],
        ["operator", "breaker.reset", "up", { tool: "echo" }],
        ["breaker", "opened", "up", { tool: "echo", failures: 2 }],
        ["process", "started", "test-gateway", { version: expect.any(String) }],
      ].toSorted(),
    );
    const page = await ask(url, "/changes?limit=2");
    expect(page.json.next).toMatch(/^[0-9]+\.[ae][0-9]+$/);
    expect((await ask(url, `/changes?limit=2&before=${page.json.next}`)).json.items[0].id).toBe(
      changes.json.items[2].id,
    );
    expectProblem(await ask(url, "/changes?before=nonsense"), 400, "protocol/invalid_params");
    const overview = await ask(url, "/overview");
    expect(overview.json.changes.value).toHaveLength(6);
  });

  it("says what it knows about its upstreams, and why one is down", async () => {
    const closed = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => closed.once("listening", resolve));
    const { port } = closed.address() as { port: number };
    await new Promise((resolve) => closed.close(resolve));
    const { url, stub } = await startFailing();
    await expect.poll(async () => (await ask(url, "/upstreams")).json.items[0].listed).toBe("current");
    const good = await ask(url, "/upstreams");
    expectAnswer(good, "listUpstreams");
    expect(good.json.items[0]).toMatchObject({
      kind: "http",
      host: stub.url.host,
      era: "2026-07-28",
      breaker: "closed",
    });
    expect(Date.parse(good.json.items[0].listedAt)).toBeGreaterThan(Date.now() - 60_000);
    expect(good.json.items[0].why).toBeUndefined();
    expect((await ask(url, "/health")).json).toMatchObject({ status: "ok", why: [] });

    const down = await startTestGateway({
      admin: ADMIN,
      upstreams: [httpUpstream(`http://user:pass-word-1@127.0.0.1:${port}/mcp?key=s3cret`)],
    });
    const adminUrl = down.adminUrl as URL;
    await expect.poll(async () => (await ask(adminUrl, "/upstreams")).json.items[0].why).toBeDefined();
    const bad = await ask(adminUrl, "/upstreams");
    expectAnswer(bad, "listUpstreams");
    expect(bad.json.items[0]).toMatchObject({ listed: "never", host: `127.0.0.1:${port}` });
    expect(bad.json.items[0].why).toContain("(transport/unreachable");
    expect(bad.text).not.toMatch(/pass-word|s3cret/);
    const health = await ask(adminUrl, "/health");
    expectAnswer(health, "getHealth");
    expect(health.json.why).toContainEqual({
      part: "lists of up",
      since: expect.any(String),
      text: "Its tools are not listed, so they cannot be called.",
    });
    // Anybody may read the page for load balancers.
    const ready = await (await fetch(new URL("/ready", down.url))).text();
    expect(ready).toContain('"listed":"never"');
    expect(ready).not.toContain("transport/unreachable");
  });

  it("goes on after a break, and says where it cannot", async () => {
    const { gateway, url } = await startFailing();
    const first = await follow(url);
    await callEcho(gateway.url);
    await expect.poll(() => first.named("incident").length).toBe(1);
    const { id } = first.events.find(({ name }) => name === "incident") as LiveEvent;
    first.leave();
    await callEcho(gateway.url);
    const again = await follow(url, { "last-event-id": id ?? "" });
    await expect.poll(() => again.named("incident").length).toBeGreaterThanOrEqual(1);
    expect(again.named("reset")).toEqual([]);
    expect(again.events.map((event) => event.id)).not.toContain(id);
    const other = await follow(url, { "last-event-id": "another-7" });
    await expect.poll(() => other.events[0]?.name).toBe("reset");
  });

  it("needs a key, answers HEAD, and has room for 256 streams", async () => {
    const { url } = await startFailing();
    expectProblem(await ask(url, "/live", { key: undefined }), 401, "auth/unauthorized");
    const head = await ask(url, "/live", { method: "HEAD" });
    expect([head.status, head.headers["content-type"], head.text]).toEqual([200, "text/event-stream", ""]);
    const streams = await Promise.all(Array.from({ length: 256 }, () => follow(url)));
    expect(new Set(streams.map(({ state }) => state.status))).toEqual(new Set([200]));
    const refused = await ask(url, "/live");
    expectProblem(refused, 503, "core/overloaded");
    streams[0]?.leave();
    await expect.poll(async () => (await follow(url)).state.status).toBe(200);
  });

  it("ends its streams at once when it stops", async () => {
    const { gateway, url } = await startFailing({ drainMs: 10 * 60_000 });
    const stream = await follow(url);
    const closed = gateway.close();
    await expect.poll(() => stream.state.isOver).toBe(true);
    await closed;
  });

  it("reports the breakers of all upstreams from the start", async () => {
    const { gateway } = await startFailing({ telemetry: { otlp: undefined, prometheus: true, logLevel: "silent" } });
    const text = await (await fetch(new URL("/metrics", gateway.url))).text();
    expect(text).toMatch(/recourse_breaker_state\{recourse_upstream="up"\} 0/);
  });

  it("lists itself", async () => {
    const { url } = await startFailing();
    const got = await ask(url, "/replicas");
    expectAnswer(got, "listReplicas");
    expect(got.json.items).toEqual([
      expect.objectContaining({
        id: expect.stringMatching(/-\d+$/),
        parts: { database: "off", limits: "works", approvals: "works", breakers: "works", incidents: "works" },
      }),
    ]);
  });
});

describe("two gateways that share Redis and PostgreSQL", () => {
  let redis: RedisServer;
  let database: TestDatabase;
  let store: GatewayConfig["store"];
  beforeAll(async () => {
    [redis, database] = await Promise.all([createRedisServer({ durable: false }), createTestDatabase()]);
    store = { mode: "shared", redis: [redis.url], cluster: false, postgres: database.url };
  });
  afterAll(() => Promise.all([redis.close(), database.drop()]));

  it("a breaker that opens at one is one change, and is told by the other", async () => {
    const one = await startFailing({ store });
    const other = await startTestGateway({ ...one.config, store });
    const otherUrl = other.adminUrl as URL;
    const streams = [await follow(one.url), await follow(otherUrl)] as const;
    await callEcho(one.gateway.url);
    await callEcho(one.gateway.url);
    await expect
      .poll(() => streams[1].named("breaker"))
      .toMatchObject([{ upstream: "up", tool: "echo", state: "open" }]);
    const told = () => streams.map((one) => one.named("change").filter(({ kind }) => kind === "breaker").length);
    await expect.poll(told).toEqual([1, 1]);
    await expect.poll(() => streams[1].named("incident").length).toBeGreaterThanOrEqual(2);
    // Whoever records it later finds it there. A longer wait would only see more of what must not come.
    await new Promise((resolve) => setTimeout(resolve, 500));
    const changes = await ask(otherUrl, "/changes?kind=breaker");
    expectAnswer(changes, "listChanges");
    expect(changes.json.items).toMatchObject([{ what: "opened", target: "up", facts: { tool: "echo", failures: 2 } }]);
    expect(told()).toEqual([1, 1]);
    expect((await ask(otherUrl, "/breakers")).json.items[1]).toMatchObject({ tool: "echo", state: "open" });

    one.world.answer = answerWith(OK);
    await ask(otherUrl, "/breakers/up/reset?tool=echo", { method: "POST" });
    await expect.poll(async () => (await ask(one.url, "/breakers")).json.items.length).toBe(1);
    await expect.poll(told).toEqual([2, 2]);
    const all = await ask(one.url, "/changes?target=up");
    expect(all.json.items.map(({ what }: { what: string }) => what).toSorted()).toEqual([
      "breaker.reset",
      "closed",
      "opened",
    ]);
    const replicas = await ask(one.url, "/replicas");
    expectAnswer(replicas, "listReplicas");
    expect(replicas.json.items).toHaveLength(2);
  });

  it("while Redis is down no breaker is reset, and health says what callers get", async () => {
    const own = await createRedisServer({ durable: false });
    onTestFinished(() => own.close());
    const { url } = await startFailing({ store: { ...store, redis: [own.url] } as GatewayConfig["store"] });
    await own.kill();
    const parts = async () => (await ask(url, "/health")).json.parts.breakers;
    await expect.poll(parts).toBe("away");
    const refused = await ask(url, "/breakers/up/reset", { method: "POST" });
    expectProblem(refused, 503, "core/unavailable");
    expect([refused.json.detail, refused.json.fault.effect]).toEqual([
      "Redis is down, so other processes could not be told. Reset the breaker when it is up again.",
      "none",
    ]);
    const health = await ask(url, "/health");
    expectAnswer(health, "getHealth");
    expect(health.json.why).toContainEqual({
      part: "breakers",
      since: expect.any(String),
      text: "Calls continue. Each process counts failures of upstreams for itself, and no breaker can be reset.",
    });
    const stores = async () => (await ask(url, "/changes?kind=store&target=breakers")).json.items;
    await expect.poll(stores).toMatchObject([{ what: "away", facts: { answer: "each process counts for itself" } }]);
  });

  it("a gateway that starts and stops is seen by the other", async () => {
    const { url, config } = await startFailing({ store });
    const other: Gateway = await startTestGateway({ ...config, store });
    await other.close();
    const processes = async () =>
      (await ask(url, "/changes?kind=process&limit=2")).json.items.map(({ what }: { what: string }) => what);
    await expect.poll(processes).toEqual(["stopped", "started"]);
  });
});
