import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createRawClient, type RawClient } from "../../test/raw-client.ts";
import { misbehave, type Peer, type PeerOptions } from "./misbehave.ts";

let peer: Peer;
let client: RawClient;
afterEach(() => peer.close());

async function connect(options: PeerOptions = {}): Promise<void> {
  peer = await misbehave(options);
  client = createRawClient(peer);
  await client.initialize();
}

const charge = (amount: number, call?: object, more: object = {}) =>
  client.request("tools/call", {
    name: "charge",
    arguments: { amount },
    _meta: { ...(call && { "recourse/call": call }), ...more },
  });

describe("effects", () => {
  beforeEach(() => connect());

  test("are not counted for calls that failed or only read", async () => {
    await client.request("tools/call", { name: "charge", arguments: {} });
    await client.request("tools/call", { name: "read" });
    expect(peer.effects().total).toBe(0);
    expect(peer.calls.every(({ committed }) => !committed)).toBe(true);
  });
});

describe("a peer that honours idempotency keys", () => {
  beforeEach(() => connect({ idempotency: true }));

  test("refuses a key that was used with other arguments", async () => {
    await charge(5, { id: "a", key: "k" });
    const { result } = await charge(6, { id: "b", key: "k" });
    expect(result).toMatchObject({ isError: true, _meta: { "recourse/fault": { reason: "idempotency/key_reused" } } });
    expect(peer.effects().total).toBe(1);
  });
});

describe("a misbehaviour", () => {
  beforeEach(() => connect({ delayMs: 5 }));

  test("can be requested in _meta or in a header", async () => {
    expect(await charge(1, undefined, { "recourse/misbehave": "id-null" })).toMatchObject({ id: null });
    expect(await client.request("ping", {}, { "recourse-misbehave": "wrong-id" })).toMatchObject({ id: 987_654_321 });
  });

  test("carries the call out first if the step says so", async () => {
    peer.next([{ do: "503-bare", commit: true }, "503-bare"]);
    await charge(1);
    await charge(1);
    expect(peer.calls.slice(-2).map(({ step, committed }) => [step, committed])).toEqual([
      ["503-bare", true],
      ["503-bare", false],
    ]);
  });

  test("for another method waits for that method", async () => {
    peer.next("404-session-lost", { on: "tools/list" });
    expect((await charge(1))["result"]).toBeDefined();
    expect((await client.request("tools/list"))["error"]).toEqual({ code: -32001, message: "Session not found" });
  });

  test("that does not exist is answered with status 500", async () => {
    const response = await fetch(peer.url, {
      method: "POST",
      headers: { "content-type": "application/json", "recourse-misbehave": "lost-sock" },
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    });
    expect([response.status, await response.text()]).toEqual([
      500,
      'There is no misbehaviour "lost-sock"; did you mean "lost-socket"?',
    ]);
  });

  test("redirects a client, and the call is carried out at the new address", async () => {
    peer.next("redirect-307");
    expect((await charge(1))["result"]).toBeDefined();
    expect(peer.calls.slice(-2).map(({ step }) => step)).toEqual(["redirect-307", "ok"]);
  });
});

test("a client can go on after a bad reply to initialize", async () => {
  peer = await misbehave({ delayMs: 1 });
  client = createRawClient(peer);
  peer.next("slow-headers", { on: "initialize" });
  expect((await client.initialize())["result"]).toMatchObject({ protocolVersion: "2025-11-25" });
  expect((await charge(1))["result"]).toBeDefined();
});

test("error statuses carry the headers that real servers send", async () => {
  await connect({ now: () => Date.parse("2026-01-01T00:00:00Z") });
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

test("closing ends requests that hang, and may be repeated", async () => {
  await connect();
  peer.next("lost-silence");
  const hanging = charge(1);
  hanging.catch(() => undefined);
  await expect.poll(() => peer.effects().total, { timeout: 30_000 }).toBe(1);
  await peer.close();
  await peer.close();
  await expect(hanging).rejects.toThrow();
});
