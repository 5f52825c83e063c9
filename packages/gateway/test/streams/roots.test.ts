// A caller of the older era says that its roots have changed.
import { expect, it } from "vitest";
import { startTestGateway } from "../support/gateway.ts";
import { holdTime } from "../support/held-time.ts";
import { BOB, bothCallers, connect } from "./support/clients.ts";
import { newerPeer, olderPeer } from "./support/peers.ts";

it("is told to the upstreams at which its session is open, and opens none", async () => {
  // No upstream is late on a slow machine.
  holdTime();
  const [shop, idle, newer] = [await olderPeer("shop"), await olderPeer("idle"), await newerPeer("newer")];
  const upstreams = [shop.upstream, idle.upstream, newer.upstream];
  const { url } = await startTestGateway({ ...bothCallers(), upstreams });
  const ada = await connect(url);
  const bob = await connect(url, { key: BOB, capabilities: {} });
  for (const { client } of [ada, bob]) await client.callTool({ name: "shop__look", arguments: {} });
  const sessions = idle.sessions();
  await ada.client.sendRootsListChanged();
  await expect.poll(shop.rootsChanged).toBe(1);
  // Who has declared no roots has none that could change.
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-session-id": bob.transport.sessionId ?? "",
    "mcp-protocol-version": "2025-11-25",
    "x-api-key": BOB,
  };
  const body = JSON.stringify({ jsonrpc: "2.0", method: "notifications/roots/list_changed" });
  expect((await fetch(url, { method: "POST", headers, body })).status).toBe(202);
  await ada.client.sendRootsListChanged();
  await expect.poll(shop.rootsChanged).toBe(2);
  expect([idle.rootsChanged(), idle.sessions()]).toEqual([0, sessions]);
});
