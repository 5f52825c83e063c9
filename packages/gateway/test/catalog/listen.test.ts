import { eventually } from "@recourse/test-kit/eventually";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Catalog } from "../../src/catalog/catalog.ts";
import { holdTime, passUntil } from "../support/held-time.ts";
import { type CallOptions, callerOf, callOf, listedKeys, outcomeOf } from "./support/calls.ts";
import { fixedPeer } from "./support/peers.ts";
import { upstreamAt } from "./support/upstream.ts";
import { catalogOf, closeAll, crmPeer, FAST, kept, shopPeer } from "./support/world.ts";

// Time passes only while something is polled, so that no upstream is late on a slow machine.
beforeEach(holdTime);
afterEach(closeAll);

const NEWER = "2026-07-28";
const OLDER = "2025-11-25";
const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";

/** Opens a stream and keeps the notifications that come by it. */
function listen(catalog: Catalog, notifications: unknown, options: CallOptions = {}) {
  const left = new AbortController();
  const messages: { method: string; params: Record<string, unknown> }[] = [];
  const call = callOf(
    "subscriptions/listen",
    { notifications },
    {
      id: "s1",
      signal: left.signal,
      notify: (message) => void messages.push(JSON.parse(message.toString())),
      ...options,
    },
  );
  const end = outcomeOf(catalog, call);
  kept({ close: () => left.abort() });
  return { messages, end, leave: () => left.abort(), methods: () => messages.map(({ method }) => method) };
}

const ACKNOWLEDGED = "notifications/subscriptions/acknowledged";
const TOOLS_CHANGED = "notifications/tools/list_changed";

describe("subscriptions/listen", () => {
  it("acknowledges first, then passes on what an upstream announces, with the id of the caller", async () => {
    const shop = await shopPeer();
    const { catalog } = catalogOf([upstreamAt({ name: "shop", url: shop.url, era: NEWER })]);
    await listedKeys(catalog, "tools/list");
    const stream = listen(catalog, { toolsListChanged: true });
    await expect.poll(stream.methods).toEqual([ACKNOWLEDGED]);
    expect(stream.messages[0]).toEqual({
      jsonrpc: "2.0",
      method: ACKNOWLEDGED,
      params: { notifications: { toolsListChanged: true }, _meta: { [SUBSCRIPTION]: "s1" } },
    });
    const reads = () => shop.seen.filter((method) => method === "tools/list").length;
    expect(reads()).toBe(1);
    shop.notify.toolsChanged();
    await expect.poll(stream.methods).toEqual([ACKNOWLEDGED, TOOLS_CHANGED]);
    expect(stream.messages[1]?.params).toEqual({ _meta: { [SUBSCRIPTION]: "s1" } });
    await expect.poll(reads).toBe(2);
  });

  it("does not send what was not asked for", async () => {
    const shop = await shopPeer();
    const { catalog } = catalogOf([upstreamAt({ name: "shop", url: shop.url, era: NEWER })]);
    await listedKeys(catalog, "tools/list");
    const prompts = listen(catalog, { promptsListChanged: true, toolsListChanged: false });
    const tools = listen(catalog, { toolsListChanged: true });
    await expect.poll(() => prompts.messages.length + tools.messages.length).toBe(2);
    shop.notify.toolsChanged();
    await expect.poll(tools.methods).toContain(TOOLS_CHANGED);
    expect(prompts.methods()).toEqual([ACKNOWLEDGED]);
  });

  it("announces lists of upstreams of the older era when they are seen to have changed", async () => {
    const names = ["a"];
    const list = () => names.map((name) => `{"name":"${name}","inputSchema":{"type":"object"}}`).join(",");
    const peer = kept(await fixedPeer(() => `{"tools":[${list()}]}`));
    const { catalog } = catalogOf([upstreamAt({ name: "up", url: peer.url, era: NEWER })], { times: FAST });
    await listedKeys(catalog, "tools/list");
    const seeing = listen(catalog, { toolsListChanged: true });
    const blind = listen(catalog, { toolsListChanged: true }, { caller: callerOf({ tools: ["other__*"] }) });
    await expect.poll(() => seeing.messages.length + blind.messages.length).toBe(2);
    names.push("b");
    await expect.poll(seeing.methods).toEqual([ACKNOWLEDGED, TOOLS_CHANGED]);
    expect(blind.methods()).toEqual([ACKNOWLEDGED]);
  });

  it("follows resources at the upstream that owns them, and leaves out those that cannot be followed", async () => {
    const shop = await shopPeer({ subscribe: true });
    const crm = await crmPeer();
    const { catalog } = catalogOf([
      upstreamAt({ name: "shop", url: shop.url, era: NEWER }),
      upstreamAt({ name: "crm", url: crm.url, era: OLDER }),
    ]);
    await listedKeys(catalog, "tools/list");
    const asked = ["shop://terms", "crm://people", "none://x", "shop://items/7"];
    const stream = listen(catalog, { resourceSubscriptions: asked }, { id: 5 });
    await expect.poll(stream.methods).toEqual([ACKNOWLEDGED]);
    expect(stream.messages[0]?.params["notifications"]).toEqual({
      resourceSubscriptions: ["shop://terms", "shop://items/7"],
    });
    shop.notify.resourceUpdated("shop://other");
    shop.notify.resourceUpdated("shop://items/7");
    await expect.poll(() => stream.messages.length).toBe(2);
    expect(stream.messages[1]).toEqual({
      jsonrpc: "2.0",
      method: "notifications/resources/updated",
      params: { uri: "shop://items/7", _meta: { [SUBSCRIPTION]: 5 } },
    });
  });

  it("stays open when an upstream goes away, and hears of it again when it is back", async () => {
    const shop = await shopPeer();
    const { catalog } = catalogOf([upstreamAt({ name: "shop", url: shop.url, era: NEWER })], { times: FAST });
    await listedKeys(catalog, "tools/list");
    const stream = listen(catalog, { toolsListChanged: true });
    await expect.poll(stream.methods).toEqual([ACKNOWLEDGED]);
    const streams = () => shop.seen.filter((method) => method === "subscriptions/listen").length;
    expect(streams()).toBe(1);
    await shop.close();
    await shop.open();
    await passUntil(eventually(() => expect(streams()).toBe(2)));
    await expect
      .poll(() => {
        shop.notify.toolsChanged();
        return stream.methods();
      })
      .toContain(TOOLS_CHANGED);
  });

  it("ends with a result when the catalog is closed, and at once where nothing is asked for", async () => {
    const shop = await shopPeer();
    const { catalog } = catalogOf([upstreamAt({ name: "shop", url: shop.url, era: NEWER })]);
    await listedKeys(catalog, "tools/list");
    const result = {
      resultType: "complete",
      _meta: {
        [SUBSCRIPTION]: "s1",
        "io.modelcontextprotocol/serverInfo": { name: "test-gateway", version: "0.1.0" },
      },
    };
    const empty = listen(catalog, { resourceSubscriptions: ["none://x"] });
    expect(JSON.parse((await empty.end) as string)).toEqual(result);
    expect(empty.messages[0]?.params["notifications"]).toEqual({});
    const stream = listen(catalog, { toolsListChanged: true });
    await expect.poll(stream.methods).toEqual([ACKNOWLEDGED]);
    catalog.close();
    expect(JSON.parse((await stream.end) as string)).toEqual(result);
  });

  it("ends its streams to upstreams when the caller leaves", async () => {
    const shop = await shopPeer();
    const { catalog } = catalogOf([upstreamAt({ name: "shop", url: shop.url, era: NEWER })]);
    await listedKeys(catalog, "tools/list");
    const stream = listen(catalog, { toolsListChanged: true });
    await expect.poll(stream.methods).toEqual([ACKNOWLEDGED]);
    await expect.poll(() => shop.running.size).toBe(1);
    stream.leave();
    await stream.end;
    await expect.poll(() => shop.running.size).toBe(0);
  });

  it.each([
    undefined,
    null,
    [],
    "all",
    { toolsListChanged: "yes" },
    { resourceSubscriptions: [1] },
    { resourceSubscriptions: "x" },
  ])("refuses the filter %o", async (notifications) => {
    const { catalog } = catalogOf([]);
    expect(await listen(catalog, notifications).end).toMatchObject({ reason: "protocol/invalid_params" });
  });
});
