import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createProbe, type Probe } from "./causes/probe.ts";
import { misbehave, type Peer, type PeerOptions } from "./misbehave.ts";

let peer: Peer;
let probe: Probe;
afterEach(() => peer.close());

async function begin(options: PeerOptions = {}): Promise<void> {
  peer = await misbehave(options);
  probe = createProbe(peer);
  await probe.hello();
}

const charge = (amount: number, call?: object, more: object = {}) =>
  probe.ask("tools/call", {
    name: "charge",
    arguments: { amount },
    _meta: { ...(call && { "recourse/call": call }), ...more },
  });

describe("the book of effects", () => {
  beforeEach(() => begin());

  test("counts by call and by key, and tells which message did it", async () => {
    await charge(1, { id: "c1", attempt: 1, key: "k" });
    await charge(1, { id: "c1", attempt: 2, key: "k" });
    await probe.ask("tools/call", { name: "charge", arguments: { amount: 1, order: "o-7" } });
    expect(peer.effects()).toEqual({ total: 3, calls: { c1: 2, "o-7": 1 }, keys: { k: 2 } });
    expect(peer.calls.filter(({ tool }) => tool === "charge")).toMatchObject([
      { call: "c1", attempt: 1, key: "k", did: "ok", committed: true },
      { call: "c1", attempt: 2, key: "k", did: "ok", committed: true },
      { call: "o-7", committed: true },
    ]);
  });

  test("has no entry for what was refused or only read", async () => {
    await probe.ask("tools/call", { name: "charge", arguments: {} });
    await probe.ask("tools/call", { name: "read" });
    expect(peer.effects().total).toBe(0);
    expect(peer.calls.every(({ committed }) => !committed)).toBe(true);
  });
});

describe("a peer that honours keys", () => {
  beforeEach(() => begin({ keys: true }));

  test("gives the stored outcome, and applies it once", async () => {
    peer.next("lost-socket");
    await expect(charge(5, { id: "a", attempt: 1, key: "k" })).rejects.toThrow();
    const second = await charge(5, { id: "a", attempt: 2, key: "k" });
    expect(second["result"]).toEqual({ content: [{ type: "text", text: "Charged 5." }] });
    expect(peer.effects()).toEqual({ total: 1, calls: { a: 1 }, keys: { k: 1 } });
    expect(peer.calls.slice(-2).map(({ committed }) => committed)).toEqual([true, false]);
  });

  test("refuses a key that stands for other arguments", async () => {
    await charge(5, { id: "a", key: "k" });
    const { result } = await charge(6, { id: "b", key: "k" });
    expect(result).toMatchObject({ isError: true, _meta: { "recourse/fault": { reason: "idempotency/key_reused" } } });
    expect(peer.effects().total).toBe(1);
  });
});

describe("a misbehaviour", () => {
  beforeEach(() => begin({ ms: 5 }));

  test("is chosen by the request itself, in _meta or in a header", async () => {
    expect(await charge(1, undefined, { "recourse/misbehave": "id-null" })).toMatchObject({ id: null });
    expect(await probe.ask("ping", {}, { "recourse-misbehave": "wrong-id" })).toMatchObject({ id: 987_654_321 });
  });

  test("carries the call out first when it is told to", async () => {
    peer.next([{ do: "503-bare", commit: true }, "503-bare"]);
    await charge(1);
    await charge(1);
    expect(peer.calls.slice(-2).map(({ did, committed }) => [did, committed])).toEqual([
      ["503-bare", true],
      ["503-bare", false],
    ]);
  });

  test("of another method waits for it", async () => {
    peer.next("404-session-lost", { on: "tools/list" });
    expect((await charge(1))["result"]).toBeDefined();
    expect((await probe.ask("tools/list"))["error"]).toEqual({ code: -32001, message: "Session not found" });
  });

  test("that does not exist is told", async () => {
    const response = await fetch(peer.url, {
      method: "POST",
      headers: { "content-type": "application/json", "recourse-misbehave": "lost-sock" },
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    });
    expect([response.status, await response.text()]).toEqual([500, 'TypeError: there is no misbehaviour "lost-sock"']);
  });

  test("sends a client on, and the call is carried out there", async () => {
    peer.next("redirect-307");
    expect((await charge(1))["result"]).toBeDefined();
    expect(peer.calls.slice(-2).map(({ did }) => did)).toEqual(["redirect-307", "ok"]);
  });
});

test("a client that was greeted badly can go on", async () => {
  peer = await misbehave({ ms: 1 });
  probe = createProbe(peer);
  peer.next("slow-headers", { on: "initialize" });
  expect((await probe.hello())["result"]).toMatchObject({ protocolVersion: "2025-11-25" });
  expect((await charge(1))["result"]).toBeDefined();
});

test("headers of refusals are those of the wild", async () => {
  await begin({ now: () => Date.parse("2026-01-01T00:00:00Z") });
  const headersOf = async (name: string) => {
    const response = await fetch(peer.url, {
      method: "POST",
      headers: { "content-type": "application/json", "recourse-misbehave": name },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/call"}',
    });
    return [response.status, Object.fromEntries(response.headers)];
  };
  expect(await headersOf("401-challenge")).toMatchObject([
    401,
    { "www-authenticate": expect.stringMatching(/^Bearer error="invalid_token"/) },
  ]);
  expect(await headersOf("429-seconds")).toMatchObject([429, { "retry-after": "2" }]);
  expect(await headersOf("429-date")).toMatchObject([429, { "retry-after": "Thu, 01 Jan 2026 00:00:03 GMT" }]);
  expect(await headersOf("429-ratelimit")).toMatchObject([429, { ratelimit: '"default";r=0;t=5' }]);
  expect(await headersOf("503-problem")).toMatchObject([503, { "content-type": "application/problem+json" }]);
});

test("closing ends what hangs, and can be done twice", async () => {
  await begin();
  peer.next("lost-silence");
  const hanging = charge(1);
  hanging.catch(() => undefined);
  await expect.poll(() => peer.effects().total, { timeout: 30_000 }).toBe(1);
  await peer.close();
  await peer.close();
  await expect(hanging).rejects.toThrow();
});
