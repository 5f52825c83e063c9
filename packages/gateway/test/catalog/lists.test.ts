import { eventually } from "@recourse/test-kit/eventually";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { holdTime, pass, passUntil } from "../support/held-time.ts";
import { callerOf, callOf, listedKeys, outcomeOf, resultOf } from "./support/calls.ts";
import { fixedPeer } from "./support/peers.ts";
import { upstreamAt } from "./support/upstream.ts";
import { catalogOf, closeAll, crmPeer, FAST, kept, shopPeer } from "./support/world.ts";

// Time passes only while something is polled, so that no upstream is late on a slow machine.
beforeEach(holdTime);
afterEach(closeAll);

const NEWER = "2026-07-28";
const OLDER = "2025-11-25";

async function twoUpstreams() {
  const shop = await shopPeer();
  const crm = await crmPeer();
  return [
    upstreamAt({ name: "shop", url: shop.url, era: NEWER }),
    upstreamAt({ name: "crm", url: crm.url, era: OLDER }),
  ];
}

describe("lists of two servers of the official SDKs", () => {
  it("are one, in the order of the file, with prefixed names", async () => {
    const { catalog } = catalogOf(await twoUpstreams());
    expect(await listedKeys(catalog, "tools/list")).toEqual(["shop__buy", "shop__look", "crm__look"]);
    expect(await listedKeys(catalog, "prompts/list", {}, "prompts")).toEqual(["shop__greet", "crm__greet"]);
    expect(await listedKeys(catalog, "resources/list", {}, "resources", "uri")).toEqual([
      "shop://terms",
      "crm://people",
    ]);
    const templates = await listedKeys(catalog, "resources/templates/list", {}, "resourceTemplates", "uriTemplate");
    expect(templates).toEqual(["shop://items/{id}", "crm://people/{id}"]);
  });

  it("have the hints of the newer era, and none in the older", async () => {
    const { catalog } = catalogOf(await twoUpstreams());
    const newer = (await resultOf(catalog, callOf("tools/list"))) as Record<string, unknown>;
    expect(newer).toMatchObject({ resultType: "complete", cacheScope: "private" });
    expect(newer["ttlMs"]).toBeGreaterThanOrEqual(0);
    const older = await resultOf(catalog, callOf("tools/list", {}, { revision: OLDER }));
    expect(Object.keys(older)).toEqual(["tools"]);
  });

  it("give a URI that both list to the first in the file, and say which names are left out", async () => {
    const { catalog, lines } = catalogOf(await twoUpstreams());
    await listedKeys(catalog, "tools/list");
    expect(catalog.state).toMatchObject([
      { upstream: "shop", listed: "current", tools: 2, shadowed: [] },
      { upstream: "crm", listed: "current", tools: 1, shadowed: ["shop://terms"] },
    ]);
    const message = "Names of an upstream are left out, since they belong to another one";
    expect(lines).toEqual([{ message, facts: { upstream: "crm", count: 1, names: ["shop://terms"] } }]);
    const route = await outcomeOf(catalog, callOf("resources/read", { uri: "shop://terms" }));
    expect(route).toMatchObject({ kind: "upstream", upstream: { options: { name: "shop" } }, target: "shop://terms" });
  });

  it("give a name that both have to the first in the file where prefixes are empty", async () => {
    const shop = await shopPeer();
    const crm = await crmPeer();
    const { catalog } = catalogOf([
      upstreamAt({ name: "crm", url: crm.url, era: OLDER, prefix: "" }),
      upstreamAt({ name: "shop", url: shop.url, era: NEWER, prefix: "" }),
    ]);
    expect(await listedKeys(catalog, "tools/list")).toEqual(["look", "buy"]);
    expect(catalog.state[1]?.shadowed).toEqual(["look", "greet", "shop://terms"]);
    const route = await outcomeOf(catalog, callOf("tools/call", { name: "look" }));
    expect(route).toMatchObject({ upstream: { options: { name: "crm" } }, target: "look" });
  });
});

describe("entries", () => {
  const TOOL = `{ "description": "a", "name" : "big", "inputSchema": {"type":"object","properties":{"n":{"default":1e400,"maximum":12345678901234567890}}}, "x":[ 1.0 ] }`;

  it("keep the text of the upstream apart from the name", async () => {
    const peer = kept(await fixedPeer(() => `{"tools":[${TOOL}],"ttlMs":1000,"cacheScope":"public"}`));
    const { catalog } = catalogOf([upstreamAt({ name: "up", url: peer.url, era: NEWER })]);
    const text = await outcomeOf(catalog, callOf("tools/list", {}, { revision: OLDER }));
    expect(text).toBe(`{"tools":[${TOOL.replace('"big"', '"up__big"')}]}`);
  });

  it("that clients would refuse the whole list for are left out", async () => {
    const broken = [
      TOOL,
      `{"name":"no schema"}`,
      `{"inputSchema":{"type":"object"}}`,
      `7`,
      `{"name":1,"inputSchema":{}}`,
      `{"name":"${"n".repeat(513)}","inputSchema":{"type":"object"}}`,
      `{"name":"a\\u0000b","inputSchema":{"type":"object"}}`,
      `{"name":"a\\ud800","inputSchema":{"type":"object"}}`,
      `{"name":"twice","name":"twice","inputSchema":{"type":"object"}}`,
      `{"name":"deep","inputSchema":{"type":"object","x":${"[".repeat(200)}${"]".repeat(200)}}}`,
    ];
    const peer = kept(await fixedPeer(() => `{"tools":[${broken.join(",")}]}`));
    const { catalog, lines } = catalogOf([upstreamAt({ name: "up", url: peer.url, era: NEWER })]);
    expect(await listedKeys(catalog, "tools/list")).toEqual(["up__big"]);
    expect(lines.map(({ facts }) => facts)).toEqual([{ upstream: "up", method: "tools/list", refused: 9 }]);
  });
});

describe("pages", () => {
  const tool = (name: string) => `{"name":"${name}","inputSchema":{"type":"object"}}`;

  it("of an upstream are read to the end", async () => {
    const pages: Record<string, string> = {
      "": `{"tools":[${tool("a")}],"nextCursor":"2"}`,
      "2": `{"tools":[${tool("b")},${tool("c")}],"nextCursor":"3"}`,
      "3": `{"tools":[${tool("d")}]}`,
    };
    const peer = kept(await fixedPeer((_, { cursor }) => pages[String(cursor ?? "")]));
    const { catalog } = catalogOf([upstreamAt({ name: "up", url: peer.url, era: NEWER, prefix: "" })]);
    expect(await listedKeys(catalog, "tools/list")).toEqual(["a", "b", "c", "d"]);
  });

  it("that never end are left off, with a line for the operator", async () => {
    let page = 0;
    const peer = kept(await fixedPeer(() => `{"tools":[${tool(`a${page++}`)}],"nextCursor":"again"}`));
    const { catalog, lines } = catalogOf([upstreamAt({ name: "up", url: peer.url, era: NEWER })]);
    expect(await listedKeys(catalog, "tools/list")).toEqual(["up__a0", "up__a1"]);
    expect(lines[0]?.message).toBe("A list is longer than the gateway reads; the rest is left out");
  });

  it("that list a name twice are read up to the end; the first entry counts", async () => {
    const pages: Record<string, string> = {
      "": `{"tools":[${tool("a")},${tool("b")},${tool("a")}],"nextCursor":"2"}`,
      "2": `{"tools":[${tool("b")},${tool("c")}]}`,
    };
    const peer = kept(await fixedPeer((_, { cursor }) => pages[String(cursor ?? "")]));
    const { catalog, lines } = catalogOf([upstreamAt({ name: "up", url: peer.url, era: NEWER, prefix: "" })]);
    expect(await listedKeys(catalog, "tools/list")).toEqual(["a", "b", "c"]);
    expect(lines).toMatchObject([{ facts: { upstream: "up", method: "tools/list", refused: 2 } }]);
  });

  it("of the gateway have 250 entries; a cursor that it did not make is refused", async () => {
    const names = Array.from({ length: 600 }, (_, index) => `tool${index}`);
    const peer = kept(await fixedPeer(() => `{"tools":[${names.map(tool).join(",")}]}`));
    const { catalog } = catalogOf([upstreamAt({ name: "up", url: peer.url, era: NEWER, prefix: "" })]);
    const first = (await resultOf(catalog, callOf("tools/list"))) as Record<string, unknown>;
    expect((first["tools"] as unknown[]).length).toBe(250);
    expect(await listedKeys(catalog, "tools/list")).toEqual(names);
    for (const cursor of ["", "x", Buffer.from("tool999").toString("base64url")]) {
      const refused = await outcomeOf(catalog, callOf("tools/list", { cursor }));
      expect(refused).toMatchObject({ reason: "pagination/invalid_cursor", origin: { layer: "gateway" } });
    }
    const cursor = "invalid_cursor_string";
    expect(await outcomeOf(catalog, callOf("tools/list", { cursor }))).toMatchObject({ params: { cursor } });
    expect(await outcomeOf(catalog, callOf("tools/list", { cursor: 1 }))).toMatchObject({
      reason: "pagination/invalid_cursor",
    });
  });

  it("do not confirm the names of hidden tools by their cursors", async () => {
    const peer = kept(await fixedPeer(() => `{"tools":[${tool("a")},${tool("secret")}]}`));
    const { catalog } = catalogOf([upstreamAt({ name: "up", url: peer.url, era: NEWER, prefix: "" })]);
    const caller = callerOf({ tools: ["a"] });
    const cursors = ["secret", "nothing"].map((key) => Buffer.from(key).toString("base64url"));
    const [hidden, unknown] = await Promise.all(
      cursors.map(async (cursor) => {
        const refused = await outcomeOf(catalog, callOf("tools/list", { cursor }, { caller }));
        return JSON.stringify(refused).replace(cursor, "");
      }),
    );
    expect(hidden).toBe(unknown);
  });
});

describe("an upstream that is away", () => {
  it("contributes nothing when it was never seen, and its tools come with it", async () => {
    const shop = await shopPeer();
    const crm = await crmPeer();
    await crm.close();
    const upstreams = [
      upstreamAt({ name: "crm", url: crm.url, era: OLDER }),
      upstreamAt({ name: "shop", url: shop.url, era: NEWER }),
    ];
    const { catalog, switches } = catalogOf(upstreams, { times: FAST });
    expect(await listedKeys(catalog, "tools/list")).toEqual(["shop__buy", "shop__look"]);
    expect(catalog.state[0]).toMatchObject({ upstream: "crm", listed: "never", tools: 0 });
    expect(switches).toEqual(["lists of crm away: it contributes nothing"]);
    expect(await outcomeOf(catalog, callOf("tools/call", { name: "crm__look" }))).toMatchObject({
      reason: "core/unavailable",
      effect: "none",
    });
    await crm.open();
    await expect.poll(() => catalog.state[0]?.listed).toBe("current");
    expect(await listedKeys(catalog, "tools/list")).toEqual(["crm__look", "shop__buy", "shop__look"]);
    expect(switches[1]).toBe("lists of crm back: they are current");
  });

  it("keeps its last lists when it dies, and is current again when it comes back", async () => {
    const crm = await crmPeer();
    const { catalog, switches } = catalogOf([upstreamAt({ name: "crm", url: crm.url, era: OLDER })], { times: FAST });
    expect(await listedKeys(catalog, "tools/list")).toEqual(["crm__look"]);
    await crm.close();
    await expect.poll(() => catalog.state[0]?.listed).toBe("kept");
    expect(await listedKeys(catalog, "tools/list")).toEqual(["crm__look"]);
    expect(await listedKeys(catalog, "resources/list", {}, "resources", "uri")).toEqual([
      "shop://terms",
      "crm://people",
    ]);
    expect(await outcomeOf(catalog, callOf("tools/call", { name: "crm__look" }))).toMatchObject({ kind: "upstream" });
    expect(switches).toEqual(["lists of crm away: the last ones are kept"]);
    await crm.open();
    await expect.poll(() => catalog.state[0]?.listed).toBe("current");
  });

  it("keeps a list that it answers with an error or with nonsense", async () => {
    let answer = `{"tools":[{"name":"a","inputSchema":{"type":"object"}}],"ttlMs":0}`;
    const peer = kept(await fixedPeer(() => answer));
    const { catalog } = catalogOf([upstreamAt({ name: "up", url: peer.url, era: NEWER })], { times: FAST });
    expect(await listedKeys(catalog, "tools/list")).toEqual(["up__a"]);
    answer = `{"tools":"none"}`;
    await expect.poll(() => catalog.state[0]?.listed).toBe("kept");
    expect(await listedKeys(catalog, "tools/list")).toEqual(["up__a"]);
  });

  it.each(["ready", "send"] as const)("is one whose %s throws, and is read again later", async (method) => {
    const crm = await crmPeer();
    const upstream = upstreamAt({ name: "crm", url: crm.url, era: OLDER });
    let isBroken = true;
    const broken = new Proxy(upstream, {
      get(target, key) {
        if (isBroken && key === method) return () => Promise.reject(new Error("out of order"));
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const { catalog, lines } = catalogOf([broken], { times: FAST });
    expect(await listedKeys(catalog, "tools/list")).toEqual([]);
    expect(catalog.state).toMatchObject([{ listed: "never" }]);
    expect(lines).toEqual([
      { message: "The lists of an upstream could not be read", facts: { upstream: "crm", why: "out of order" } },
    ]);
    isBroken = false;
    await expect.poll(() => catalog.state[0]?.listed).toBe("current");
  });

  it("does not hold up the lists of others for long when it leaves requests open", async () => {
    const shop = await shopPeer();
    const silent = kept(await fixedPeer(() => undefined));
    const upstreams = [
      upstreamAt({ name: "silent", url: silent.url, era: NEWER }),
      upstreamAt({ name: "shop", url: shop.url, era: NEWER }),
    ];
    const { catalog } = catalogOf(upstreams);
    const listed = listedKeys(catalog, "tools/list");
    await eventually(() =>
      expect([catalog.state[1]?.listed, silent.seen]).toEqual(["current", ["server/discover", "tools/list"]]),
    );
    await pass(3_000);
    expect(await listed).toEqual(["shop__buy", "shop__look"]);
  });
});

describe("lists that change", () => {
  it("are read again when their time is over", async () => {
    let names = ["a"];
    const list = () => names.map((name) => `{"name":"${name}","inputSchema":{"type":"object"}}`).join(",");
    const peer = kept(await fixedPeer(() => `{"tools":[${list()}],"ttlMs":60,"cacheScope":"private"}`));
    const { catalog } = catalogOf([upstreamAt({ name: "up", url: peer.url, era: NEWER })], { times: FAST });
    expect(await listedKeys(catalog, "tools/list")).toEqual(["up__a"]);
    names = ["b", "c"];
    await expect.poll(() => listedKeys(catalog, "tools/list")).toEqual(["up__b", "up__c"]);
  });

  it("are read again before a name is refused, so that new tools work at once", async () => {
    const names = ["a"];
    const list = () => names.map((name) => `{"name":"${name}","inputSchema":{"type":"object"}}`).join(",");
    const peer = kept(await fixedPeer(() => `{"tools":[${list()}]}`));
    const { catalog } = catalogOf([upstreamAt({ name: "up", url: peer.url, era: NEWER })]);
    expect(await listedKeys(catalog, "tools/list")).toEqual(["up__a"]);
    names.push("b");
    expect(await outcomeOf(catalog, callOf("tools/call", { name: "up__b" }))).toMatchObject({ target: "b" });
  });

  it("are not read again for each unknown name", async () => {
    const peer = kept(await fixedPeer(() => `{"tools":[]}`));
    const times = { ...FAST, defaultMs: 3_000_000, demandMs: 3_000_000 };
    const { catalog } = catalogOf([upstreamAt({ name: "up", url: peer.url, era: NEWER })], { times });
    await listedKeys(catalog, "tools/list");
    for (let index = 0; index < 20; index++) {
      const refused = await outcomeOf(catalog, callOf("tools/call", { name: `up__${index}` }));
      expect(refused).toMatchObject({ reason: "tool/not_found" });
    }
    expect(peer.seen.filter((method) => method === "tools/list").length).toBe(1);
  });

  it("are read again after a notification that was heard beside an answer", async () => {
    const names = ["a"];
    const list = () => names.map((name) => `{"name":"${name}","inputSchema":{"type":"object"}}`).join(",");
    const peer = kept(await fixedPeer(() => `{"tools":[${list()}]}`));
    const { catalog } = catalogOf([upstreamAt({ name: "up", url: peer.url, era: NEWER })]);
    await listedKeys(catalog, "tools/list");
    names.push("b");
    catalog.onNotification("up", Buffer.from('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'));
    // Notifications are gathered for 10 ms.
    expect(await passUntil(listedKeys(catalog, "tools/list"), 10)).toEqual(["up__a", "up__b"]);
  });
});

describe("the catalog of a new configuration", () => {
  it("takes over the lists of upstreams that stay, also of those that are away", async () => {
    const shop = await shopPeer();
    const crm = await crmPeer();
    const stays = upstreamAt({ name: "crm", url: crm.url, era: OLDER });
    const goes = upstreamAt({ name: "shop", url: shop.url, era: NEWER });
    const { catalog: before } = catalogOf([stays, goes]);
    await listedKeys(before, "tools/list");
    await crm.close();
    const { catalog } = catalogOf([stays], { before });
    before.close();
    expect(catalog.findRoute(callOf("tools/call", { name: "crm__look" }))).toMatchObject({ target: "look" });
    expect(await listedKeys(catalog, "tools/list")).toEqual(["crm__look"]);
    expect(catalog.state).toMatchObject([{ upstream: "crm", listed: "kept", tools: 1 }]);
    expect(catalog.isTried).toBe(true);
  });
});
