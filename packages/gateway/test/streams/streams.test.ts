// The stream of a session of the older era: what comes on it, to whom, and when it ends.
import { eventually } from "@recourse/test-kit/eventually";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { testConfig } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { holdTime, passUntil } from "../support/held-time.ts";
import { ownFetch } from "../support/own-fetch.ts";
import { ADA, BOB, bothCallers, connect } from "./support/clients.ts";
import { newerPeer, olderPeer, processPeer } from "./support/peers.ts";

const TOOLS_CHANGED = "notifications/tools/list_changed";

// Time passes only while something is polled, so that no upstream is late on a slow machine.
beforeEach(holdTime);

describe("the stream of a session", () => {
  it("is opened by the official client, and announced", async () => {
    const { upstream } = await newerPeer();
    const { url } = await startTestGateway({ ...bothCallers(), upstreams: [upstream] });
    const ada = await connect(url);
    await expect.poll(ada.streams).toBe(1);
    expect(ada.client.getServerCapabilities()).toMatchObject({
      tools: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
    });
  });

  it.each([
    ["newer", newerPeer],
    ["older", olderPeer],
  ] as const)("tells of changed lists of an upstream of the %s era, only those who see them", async (_era, peer) => {
    const shop = await peer("shop");
    const { url } = await startTestGateway({ ...bothCallers(["other__*"]), upstreams: [shop.upstream] });
    const ada = await connect(url);
    const bob = await connect(url, { key: BOB });
    await expect.poll(() => ada.streams() + bob.streams()).toBe(2);
    await ada.client.listTools();
    const told = eventually(() => {
      shop.addTool(`tool${Math.random()}`.replace(".", ""));
      expect(ada.changed).toContain(TOOLS_CHANGED);
    });
    await passUntil(told);
    expect(bob.changed).toEqual([]);
  });
});

describe("resources/subscribe", () => {
  it.each([
    ["newer", newerPeer],
    ["older", olderPeer],
  ] as const)("follows a resource of an upstream of the %s era until it is unsubscribed", async (_era, peer) => {
    const shop = await peer("shop");
    const { url } = await startTestGateway({ ...bothCallers(), upstreams: [shop.upstream] });
    const ada = await connect(url);
    const bob = await connect(url, { key: BOB });
    await ada.client.subscribeResource({ uri: "doc://one" });
    await bob.client.subscribeResource({ uri: "doc://two" });
    shop.update("doc://one");
    shop.update("doc://two");
    await expect.poll(() => ada.updated).toEqual(["doc://one"]);
    await expect.poll(() => bob.updated).toEqual(["doc://two"]);
    await ada.client.unsubscribeResource({ uri: "doc://one" });
    await bob.client.subscribeResource({ uri: "doc://one" });
    await expect
      .poll(() => {
        shop.update("doc://one");
        return bob.updated;
      })
      .toContain("doc://one");
    expect(ada.updated).toEqual(["doc://one"]);
  });

  it.each(["replica", "caller"] as const)("follows a resource of a process per %s", async (per) => {
    const upstream = processPeer("docs", { per });
    const { url } = await startTestGateway({ ...bothCallers(), upstreams: [upstream] });
    const [ada, bob] = [await connect(url), await connect(url, { key: BOB })];
    const followed = async ({ client } = ada) => {
      const { content } = await client.callTool({ name: "docs__followed", arguments: {} });
      return JSON.parse((content as { text: string }[])[0]?.text ?? "") as unknown;
    };
    const update = (uri: string, { client } = ada) => client.callTool({ name: "docs__update", arguments: { uri } });
    await ada.client.subscribeResource({ uri: "doc://one" });
    if (per === "replica") {
      await bob.client.subscribeResource({ uri: "doc://one" });
    }
    await update("doc://one");
    await expect.poll(() => ada.updated).toEqual(["doc://one"]);
    if (per === "caller") {
      await update("doc://one", bob);
      expect(await followed(bob)).toEqual([]);
      expect(bob.updated).toEqual([]);
    } else {
      await expect.poll(() => bob.updated).toEqual(["doc://one"]);
      await bob.client.unsubscribeResource({ uri: "doc://one" });
      expect(await followed()).toEqual(["doc://one"]);
    }
    await ada.client.unsubscribeResource({ uri: "doc://one" });
    await expect.poll(() => followed()).toEqual([]);
  });

  it("misses nothing from its answer on, also for a client that cannot be asked anything", async () => {
    const shop = await olderPeer("shop");
    const { url } = await startTestGateway({ ...bothCallers(), upstreams: [shop.upstream] });
    for (let count = 0; count < 5; count++) {
      const ada = await connect(url, { capabilities: {} });
      await ada.client.subscribeResource({ uri: "doc://one" });
      shop.update("doc://one");
      await expect.poll(() => ada.updated).toEqual(["doc://one"]);
    }
  });

  it("follows a resource of a process of the newer era, for those who asked for it", async () => {
    const upstream = processPeer("docs", { child: "newer-child.mjs" });
    const { url } = await startTestGateway({ ...bothCallers(), upstreams: [upstream] });
    const [ada, bob] = [await connect(url), await connect(url, { key: BOB })];
    const update = (uri: string) => ada.client.callTool({ name: "docs__update", arguments: { uri } });
    // No time passes: the upstream agrees.
    await ada.client.subscribeResource({ uri: "doc://one" });
    await bob.client.subscribeResource({ uri: "doc://two" });
    await update("doc://one");
    await update("doc://two");
    await expect.poll(() => ada.updated).toEqual(["doc://one"]);
    await expect.poll(() => bob.updated).toEqual(["doc://two"]);
    await ada.client.unsubscribeResource({ uri: "doc://one" });
    await expect
      .poll(async () => {
        await update("doc://one");
        await update("doc://two");
        return bob.updated.length;
      })
      .toBeGreaterThan(1);
    expect(ada.updated).toEqual(["doc://one"]);
  });

  it("is refused without a stream, and says why", async () => {
    const { upstream } = await newerPeer();
    const { url } = await startTestGateway({ ...bothCallers(), upstreams: [upstream] });
    const ada = await connect(url, { opensStream: false });
    const subscribed = ada.client.subscribeResource({ uri: "doc://one" });
    await expect(passUntil(subscribed)).rejects.toThrow(/open the stream of the session/);
  });

  it("survives an upstream that goes away: what may have changed meanwhile is told", async () => {
    const shop = await newerPeer("shop");
    const { url } = await startTestGateway({ ...bothCallers(), upstreams: [shop.upstream] });
    const ada = await connect(url);
    await ada.client.subscribeResource({ uri: "doc://one" });
    await shop.restart();
    await passUntil(eventually(() => expect(ada.updated).toEqual(["doc://one"])));
    shop.update("doc://one");
    await expect.poll(() => ada.updated.length).toBe(2);
  });

  it("counts against the limits like a call, since it is passed on", async () => {
    const shop = await newerPeer("shop");
    const limits = { address: undefined, key: { perSecond: 0.01, burst: 2 }, tenant: undefined, cost: undefined };
    const { url } = await startTestGateway({
      ...bothCallers(),
      upstreams: [shop.upstream],
      limits: { ...limits, tools: [], mode: "leased" },
    });
    const { client } = await connect(url);
    await client.subscribeResource({ uri: "doc://one" });
    await client.unsubscribeResource({ uri: "doc://one" });
    await expect(client.subscribeResource({ uri: "doc://one" })).rejects.toThrow(/limit/i);
  });

  it("of one session tells nothing to another session of the same caller", async () => {
    const shop = await olderPeer("shop");
    const { url } = await startTestGateway({ ...bothCallers(), upstreams: [shop.upstream] });
    const [first, second] = [await connect(url), await connect(url)];
    await first.client.subscribeResource({ uri: "doc://one" });
    await second.client.subscribeResource({ uri: "doc://two" });
    shop.update("doc://one");
    shop.update("doc://two");
    await expect.poll(() => [first.updated, second.updated]).toEqual([["doc://one"], ["doc://two"]]);
  });

  it("of a resource that the caller does not see is that of one that does not exist", async () => {
    const { upstream } = await newerPeer("shop");
    const { url } = await startTestGateway({ ...bothCallers(["other__*"]), upstreams: [upstream] });
    const bob = await connect(url, { key: BOB });
    const refusal = async (uri: string) =>
      bob.client.subscribeResource({ uri }).then(
        () => "followed",
        (error: Error) => error.message.replaceAll(uri, "URI"),
      );
    expect(await refusal("doc://one")).toBe(await refusal("doc://six"));
    expect(await refusal("doc://one")).toMatch(/No such resource/);
  });
});

describe("the end of a stream", () => {
  it("comes with the end of the session, and its subscriptions end", async () => {
    const shop = await olderPeer("shop");
    const { url } = await startTestGateway({ ...bothCallers(), upstreams: [shop.upstream] });
    const ada = await connect(url);
    await ada.client.subscribeResource({ uri: "doc://one" });
    expect(shop.followed()).toEqual(["doc://one"]);
    const { sessionId } = ada.transport;
    const stream = await openStream(url, sessionId);
    await ada.transport.terminateSession();
    expect(await stream.ended).toBe("ended");
    await expect.poll(shop.followed).toEqual([]);
    const again = await fetch(url, { headers: streamHeaders(sessionId) });
    expect(again.status).toBe(404);
    await again.body?.cancel();
  });

  it("that comes by a broken connection costs nothing that was followed: the client comes back, and is told what it missed", async () => {
    const shop = await olderPeer("shop");
    const { url } = await startTestGateway({ ...bothCallers(), upstreams: [shop.upstream] });
    const ada = await connect(url);
    await ada.client.subscribeResource({ uri: "doc://one" });
    await expect.poll(ada.streams).toBe(1);
    ada.breakStreams();
    shop.update("doc://one");
    await expect.poll(ada.streams).toBe(2);
    await expect.poll(() => ada.updated).toContain("doc://one");
    expect(shop.followed()).toEqual(["doc://one"]);
    const before = ada.updated.length;
    shop.update("doc://one");
    await expect.poll(() => ada.updated.length).toBeGreaterThan(before);
  });

  it("comes at once when the gateway stops", async () => {
    const { upstream } = await newerPeer();
    const gateway = await startTestGateway({ ...bothCallers(), upstreams: [upstream], drainMs: 600_000 });
    const ada = await connect(gateway.url);
    const stream = await openStream(gateway.url, ada.transport.sessionId);
    await expect.poll(ada.streams).toBe(1);
    await gateway.close();
    expect(await stream.ended).toBe("ended");
  });

  it("comes with a new configuration, and what was followed is taken up by the next one", async () => {
    const shop = await newerPeer("shop");
    const config = { ...bothCallers(), upstreams: [shop.upstream] };
    const gateway = await startTestGateway(config);
    const ada = await connect(gateway.url);
    await ada.client.subscribeResource({ uri: "doc://one" });
    await gateway.reload(testConfig({ drainMs: 0, ...config, deadlineMs: 50_000 }));
    await expect.poll(ada.streams).toBe(2);
    // It may have changed meanwhile.
    await expect.poll(() => ada.updated).toEqual(["doc://one"]);
    await expect
      .poll(() => {
        shop.update("doc://one");
        return ada.updated.length;
      })
      .toBeGreaterThan(1);
  });
});

describe("GET", () => {
  it.each([
    ["without a session", { accept: "text/event-stream" }],
    ["for something else than a stream", { accept: "application/json", "mcp-session-id": "x" }],
  ])("%s is refused, and says what is offered", async (_what, headers) => {
    const { url } = await startTestGateway(bothCallers());
    const answer = await fetch(url, { headers: { "x-api-key": ADA, ...headers } });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST, GET, DELETE"]);
    await answer.body?.cancel();
  });

  it("of the newer era, of a stranger and with a forged session is refused", async () => {
    const { url } = await startTestGateway(bothCallers());
    const ada = await connect(url);
    const { sessionId } = ada.transport;
    const status = async (headers: Record<string, string>) => {
      const answer = await fetch(url, { headers: { ...streamHeaders(sessionId), ...headers } });
      await answer.body?.cancel();
      return answer.status;
    };
    expect(await status({ "mcp-protocol-version": "2026-07-28" })).toBe(405);
    expect(await status({ "x-api-key": BOB })).toBe(404);
    expect(await status({ "x-api-key": "wrong" })).toBe(401);
    expect(await status({ "mcp-session-id": `${sessionId}x` })).toBe(404);
    expect(await status({})).toBe(200);
  });

  it("of more streams than there may be is refused for the one who has many, and nobody else", async () => {
    const { url } = await startTestGateway({ ...bothCallers(), maxStreams: 16 });
    const [ada, bob] = [
      await connect(url, { opensStream: false }),
      await connect(url, { key: BOB, opensStream: false }),
    ];
    const statuses: number[] = [];
    for (let count = 0; count < 20; count++) {
      const stream = await openStream(url, ada.transport.sessionId);
      statuses.push(stream.status);
    }
    expect(statuses).toContain(429);
    const other = await openStream(url, bob.transport.sessionId, BOB);
    expect(other.status).toBe(200);
  });

  it("takes nothing that is not given back: a caller opens and leaves streams as often as it likes", async () => {
    const shop = await newerPeer("shop");
    const { url } = await startTestGateway({ ...bothCallers(), upstreams: [shop.upstream], maxStreams: 4 });
    const ada = await connect(url);
    await ada.client.subscribeResource({ uri: "doc://one" });
    const fetchHere = ownFetch();
    for (let count = 0; count < 50; count++) {
      const left = new AbortController();
      const headers = streamHeaders(ada.transport.sessionId);
      await expect.poll(async () => (await fetchHere(url, { headers, signal: left.signal })).status).toBe(200);
      left.abort();
    }
    await expect
      .poll(() => {
        shop.update("doc://one");
        return ada.updated;
      })
      .toContain("doc://one");
  });
});

const streamHeaders = (session: string | undefined, key = ADA) => ({
  accept: "text/event-stream",
  "mcp-session-id": session ?? "",
  "mcp-protocol-version": "2025-11-25",
  "x-api-key": key,
});

/** Opens a stream and reads it to its end. */
async function openStream(url: URL, session: string | undefined, key = ADA) {
  const left = new AbortController();
  onTestFinished(() => left.abort());
  const answer = await ownFetch()(url, { headers: streamHeaders(session, key), signal: left.signal });
  const ended = answer.text().then(
    () => "ended",
    () => "broken",
  );
  return { status: answer.status, ended };
}
