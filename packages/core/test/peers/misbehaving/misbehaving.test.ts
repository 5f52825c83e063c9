import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { ERAS } from "@recourse/test-kit/sdk-pairs";
import { misbehave, type Peer } from "@recourse/testing/peer";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connectSdkClient, type SdkClient } from "./sdk-clients.ts";

describe.each(ERAS)("a client of %s", (era) => {
  let peer: Peer;
  let client: SdkClient;
  beforeEach(async () => {
    peer = await misbehave({ idempotency: true });
    client = await connectSdkClient(era, peer.url);
  });
  afterEach(async () => {
    await client.close();
    await peer.close();
  });

  test("may repeat a call with a lost answer under its key", async () => {
    const meta = { "recourse/call": { id: "c", attempt: 1, key: "order-7" } };
    peer.next(["lost-502", "ok"]);
    await expect(client.call("charge", { amount: 3 }, { meta })).rejects.toThrow();
    expect(await client.call("charge", { amount: 3 }, { meta })).toMatchObject({ content: [{ text: "Charged 3." }] });
    expect(peer.effects()).toEqual({ total: 1, calls: { c: 1 }, keys: { "order-7": 1 } });
  });

  test("fails when its session is lost", async () => {
    peer.next("404-session-lost", { on: "tools/list" });
    await expect(client.listTools()).rejects.toMatchObject({ message: expect.stringContaining("Session not found") });
    expect((await client.listTools()).tools).toHaveLength(5);
  });
});

test.each([
  ["429-bare", ["server/discover", "initialize"]],
  ["404-html", ["server/discover", "initialize"]],
  ["ok", ["server/discover"]],
] as const)("after %s a client that negotiates the newest revision sends %j", async (step, methods) => {
  await using peer = await misbehave();
  const client = new Client({ name: "c", version: "1" }, { versionNegotiation: { mode: "auto" } });
  peer.next(step, { on: "server/discover" });
  await client.connect(new StreamableHTTPClientTransport(peer.url));
  expect(peer.calls.filter(({ id }) => id !== undefined).map(({ method }) => method)).toEqual(methods);
  await client.close();
});
