// `subscriptions/listen` of the newer era: single resources of upstreams of both eras, with clients and servers of the official SDKs.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { eventually } from "@recourse/test-kit/eventually";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { AUDIENCE, ISSUER, signingKey, startIssuer } from "../auth/issuer.ts";
import { startTestGateway } from "../support/gateway.ts";
import { holdTime } from "../support/held-time.ts";
import { ownFetch } from "../support/own-fetch.ts";
import { ADA, BOB, bothCallers, connect } from "./support/clients.ts";
import { newerPeer, olderPeer, processPeer } from "./support/peers.ts";

/** Connects a client of the newer era. It is closed when the test has ended. */
async function connectNewer(url: URL, key = ADA, headers: Readonly<Record<string, string>> = { "x-api-key": key }) {
  const client = new Client(
    { name: "test", version: "1.0.0" },
    { versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  const updated: string[] = [];
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => void updated.push(params.uri));
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers }, fetch: ownFetch() }));
  onTestFinished(() => client.close());
  const listen = async (...uris: readonly string[]) => {
    const subscription = await client.listen({ resourceSubscriptions: [...uris] });
    return { ...subscription, agreed: subscription.honoredFilter.resourceSubscriptions ?? [] };
  };
  return { client, updated, listen };
}

describe("resources that a caller listens for", () => {
  // Time passes only while something is polled, so that no upstream is late on a slow machine.
  beforeEach(holdTime);

  it.each([
    ["newer", newerPeer],
    ["older", olderPeer],
  ] as const)("are followed at an upstream of the %s era, each for those who asked for it", async (_era, peer) => {
    const shop = await peer("shop");
    const { url } = await startTestGateway({ ...bothCallers(), upstreams: [shop.upstream] });
    const [ada, bob] = [await connectNewer(url), await connectNewer(url, BOB)];
    expect(ada.client.getServerCapabilities()).toMatchObject({ resources: { subscribe: true } });
    const stream = await ada.listen("doc://one", "doc://six");
    expect(stream.agreed).toEqual(["doc://one"]);
    expect((await bob.listen("doc://two")).agreed).toEqual(["doc://two"]);
    shop.update("doc://one");
    shop.update("doc://two");
    await expect.poll(() => [ada.updated, bob.updated]).toEqual([["doc://one"], ["doc://two"]]);
    await stream.close();
    if (_era === "older") await expect.poll(shop.followed).toEqual(["doc://two"]);
  });

  it("end for the caller that leaves, and not for another stream of the same caller", async () => {
    const shop = await olderPeer("shop");
    const { url } = await startTestGateway({ ...bothCallers(), upstreams: [shop.upstream] });
    const [first, second] = [await connectNewer(url), await connectNewer(url)];
    const stream = await first.listen("doc://one", "doc://two");
    await second.listen("doc://one");
    expect([...shop.followed()].sort()).toEqual(["doc://one", "doc://two"]);
    await stream.close();
    await expect.poll(shop.followed).toEqual(["doc://one"]);
    shop.update("doc://one");
    await expect.poll(() => second.updated).toEqual(["doc://one"]);
    expect(first.updated).toEqual([]);
  });

  it.each([
    ["older", "replica", "document-child.mjs"],
    ["older", "caller", "document-child.mjs"],
    ["newer", "replica", "newer-child.mjs"],
    ["newer", "caller", "newer-child.mjs"],
  ] as const)("are followed at a process of the %s era per %s", async (_era, per, child) => {
    const { url } = await startTestGateway({ ...bothCallers(), upstreams: [processPeer("docs", { per, child })] });
    const [ada, bob] = [await connectNewer(url), await connectNewer(url, BOB)];
    expect((await ada.listen("doc://one")).agreed).toEqual(["doc://one"]);
    expect((await bob.listen("doc://two")).agreed).toEqual(["doc://two"]);
    const update = (uri: string) => ada.client.callTool({ name: "docs__update", arguments: { uri } });
    await update("doc://one");
    await update("doc://two");
    await expect.poll(() => ada.updated).toEqual(["doc://one"]);
    // With a process of its own, a caller hears of what happens there, and of nothing else.
    await expect.poll(() => bob.updated).toEqual(per === "replica" ? ["doc://two"] : []);
  });

  it("that the upstream refuses are not named in the acknowledgement, and the others are followed", async () => {
    const shop = await olderPeer("shop", { refused: ["doc://two"] });
    const { url } = await startTestGateway({ ...bothCallers(), upstreams: [shop.upstream] });
    const ada = await connectNewer(url);
    expect((await ada.listen("doc://two", "doc://one")).agreed).toEqual(["doc://one"]);
    expect(shop.followed()).toEqual(["doc://one"]);
  });

  it("that the caller does not see are asked of no upstream", async () => {
    const shop = await olderPeer("shop");
    const { url } = await startTestGateway({ ...bothCallers(["other__*"]), upstreams: [shop.upstream] });
    const bob = await connectNewer(url, BOB);
    expect((await bob.listen("doc://one")).agreed).toEqual([]);
    expect(shop.followed()).toEqual([]);
  });

  it("count against the limits like calls, where each is asked for by itself", async () => {
    const [shop, other] = [await olderPeer("shop"), await newerPeer("other")];
    const key = { perSecond: 0.01, burst: 2 };
    const limits = { address: undefined, key, tenant: undefined, cost: undefined, tools: [], mode: "leased" } as const;
    const older = await startTestGateway({ ...bothCallers(), upstreams: [shop.upstream], limits });
    const newer = await startTestGateway({ ...bothCallers(), upstreams: [other.upstream], limits });
    const ada = await connectNewer(older.url);
    expect((await ada.listen("doc://one", "doc://two")).agreed).toHaveLength(2);
    await expect(ada.listen("doc://one")).rejects.toThrow(/limit/i);
    const bob = await connectNewer(newer.url, BOB);
    for (let count = 0; count < 3; count++) await bob.listen("doc://one", "doc://two");
  });

  it("are followed beside a session of the older era of the same caller", async () => {
    const shop = await olderPeer("shop");
    const { url } = await startTestGateway({ ...bothCallers(), upstreams: [shop.upstream] });
    const [newer, older] = [await connectNewer(url), await connect(url)];
    await newer.listen("doc://one");
    await older.client.subscribeResource({ uri: "doc://two" });
    shop.update("doc://one");
    shop.update("doc://two");
    await expect.poll(() => [newer.updated, older.updated]).toEqual([["doc://one"], ["doc://two"]]);
  });
});

it("a stream ends within a minute after the token of its caller", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const shop = await olderPeer("shop");
  const key = await signingKey("one", Date.now);
  const issuer = await startIssuer([key]);
  onTestFinished(issuer.close);
  const issued = { issuer: ISSUER, audience: AUDIENCE, jwksUrl: issuer.url };
  const claims = { tenantClaim: "org", entitlementsClaim: "plan", tools: ["*"], dialect: undefined };
  const { url } = await startTestGateway({
    authentication: "required",
    keyCacheMs: 1,
    jwt: { ...issued, ...claims },
    upstreams: [shop.upstream],
  });
  const streamOf = async (seconds: number) => {
    const token = await key.sign({ sub: `for ${seconds}`, exp: Math.floor(Date.now() / 1_000) + seconds });
    const { listen, updated } = await connectNewer(url, "", { authorization: `Bearer ${token}` });
    const { closed } = await listen("doc://one");
    return { closed, updated };
  };
  const [short, long] = [await streamOf(30), await streamOf(600)];
  await eventually(() => expect(shop.followed()).toHaveLength(2));
  vi.advanceTimersByTime(60_000);
  await eventually(() => expect(shop.followed()).toHaveLength(1));
  expect(await short.closed).toBe("graceful");
  shop.update("doc://one");
  await expect.poll(() => long.updated).toEqual(["doc://one"]);
  expect(short.updated).toEqual([]);
});
