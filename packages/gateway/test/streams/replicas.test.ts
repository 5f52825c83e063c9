// Sessions of callers at two replicas: a stream is open at the replica that was asked for it.
import { eventually } from "@recourse/test-kit/eventually";
import { createTestDatabase } from "@recourse/test-kit/postgres";
import { createRedisServer } from "@recourse/test-kit/redis";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { GatewayConfig } from "../../src/config/types.ts";
import { startTestGateway } from "../support/gateway.ts";
import { holdTime, passUntil } from "../support/held-time.ts";
import { unsynced } from "../support/unsynced.ts";
import { ADA, bothCallers, connect } from "./support/clients.ts";
import { olderPeer } from "./support/peers.ts";

let store: GatewayConfig["store"];
let closeEngines: () => Promise<void>;

beforeAll(async () => {
  const redis = await createRedisServer({ durable: false });
  const database = await createTestDatabase();
  store = { mode: "shared", redis: [redis.url], cluster: false, postgres: unsynced(database.url) };
  closeEngines = async () => {
    await redis.close();
    await database.drop();
  };
});
afterAll(() => closeEngines());

const headersFor = (session: string | undefined) => ({
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  "mcp-session-id": session ?? "",
  "mcp-protocol-version": "2025-11-25",
  "x-api-key": ADA,
});

async function request(url: URL, session: string | undefined, method: string, uri: string) {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { uri } });
  const answer = await fetch(url, { method: "POST", headers: headersFor(session), body });
  return (await answer.json()) as { readonly result?: object; readonly error?: { readonly message: string } };
}

it("a subscription at another replica is refused with the reason, at the same one it works, and the end of the session ends all", async () => {
  holdTime();
  const shop = await olderPeer("shop");
  const config = { ...bothCallers(), upstreams: [shop.upstream], store };
  const [one, two] = [await startTestGateway(config), await startTestGateway(config)];
  const ada = await connect(one.url);
  await eventually(() => expect(ada.streams()).toBe(1));
  const { sessionId } = ada.transport;
  for (const method of ["resources/subscribe", "resources/unsubscribe"]) {
    expect(await passUntil(request(two.url, sessionId, method, "doc://one"))).toMatchObject({
      error: { message: expect.stringMatching(/open the stream of the session first, at the same replica/) },
    });
  }
  expect(await request(one.url, sessionId, "resources/subscribe", "doc://one")).toMatchObject({ result: {} });
  shop.update("doc://one");
  await eventually(() => expect(ada.updated).toEqual(["doc://one"]));
  const ended = await fetch(two.url, { method: "DELETE", headers: headersFor(sessionId) });
  expect(ended.ok).toBe(true);
  await ended.body?.cancel();
  await eventually(() => expect(shop.followed()).toEqual([]));
  const again = await fetch(one.url, { headers: { ...headersFor(sessionId), accept: "text/event-stream" } });
  expect(again.status).toBe(404);
  await again.body?.cancel();
});
