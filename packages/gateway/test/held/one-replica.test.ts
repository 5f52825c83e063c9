// Callers of the newer era behind servers of the older one: what the server asks in the middle of a call is asked by an answer.
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { keyed, OTHER } from "../idempotency/support/replicas.ts";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { pass } from "../support/held-time.ts";
import { type SdkVersion, startAsker } from "./asking-server.ts";
import {
  askedIn,
  call,
  countEnded,
  faultOf,
  holdAskingTime,
  notificationsIn,
  ROME,
  responseIn,
  textIn,
  until,
} from "./support.ts";

type Changes = Parameters<typeof keyed>[0];

beforeEach(holdAskingTime);

async function world(version: SdkVersion = "v1", changes: Changes = {}, upstream: object = {}) {
  const server = await startAsker(version);
  onTestFinished(() => server.close());
  const upstreams = [httpUpstream(server.url, { era: "2025-11-25", ...upstream })];
  const { observer, ended } = countEnded();
  const { url } = await startTestGateway(keyed({ upstreams, ...changes }), { observer });
  return { server, ended, url };
}

const answerTo = (key: string, answer = ROME) => `{"${key}":${answer}}`;

describe.each(["v1", "v2"] as const)("a server of the official SDK %s that asks", (version) => {
  it("is answered by the next call, which gets the result", async () => {
    const { server, url } = await world(version);
    const first = await call(url, { id: 41 });
    expect(first.status).toBe(200);
    const { state, requests } = askedIn(first);
    expect(responseIn(first).id).toBe(41);
    expect(Object.values(requests)).toMatchObject([
      { method: "elicitation/create", params: { message: "up: Question 1?", _meta: { "recourse/upstream": "up" } } },
    ]);
    const [key = ""] = Object.keys(requests);
    const done = await call(url, { id: 42, state, responses: answerTo(key) });
    expect(responseIn(done)).toMatchObject({ id: 42, result: { resultType: "complete" } });
    expect(textIn(done)).toContain('"city":"Rome"');
    expect(server.answers).toHaveLength(1);
  });

  it("asks five times, one after the other", async () => {
    const { server, url } = await world(version);
    const args = '{"times":5}';
    let answer = await call(url, { args });
    for (let at = 1; at <= 5; at++) {
      const { state, requests } = askedIn(answer);
      expect(Object.values(requests)).toMatchObject([{ params: { message: `up: Question ${at}?` } }]);
      const [key = ""] = Object.keys(requests);
      answer = await call(url, {
        args,
        state,
        responses: answerTo(key, `{"action":"accept","content":{"city":"${at}"}}`),
      });
    }
    expect(textIn(answer).match(/"city":"(\d)"/g)).toHaveLength(5);
    expect(server.answers).toHaveLength(5);
  });

  it("asks for a form, a sample and roots at once", async () => {
    const { url } = await world(version);
    const { state, requests } = askedIn(await call(url, { tool: "together" }));
    const byMethod = Object.fromEntries(Object.entries(requests).map(([key, { method }]) => [method, key]));
    expect(Object.keys(byMethod).toSorted()).toEqual(["elicitation/create", "roots/list", "sampling/createMessage"]);
    const responses = JSON.stringify({
      [byMethod["elicitation/create"] ?? ""]: { action: "decline" },
      [byMethod["sampling/createMessage"] ?? ""]: {
        role: "assistant",
        content: { type: "text", text: "blue" },
        model: "m",
      },
      [byMethod["roots/list"] ?? ""]: { roots: [{ uri: "file:///tmp" }] },
    });
    const said = textIn(await call(url, { tool: "together", state, responses }));
    expect(said).toContain('"action":"decline"');
    expect(said).toContain('"text":"blue"');
    expect(said).toContain('"uri":"file:///tmp"');
  });
});

describe("the next call", () => {
  it("is asked again for what it left out, and may bring what nobody asked", async () => {
    const { server, url } = await world();
    const { state, requests } = askedIn(await call(url, { tool: "together" }));
    const [one = "", ...rest] = Object.keys(requests);
    const again = askedIn(await call(url, { tool: "together", state, responses: `{"${one}":${ROME},"more":{}}` }));
    expect(Object.keys(again.requests).toSorted()).toEqual(rest.toSorted());
    await until(() => server.answers.length === 1);
    const nothing = askedIn(await call(url, { tool: "together", state }));
    expect(Object.keys(nothing.requests).toSorted()).toEqual(rest.toSorted());
    expect(server.answers).toHaveLength(1);
  });

  it("is refused where an answer is no object, and may come again", async () => {
    const { server, url } = await world();
    const { state } = askedIn(await call(url));
    const refused = faultOf(await call(url, { state, responses: answerTo("q1", '"Rome"') }));
    expect(refused).toMatchObject({
      reason: "protocol/request_state_invalid",
      effect: "none",
      issues: [{ pointer: "/inputResponses/q1" }],
    });
    expect(server.answers).toEqual([]);
    expect(textIn(await call(url, { state, responses: answerTo("q1") }))).toContain("Rome");
  });

  it("is of the same caller, with the same params", async () => {
    const { server, url } = await world();
    const { state } = askedIn(await call(url, { tool: "pay", args: '{"to":"ACME"}' }));
    const right = { tool: "pay", args: '{"to":"ACME"}', state, responses: answerTo("q1") };
    for (const changes of [
      { credential: OTHER },
      { args: '{"to":"MALLORY"}' },
      { tool: "ask" },
      { key: "k" },
      { state: `${state}x` },
      { state: state.replace(/^h1\.\d+/, "h1.99999999999") },
    ]) {
      const refused = faultOf(await call(url, { ...right, ...changes }));
      expect(refused, JSON.stringify(changes)).toMatchObject({
        reason: "protocol/request_state_invalid",
        effect: "none",
      });
    }
    expect([server.answers, server.paid]).toEqual([[], ["ACME"]]);
    expect(textIn(await call(url, right))).toContain("paid ACME");
    expect(server.paid).toEqual(["ACME"]);
  });

  it("cannot come twice at once, nor again after the end", async () => {
    const { server, url } = await world();
    const { state } = askedIn(await call(url, { tool: "slow" }));
    const leg = { tool: "slow", state, responses: answerTo("q1") };
    const one = call(url, leg);
    await until(() => server.slow.length === 1);
    expect(faultOf(await call(url, leg))).toMatchObject({ kind: "conflict", effect: "none", retry: { allowed: true } });
    server.slow[0]?.();
    expect(textIn(await one)).toBe("slow and done");
    expect(server.answers).toHaveLength(1);
    expect(faultOf(await call(url, leg))).toMatchObject({
      reason: "protocol/request_state_invalid",
      effect: "possible",
      recourse: [{ do: "refresh" }],
    });
  });

  it("gets the failure of the tool, as one incident", async () => {
    const incidents: unknown[] = [];
    const server = await startAsker("v1");
    onTestFinished(() => server.close());
    const upstreams = [httpUpstream(server.url, { era: "2025-11-25" })];
    const sink = (incident: unknown) => void incidents.push(incident);
    const { url } = await startTestGateway(keyed({ upstreams }), { sink });
    const { state } = askedIn(await call(url, { tool: "fail" }));
    const failed = await call(url, { tool: "fail", state, responses: answerTo("q1"), id: 77 });
    expect(responseIn(failed)).toMatchObject({ id: 77, result: { isError: true, resultType: "complete" } });
    const { incident } = faultOf(failed);
    expect(incidents.map((one) => (one as { fault: { incident: string } }).fault.incident)).toEqual(
      incident === undefined ? [] : [incident],
    );
  });

  it("gets progress by its own token", async () => {
    const { url } = await world();
    const first = await call(url, { tool: "report", progressToken: "one" });
    expect(notificationsIn(first).map(({ params }) => params)).toMatchObject([{ progressToken: "one", progress: 1 }]);
    const { state } = askedIn(first);
    const done = await call(url, { tool: "report", progressToken: "two", state, responses: answerTo("q1") });
    expect(notificationsIn(done).map(({ params }) => params)).toMatchObject([{ progressToken: "two", progress: 2 }]);
    expect(textIn(done)).toContain("token");
  });

  it("is asked only what it declares itself", async () => {
    const { server, url } = await world();
    const args = '{"times":2}';
    const { state } = askedIn(await call(url, { args }));
    const done = await call(url, { args, state, responses: answerTo("q1"), capabilities: {} });
    expect(textIn(done)).toMatch(/Rome.*failed/);
    expect(server.answers).toHaveLength(2);
  });
});

it("the reading of a resource asks too", async () => {
  const { url } = await world();
  const uri = "ask://file";
  const { state, requests } = askedIn(await call(url, { uri }));
  expect(requests).toMatchObject({ q1: { params: { message: "up: Which file?" } } });
  const done = await call(url, { uri, state, responses: answerTo("q1") });
  expect(responseIn(done)).toMatchObject({ result: { contents: [{ uri, text: expect.stringContaining("Rome") }] } });
  // To read changes nothing, so it may simply be read again.
  expect(faultOf(await call(url, { uri, state }))).toMatchObject({ effect: "none", recourse: [{ do: "refresh" }] });
});

describe("a caller that cannot be asked", () => {
  it("is not, and the server is told so", async () => {
    const { server, url } = await world();
    const done = await call(url, { capabilities: {} });
    expect(textIn(done)).toContain("failed");
    expect(server.answers).toHaveLength(1);
  });
});

describe("a caller that does not come back", () => {
  it("is waited for, and then the call ends; one that comes late is told so", async () => {
    const { server, ended, url } = await world("v1", { questions: { waitMs: 300 } });
    const { state } = askedIn(await call(url));
    await pass(299);
    expect(server.answers).toEqual([]);
    await pass(1);
    await until(() => ended() === 1);
    expect(server.answers).toEqual([expect.stringContaining("failed")]);
    expect(faultOf(await call(url, { state, responses: answerTo("q1") }))).toMatchObject({
      reason: "protocol/request_state_invalid",
    });
  });

  it("does not use up the time of the call while it thinks", async () => {
    const { url } = await world("v1", {}, { timeoutMs: 1_000 });
    const { state } = askedIn(await call(url));
    await pass(60_000);
    expect(textIn(await call(url, { state, responses: answerTo("q1") }))).toContain("Rome");
  });

  it("ends the call where it leaves while it waits for the answer", async () => {
    const { server, ended, url } = await world();
    const { state } = askedIn(await call(url, { tool: "slow" }));
    const left = new AbortController();
    const leg = call(url, { tool: "slow", state, responses: answerTo("q1"), signal: left.signal });
    await until(() => server.slow.length === 1);
    left.abort();
    await expect(leg).rejects.toThrow();
    await until(() => server.cancelled.length === 1 && ended() === 2);
    expect(faultOf(await call(url, { tool: "slow", state }))).toMatchObject({
      reason: "protocol/request_state_invalid",
      effect: "possible",
    });
  });

  it("gets a time-out where its next call has less time than the server takes", async () => {
    const { server, url } = await world();
    const { state } = askedIn(await call(url, { tool: "slow" }));
    const late = call(url, { tool: "slow", state, responses: answerTo("q1"), deadlineMs: 400 });
    await until(() => server.slow.length === 1);
    await pass(400);
    expect(faultOf(await late)).toMatchObject({ kind: "timeout", effect: "possible", origin: { layer: "gateway" } });
    await until(() => server.cancelled.length === 1);
  });
});

describe("a call with a key", () => {
  it("runs once, keeps its key over all rounds, and its outcome is stored", async () => {
    const { server, url } = await world();
    const key = "order 1";
    const pay = { tool: "pay", args: '{"to":"ACME"}', key };
    const { state } = askedIn(await call(url, pay));
    expect(faultOf(await call(url, pay))).toMatchObject({ reason: "idempotency/in_progress" });
    expect(textIn(await call(url, { ...pay, state, responses: answerTo("q1") }))).toContain("Rome");
    await until(() => server.answers.length === 1);
    expect(textIn(await call(url, pay))).toContain("Rome");
    expect(server.paid).toEqual(["ACME"]);
  });

  it("goes on where its caller leaves, and its outcome is there for the key", async () => {
    const { server, ended, url } = await world();
    const slow = { tool: "slow", key: "order 2" };
    const { state } = askedIn(await call(url, slow));
    const left = new AbortController();
    const leg = call(url, { ...slow, state, responses: answerTo("q1"), signal: left.signal });
    await until(() => server.slow.length === 1);
    left.abort();
    await expect(leg).rejects.toThrow();
    // The gateway has noticed it.
    await until(() => ended() === 1);
    server.slow[0]?.();
    await until(() => ended() === 2);
    expect(server.cancelled).toEqual([]);
    expect(textIn(await call(url, slow))).toBe("slow and done");
    expect(server.answers).toHaveLength(1);
  });
});
