import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { bringAbout, CAUSES, misbehave } from "@recourse/faults/testing/peer";
import { afterAll, expect, test } from "vitest";
import { stubborn } from "./misbehaving.ts";

const peer = await misbehave({ keys: true });
const client = new Client({ name: "test", version: "1.0.0" });
await client.connect(new StreamableHTTPClientTransport(peer.url));

afterAll(async () => {
  await client.close();
  await peer.close();
});

test("a call that is simply repeated may happen twice", async () => {
  peer.next("lost-socket");
  await stubborn(client, "charge", { amount: 5 }, { id: "first" });
  expect(peer.effects().calls).toEqual({ first: 2 });
});

test("under a key it happens once", async () => {
  peer.next("lost-502");
  await stubborn(client, "charge", { amount: 5 }, { id: "second", key: "order-7" });
  expect(peer.effects().keys).toEqual({ "order-7": 1 });
});

test("a failure that has a cause", async () => {
  const expired = CAUSES.find(({ reason }) => reason === "pagination/cursor_expired");
  if (expired === undefined) throw new Error("unknown");
  await using other = await misbehave({ dialect: "erlmcp", limits: expired.limits ?? {} });
  expect(await bringAbout(expired, other)).toMatchObject({ error: { code: -32072, data: { ttl_seconds: 300 } } });
});
