// Held calls of several replicas: the answers come to any of them.
import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "@recourse/test-kit/eventually";
import { connectRedis, createRedisServer } from "@recourse/test-kit/redis";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { ADMIN, ask } from "../admin/support.ts";
import { OTHER, START_MS, startEngines, startReplica } from "../idempotency/support/replicas.ts";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { pass } from "../support/held-time.ts";
import { passForKeys } from "../support/pass-for-keys.ts";
import { startAsker } from "./asking-server.ts";
import { askedIn, call, countEnded, faultOf, holdAskingTime, ROME, responseIn, textIn, until } from "./support.ts";

let engines: Awaited<ReturnType<typeof startEngines>>;
beforeAll(async () => {
  engines = await startEngines();
}, START_MS);
afterAll(() => engines?.close());

beforeEach(holdAskingTime);

type Changes = Parameters<typeof engines.shared>[0];

async function options(changes: Changes = {}, upstream: object = {}) {
  const server = await startAsker("v1");
  onTestFinished(() => server.close());
  const upstreams = [httpUpstream(server.url, { era: "2025-11-25", ...upstream })];
  return { server, config: engines.shared({ upstreams, ...changes }) };
}

async function world(changes: Changes = {}, upstream: object = {}) {
  const { server, config } = await options(changes, upstream);
  const { observer, ended } = countEnded();
  const one = await startTestGateway(config, { observer });
  return { server, one, endedAtOne: ended, two: await startTestGateway(config) };
}

/** Waits until messages reach so many replicas. */
async function untilListening(count: number): Promise<void> {
  const { store } = engines.shared();
  const client = await connectRedis((store?.mode === "shared" && store.redis[0]) || "");
  onTestFinished(() => client.destroy());
  await eventually(async () => expect(await client.pubSubChannels("recourse:replica:*")).toHaveLength(count));
}

const answerTo = (key: string, answer = ROME) => `{"${key}":${answer}}`;

describe("a call that is held at another replica", () => {
  it("goes on there, round by round", async () => {
    const { server, one, two } = await world();
    const args = '{"times":5}';
    let answer = await call(one.url, { args });
    for (let at = 1; at <= 5; at++) {
      const { state, requests } = askedIn(answer);
      const [key = ""] = Object.keys(requests);
      expect(requests[key]?.params).toMatchObject({ message: `up: Question ${at}?` });
      const response = `{"action":"accept","content":{"city":"${at}"}}`;
      answer = await call(at % 2 === 1 ? two.url : one.url, {
        args,
        state,
        responses: answerTo(key, response),
        id: at,
      });
      expect(responseIn(answer).id).toBe(at);
    }
    expect(textIn(answer).match(/"city":"(\d)"/g)).toHaveLength(5);
    expect(server.answers).toHaveLength(5);
  });

  it("is of its caller only", async () => {
    const { server, one, two } = await world();
    const { state } = askedIn(await call(one.url));
    const stolen = await call(two.url, { state, responses: answerTo("q1"), credential: OTHER });
    expect(faultOf(stolen)).toMatchObject({ reason: "protocol/request_state_invalid", effect: "none" });
    expect(server.answers).toEqual([]);
    expect(textIn(await call(two.url, { state, responses: answerTo("q1") }))).toContain("Rome");
  });

  it("has one that waits, at whichever replica", async () => {
    const { server, one, two } = await world();
    const { state } = askedIn(await call(one.url, { tool: "slow" }));
    const leg = { tool: "slow", state, responses: answerTo("q1") };
    const first = call(two.url, leg);
    await until(() => server.slow.length === 1);
    for (const { url } of [one, two]) {
      expect(faultOf(await call(url, leg))).toMatchObject({ kind: "conflict", effect: "none" });
    }
    server.slow[0]?.();
    expect(textIn(await first)).toBe("slow and done");
    expect(server.answers).toHaveLength(1);
    expect(faultOf(await call(two.url, leg))).toMatchObject({ reason: "protocol/request_state_invalid" });
  });

  it("takes answers once, however many bring them at the same moment", async () => {
    const { server, one, two } = await world();
    const pay = { tool: "pay", args: '{"to":"ACME"}' };
    const { state } = askedIn(await call(one.url, pay));
    const legs = Array.from({ length: 8 }, (_, at) =>
      call(at % 2 === 0 ? one.url : two.url, { ...pay, state, responses: answerTo("q1") }),
    );
    const answers = await Promise.all(legs);
    expect(answers.filter((answer) => textIn(answer).includes("paid ACME"))).toHaveLength(1);
    const others = answers.filter((answer) => !textIn(answer).includes("paid ACME")).map(faultOf);
    for (const { reason } of others) expect(["core/conflict", "protocol/request_state_invalid"]).toContain(reason);
    expect([server.answers.length, server.paid.length]).toEqual([1, 1]);
  });

  it("asks what comes on the stream of the session", async () => {
    const { server, one, two } = await world();
    for (const { url } of [two, one]) {
      const { state, requests } = askedIn(await call(one.url, { tool: "aside" }));
      expect(requests).toMatchObject({ q1: { params: { message: "up: Beside?" } } });
      const done = await call(url, { tool: "aside", state, responses: answerTo("q1", '{"action":"decline"}') });
      expect(textIn(done)).toContain("decline");
    }
    expect(server.answers).toHaveLength(2);
  });

  it("ends where its caller leaves the other replica", async () => {
    const { server, one, two } = await world();
    const { state } = askedIn(await call(one.url, { tool: "slow" }));
    const left = new AbortController();
    const leg = call(two.url, { tool: "slow", state, responses: answerTo("q1"), signal: left.signal });
    await until(() => server.slow.length === 1);
    left.abort();
    await expect(leg).rejects.toThrow();
    await until(() => server.cancelled.length === 1);
  });

  it("fails there as one incident, whose id the caller gets at the other replica", async () => {
    const incidents: string[] = [];
    const sink = (incident: { fault: { incident?: string | undefined } }) =>
      void incidents.push(incident.fault.incident ?? "none");
    const { server, config } = await options({}, { timeoutMs: 1_000 });
    const one = await startTestGateway(config, { sink });
    const two = await startTestGateway(config, { sink });
    const { state } = askedIn(await call(one.url, { tool: "slow" }));
    const leg = call(two.url, { tool: "slow", state, responses: answerTo("q1") });
    await until(() => server.slow.length === 1);
    await pass(1_000);
    const failed = faultOf(await leg);
    expect(failed).toMatchObject({ kind: "timeout", effect: "possible" });
    expect(incidents).toEqual([failed["incident"]]);
  });

  it("ends if nobody comes with answers, and one that comes late is told so", async () => {
    const { one, endedAtOne, two } = await world({ questions: { waitMs: 300 } });
    const { state } = askedIn(await call(one.url));
    await pass(300);
    await until(() => endedAtOne() === 1);
    expect(faultOf(await call(two.url, { state, responses: answerTo("q1") }))).toMatchObject({
      reason: "protocol/request_state_invalid",
      effect: "possible",
    });
  });

  it("runs once with a key, and any replica has its outcome", async () => {
    const { server, one, two } = await world();
    const pay = { tool: "pay", args: '{"to":"ACME"}', key: "order 1" };
    const { state } = askedIn(await call(one.url, pay));
    expect(faultOf(await call(two.url, pay))).toMatchObject({ reason: "idempotency/in_progress" });
    expect(textIn(await call(two.url, { ...pay, state, responses: answerTo("q1") }))).toContain("Rome");
    await eventually(async () => expect(textIn(await call(two.url, pay))).toContain("Rome"));
    expect(server.paid).toEqual(["ACME"]);
  });

  it("keeps its key as long as its caller is asked", async () => {
    const timeoutMs = 600_000;
    const idempotency = { mode: "shared", keepMs: 10 * timeoutMs } as const;
    const { server, config } = await options({ questions: { waitMs: 5 * timeoutMs }, idempotency }, { timeoutMs });
    const one = await startTestGateway(config, { claimGraceMs: 100 });
    const two = await startTestGateway(config, { claimGraceMs: 100 });
    const pay = { tool: "pay", args: '{"to":"ACME"}', key: "order 2" };
    const { state } = askedIn(await call(one.url, pay));
    await passForKeys(engines.url, 2 * timeoutMs);
    expect(faultOf(await call(two.url, pay))).toMatchObject({ reason: "idempotency/in_progress" });
    expect(textIn(await call(two.url, { ...pay, state, responses: answerTo("q1") }))).toContain("Rome");
    expect(server.paid).toEqual(["ACME"]);
  });

  it("uses one approval, however often its caller is asked", async () => {
    const approvals = { tools: ["up__*"], denied: [], expiresMs: 600_000, link: undefined };
    const { server, one, two } = await world({ approvals, admin: ADMIN });
    const pay = { tool: "pay", args: '{"to":"ACME"}' };
    const wanted = faultOf(await call(one.url, pay)) as { params?: { approval?: string } };
    const path = `/approvals/${wanted.params?.approval}`;
    const admin = one.adminUrl;
    if (admin === undefined) throw new Error("no API");
    await ask(admin, `${path}/decision`, { method: "POST", body: { approve: true } });
    const { state } = askedIn(await call(one.url, pay));
    expect((await ask(admin, path)).json).toMatchObject({ state: "consumed" });
    expect(textIn(await call(two.url, { ...pay, state, responses: answerTo("q1") }))).toContain("paid ACME");
    expect((await ask(admin, path)).json).toMatchObject({ state: "consumed" });
    expect(server.paid).toEqual(["ACME"]);
    // A state brings no second run: the approval was for one.
    expect(faultOf(await call(two.url, { ...pay, state, responses: answerTo("q1") }))).toMatchObject({
      reason: "protocol/request_state_invalid",
    });
    expect(String(faultOf(await call(two.url, pay))["reason"])).toMatch(/^auth\/approval_/);
    expect(server.paid).toEqual(["ACME"]);
  });
});

it("while Redis is away the replica that holds a call takes its answers, and no other one", async () => {
  const redis = await createRedisServer({ durable: false });
  onTestFinished(() => redis.close());
  const { server, config } = await options({
    store: { mode: "shared", redis: [redis.url], cluster: false, postgres: engines.url },
  });
  const one = await startTestGateway(config);
  const two = await startTestGateway(config);
  const { state } = askedIn(await call(one.url));
  await redis.close();
  const leg = { state, responses: answerTo("q1") };
  expect(faultOf(await call(two.url, leg))).toMatchObject({ reason: "protocol/request_state_invalid" });
  expect(server.answers).toEqual([]);
  expect(textIn(await call(one.url, leg))).toContain("Rome");
});

describe("a replica that is gone", () => {
  it("is noticed by those who bring answers to its calls", async () => {
    const { server, config } = await options();
    const owner = await startReplica(config);
    const two = await startTestGateway(config);
    const { state } = askedIn(await call(owner.url, { tool: "pay", args: '{"to":"ACME"}' }));
    await owner.kill();
    await untilListening(1);
    const leg = { tool: "pay", args: '{"to":"ACME"}', state, responses: answerTo("q1") };
    const refused = faultOf(await call(two.url, leg));
    expect(refused).toMatchObject({
      reason: "protocol/request_state_invalid",
      effect: "possible",
      retry: { allowed: false },
      recourse: [{ do: "refresh" }],
    });
    expect(server.paid).toEqual(["ACME"]);
  });

  it("ends its calls where it stops, and those who come for them are told", async () => {
    const { server, one, two } = await world();
    const slow = { tool: "slow" };
    const thinking = askedIn(await call(one.url, slow));
    const waiting = askedIn(await call(one.url, slow));
    const leg = call(two.url, { ...slow, state: waiting.state, responses: answerTo("q1") });
    await until(() => server.slow.length === 1);
    await one.close();
    expect(faultOf(await leg)["effect"]).toBe("possible");
    await untilListening(1);
    const late = faultOf(await call(two.url, { ...slow, state: thinking.state, responses: answerTo("q1") }));
    expect(late).toMatchObject({ reason: "protocol/request_state_invalid", effect: "possible" });
    await until(() => server.cancelled.length + server.answers.length > 2);
  });

  it("lets its calls end before it stops, where their answers come in time", async () => {
    const { config } = await options();
    const one = await startTestGateway({ ...config, drainMs: 600_000 });
    const two = await startTestGateway(config);
    const { state } = askedIn(await call(one.url));
    const closed = one.close();
    // By then a gateway that does not wait has ended its calls.
    await sleep(300);
    expect(textIn(await call(two.url, { state, responses: answerTo("q1") }))).toContain("Rome");
    await closed;
  });
});
