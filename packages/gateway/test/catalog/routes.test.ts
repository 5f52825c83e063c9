import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { holdTime } from "../support/held-time.ts";
import { callerOf, callOf, listedKeys, outcomeOf, resultOf } from "./support/calls.ts";
import { upstreamAt } from "./support/upstream.ts";
import { catalogOf, closeAll, crmPeer, ruleOf, shopPeer } from "./support/world.ts";

// Time passes only while something is polled, so that no upstream is late on a slow machine.
beforeEach(holdTime);
afterEach(closeAll);

const NEWER = "2026-07-28";
const OLDER = "2025-11-25";

async function world(tools = [ruleOf({ pattern: "shop__buy", cost: 3 }), ruleOf({ pattern: "shop__*", cost: 2 })]) {
  const shop = await shopPeer();
  const crm = await crmPeer();
  const upstreams = [
    upstreamAt({ name: "shop", url: shop.url, era: NEWER }),
    upstreamAt({ name: "crm", url: crm.url, era: OLDER }),
  ];
  const { catalog } = catalogOf(upstreams, { tools });
  await listedKeys(catalog, "tools/list");
  return { catalog, upstreams, shop, crm };
}

describe("calls", () => {
  it("of listed tools are routed at once, with the facts of the tool", async () => {
    const { catalog } = await world();
    const buy = catalog.findRoute(callOf("tools/call", { name: "shop__buy", arguments: {} }));
    expect(buy).toMatchObject({
      kind: "upstream",
      upstream: { options: { name: "shop" } },
      target: "buy",
      tool: { name: "shop__buy", readOnly: false, idempotent: false, hasOutputSchema: false, cost: 3 },
    });
    const look = catalog.findRoute(callOf("tools/call", { name: "shop__look" }));
    expect(look).toMatchObject({ target: "look", tool: { readOnly: true, idempotent: true, cost: 2 } });
    const other = catalog.findRoute(callOf("tools/call", { name: "crm__look" }, { revision: OLDER }));
    expect(other).toMatchObject({ upstream: { options: { name: "crm" } }, target: "look", tool: { cost: 1 } });
    expect(JSON.stringify((buy as { tool: { inputSchema: unknown } }).tool.inputSchema)).toContain('"item"');
  });

  it.each([
    ["prompts/get", { name: "crm__greet" }, "crm", "greet"],
    ["resources/read", { uri: "crm://people" }, "crm", "crm://people"],
    ["resources/read", { uri: "crm://people/7" }, "crm", "crm://people/7"],
    ["resources/read", { uri: "shop://items/a/b" }, "shop", "shop://items/a/b"],
    [
      "completion/complete",
      { ref: { type: "ref/prompt", name: "shop__greet" }, argument: { name: "a", value: "" } },
      "shop",
      "greet",
    ],
    [
      "completion/complete",
      { ref: { type: "ref/resource", uri: "crm://people/{id}" }, argument: { name: "id", value: "" } },
      "crm",
      "crm://people/{id}",
    ],
  ])("%s %o goes to %s as %s", async (method, params, upstream, target) => {
    const { catalog } = await world();
    const route = await outcomeOf(catalog, callOf(method, params));
    expect(route).toMatchObject({
      kind: "upstream",
      upstream: { options: { name: upstream } },
      target,
      tool: undefined,
    });
  });

  it.each([
    ["tools/call", { name: "shop__none" }, "tool/not_found"],
    ["tools/call", { name: "toString" }, "tool/not_found"],
    ["tools/call", {}, "protocol/malformed_call"],
    ["tools/call", { name: "shop__buy", arguments: [] }, "protocol/malformed_call"],
    ["prompts/get", { name: "greet" }, "prompt/not_found"],
    ["prompts/get", {}, "protocol/invalid_params"],
    ["resources/read", { uri: "none://x" }, "resource/not_found"],
    ["resources/read", { uri: "not-a-valid-uri" }, "resource/invalid_uri"],
    ["resources/read", { uri: "mcp://a%zz" }, "resource/uri_syntax"],
    ["resources/read", { uri: "http://[" }, "resource/uri_syntax"],
    ["resources/read", {}, "protocol/invalid_params"],
    [
      "completion/complete",
      { ref: { type: "ref/prompt", name: "none" }, argument: { name: "a", value: "" } },
      "completion/not_found",
    ],
    [
      "completion/complete",
      { ref: { type: "ref/other" }, argument: { name: "a", value: "" } },
      "completion/invalid_reference",
    ],
  ])("%s %o is refused with %s", async (method, params, reason) => {
    const { catalog } = await world();
    expect(await outcomeOf(catalog, callOf(method, params))).toMatchObject({ reason, effect: "none" });
  });

  it("of unknown resources are refused with their URI", async () => {
    const { catalog } = await world();
    const refused = await outcomeOf(catalog, callOf("resources/read", { uri: "none://x" }));
    expect(refused).toMatchObject({ params: { uri: "none://x" }, origin: { layer: "gateway", name: "test-gateway" } });
  });
});

describe("initialize", () => {
  it.each([
    ["2025-06-18", "2025-06-18"],
    ["2025-11-25", "2025-11-25"],
    ["2024-11-05", "2025-11-25"],
    ["2026-07-28", "2025-11-25"],
  ])("for %s agrees on %s", async (requested, agreed) => {
    const { catalog } = await world();
    const params = { protocolVersion: requested, capabilities: {}, clientInfo: { name: "c", version: "1" } };
    const result = await resultOf(catalog, callOf("initialize", params, { revision: OLDER }));
    expect(result).toEqual({
      protocolVersion: agreed,
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true },
        completions: undefined,
        extensions: { "io.github.recourse-mcp/faults": { v: 1, keys: false } },
      },
      serverInfo: { name: "test-gateway", version: "0.1.0" },
      instructions: "shop: Ask two.\n\ncrm: Ask one.",
    });
  });

  it("shows the instructions only of upstreams that the caller reaches", async () => {
    const { catalog } = await world();
    const params = { protocolVersion: OLDER, capabilities: {}, clientInfo: { name: "c", version: "1" } };
    const caller = callerOf({ tools: ["crm__*"] });
    const result = await resultOf(catalog, callOf("initialize", params, { revision: OLDER, caller }));
    expect(result["instructions"]).toBe("crm: Ask one.");
  });
});

describe("server/discover", () => {
  it("says the same in the shape of the newer era", async () => {
    const { catalog } = await world();
    expect(await resultOf(catalog, callOf("server/discover"))).toEqual({
      resultType: "complete",
      supportedVersions: ["2025-06-18", "2025-11-25", "2026-07-28"],
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true },
        extensions: { "io.github.recourse-mcp/faults": { v: 1, keys: false } },
      },
      instructions: "shop: Ask two.\n\ncrm: Ask one.",
      ttlMs: 60_000,
      cacheScope: "private",
      _meta: { "io.modelcontextprotocol/serverInfo": { name: "test-gateway", version: "0.1.0" } },
    });
  });
});

describe("notifications", () => {
  it("need nothing", async () => {
    const { catalog } = await world();
    for (const method of ["notifications/initialized", "notifications/roots/list_changed", "tools/call"]) {
      expect(catalog.findRoute(callOf(method, {}, { id: undefined, revision: OLDER }))).toEqual({ kind: "ignored" });
    }
  });

  it("of cancellation end the call of that caller with that id, and no other", async () => {
    const { catalog } = await world();
    const ended: string[] = [];
    const begin = (name: string, id: number | string, subject: string, headers = {}) => {
      const caller = callerOf({ id: subject });
      const call = callOf("tools/call", { name: "shop__buy" }, { id, caller, revision: OLDER, headers });
      catalog.findRoute(call);
      if (call.cancellation !== undefined) call.cancellation.run = () => void ended.push(name);
      return call;
    };
    const cancel = (requestId: unknown, subject: string) => {
      const options = { id: undefined, caller: callerOf({ id: subject }), revision: OLDER };
      catalog.findRoute(callOf("notifications/cancelled", { requestId }, options));
    };
    begin("number of a", 1, "a");
    begin("text of a", "1", "a");
    begin("number of b", 1, "b");
    begin("other session of a", 2, "a", { "mcp-session-id": "s" });
    for (const id of [2, 3, null, undefined, { a: 1 }]) cancel(id, "a");
    expect(ended).toEqual([]);
    cancel(1, "a");
    expect(ended).toEqual(["number of a"]);
    cancel("1", "a");
    expect(ended).toEqual(["number of a", "text of a"]);
  });

  it("of cancellation end nothing where two calls under way have the same id", async () => {
    const { catalog } = await world();
    let ended = 0;
    const begin = () => {
      const call = callOf("tools/call", { name: "shop__buy" }, { id: 1, revision: OLDER });
      catalog.findRoute(call);
      if (call.cancellation !== undefined) call.cancellation.run = () => void ended++;
      return call;
    };
    const cancel = () =>
      catalog.findRoute(callOf("notifications/cancelled", { requestId: 1 }, { id: undefined, revision: OLDER }));
    begin();
    begin();
    cancel();
    expect(ended).toBe(0);
  });

  it("of cancellation reach a call whose id was used before by one that has ended", async () => {
    const { catalog } = await world();
    let ended = 0;
    for (const isLast of [false, true]) {
      const call = callOf("tools/call", { name: "shop__buy" }, { id: 1, revision: OLDER });
      catalog.findRoute(call);
      if (call.cancellation === undefined) throw new Error("it cannot be cancelled");
      call.cancellation.run = isLast ? () => void ended++ : undefined;
      call.cancellation.isOver = !isLast;
    }
    catalog.findRoute(callOf("notifications/cancelled", { requestId: 1 }, { id: undefined, revision: OLDER }));
    expect(ended).toBe(1);
  });
});

describe("names of an upstream's own tools", () => {
  it("are those of the caller, hidden ones are called hidden, and unknown ones are not named", async () => {
    const { catalog, upstreams } = await world([ruleOf({ pattern: "shop__buy", scopes: ["money"] })]);
    const [shop, crm] = upstreams;
    if (shop === undefined || crm === undefined) throw new Error("no upstreams");
    const names = (tool: string, upstream = shop) => catalog.toolName(upstream, tool, callOf("tools/call"));
    expect([names("look"), names("buy"), names("none"), names("buy", crm)]).toEqual([
      "shop__look",
      "hidden",
      undefined,
      undefined,
    ]);
  });

  it("are read again when the upstream turns out not to know one", async () => {
    const { catalog, upstreams, shop } = await world();
    const reads = () => shop.seen.filter((method) => method === "tools/list").length;
    expect(reads()).toBe(1);
    for (const upstream of upstreams) catalog.markStale(upstream, callOf("tools/call"));
    await expect.poll(reads).toBe(2);
  });
});
