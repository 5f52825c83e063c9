import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { holdTime } from "../support/held-time.ts";
import { callerOf, callOf, listedKeys, outcomeOf } from "./support/calls.ts";
import { fixedPeer } from "./support/peers.ts";
import { upstreamAt } from "./support/upstream.ts";
import { catalogOf, closeAll, kept, ruleOf } from "./support/world.ts";

// Time passes only while something is polled, so that no upstream is late on a slow machine.
beforeEach(holdTime);
afterEach(closeAll);

const NEWER = "2026-07-28";
const tool = (name: string) => `{"name":"${name}","inputSchema":{"type":"object"}}`;
const named = (name: string) => `{"name":"${name}"}`;
const resource = (uri: string) => `{"name":"r","uri":"${uri}"}`;

const ANSWERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  shop: {
    "tools/list": `{"tools":[${["buy", "look", "refund", "secret"].map(tool).join(",")}]}`,
    "prompts/list": `{"prompts":[${["greet", "secret"].map(named).join(",")}]}`,
    "resources/list": `{"resources":[${resource("shop://terms")}]}`,
    "resources/templates/list": `{"resourceTemplates":[{"name":"t","uriTemplate":"shop://items/{id}"}]}`,
  },
  crm: {
    "tools/list": `{"tools":[${["look", "merge"].map(tool).join(",")}]}`,
    "prompts/list": `{"prompts":[${named("greet")}]}`,
    "resources/list": `{"resources":[${resource("crm://people")}]}`,
    "resources/templates/list": `{"resourceTemplates":[{"name":"t","uriTemplate":"crm://people/{id}"}]}`,
  },
};
const CAPABILITIES = { tools: {}, prompts: {}, resources: {} };

async function upstreamsOf(answers = ANSWERS) {
  return Promise.all(
    Object.entries(answers).map(async ([name, lists]) => {
      const peer = kept(await fixedPeer((method) => lists[method], CAPABILITIES));
      return upstreamAt({ name, url: peer.url, era: NEWER });
    }),
  );
}

const RULES = [
  ruleOf({ pattern: "*__secret", hidden: true }),
  ruleOf({ pattern: "shop__refund", scopes: ["refunds", "money"], cost: 5 }),
  ruleOf({ pattern: "crm__*", entitlement: "crm" }),
];

describe("what a caller is listed and what it may call", () => {
  it("are the same for any patterns, scopes and entitlements", async () => {
    const { catalog } = catalogOf(await upstreamsOf(), { tools: RULES });
    await listedKeys(catalog, "tools/list");
    const pattern = fc.constantFrom(
      "*",
      "shop__*",
      "crm__*",
      "*look",
      "shop__buy",
      "shop__refund",
      "*secret",
      "nothing",
      "c*m*",
    );
    const world = fc.record({
      tools: fc.array(pattern, { maxLength: 3 }),
      scopes: fc.subarray(["refunds", "money"]),
      entitlements: fc.subarray(["crm"]),
    });
    const tools = ["shop__buy", "shop__look", "shop__refund", "shop__secret", "crm__look", "crm__merge", "crm__none"];
    const prompts = ["shop__greet", "shop__secret", "crm__greet"];
    const uris = ["shop://terms", "crm://people"];
    await fc.assert(
      fc.asyncProperty(world, async ({ tools: patterns, scopes, entitlements }) => {
        const caller = callerOf({ tools: patterns, scopes: new Set(scopes), entitlements: new Set(entitlements) });
        const callable = async (method: string, member: string, keys: string[]) => {
          const found: string[] = [];
          for (const key of keys) {
            const outcome = await outcomeOf(catalog, callOf(method, { [member]: key }, { caller }));
            if (typeof outcome !== "string" && outcome.kind === "upstream") found.push(key);
          }
          return found;
        };
        expect(await listedKeys(catalog, "tools/list", { caller })).toEqual(
          await callable("tools/call", "name", tools),
        );
        expect(await listedKeys(catalog, "prompts/list", { caller }, "prompts")).toEqual(
          await callable("prompts/get", "name", prompts),
        );
        expect(await listedKeys(catalog, "resources/list", { caller }, "resources", "uri")).toEqual(
          await callable("resources/read", "uri", uris),
        );
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    [{ tools: ["*"] }, ["shop__buy", "shop__look"]],
    [{ tools: ["*"], scopes: new Set(["refunds"]) }, ["shop__buy", "shop__look"]],
    [{ tools: ["*"], scopes: new Set(["refunds", "money"]) }, ["shop__buy", "shop__look", "shop__refund"]],
    [{ tools: ["crm__*"], entitlements: new Set(["crm"]) }, ["crm__look", "crm__merge"]],
    [{ tools: ["*look"], entitlements: new Set(["crm"]) }, ["shop__look", "crm__look"]],
    [{ tools: [] }, []],
  ])("%o sees %o", async (more, expected) => {
    const { catalog } = catalogOf(await upstreamsOf(), { tools: RULES });
    expect(await listedKeys(catalog, "tools/list", { caller: callerOf(more) })).toEqual(expected);
  });
});

describe("resources and templates", () => {
  it.each([
    [["shop__buy"], ["shop://terms"], "sees a tool of the upstream"],
    [["shop__*"], ["shop://terms"], "has a pattern for the prefix"],
    [["shop__g*"], [], "sees a prompt only"],
    [["shop__secret"], [], "would see a hidden tool only"],
    [["*"], ["shop://terms", "crm://people"], "may see everything"],
  ])("of a caller with %o are %o: it %s", async (tools, expected) => {
    const { catalog } = catalogOf(await upstreamsOf(), { tools: [ruleOf({ pattern: "*__secret", hidden: true })] });
    const caller = callerOf({ tools });
    expect(await listedKeys(catalog, "resources/list", { caller }, "resources", "uri")).toEqual(expected);
    const outcome = await outcomeOf(catalog, callOf("resources/read", { uri: "shop://items/7" }, { caller }));
    const isReached = expected.includes("shop://terms");
    expect(outcome).toMatchObject(isReached ? { kind: "upstream" } : { reason: "resource/not_found" });
  });
});

describe("a refusal", () => {
  const without = {
    ...ANSWERS,
    shop: { ...ANSWERS["shop"], "tools/list": `{"tools":[${["buy", "look"].map(tool).join(",")}]}` },
  };

  it.each([
    ["a hidden tool", "shop__secret", ["*"]],
    ["a tool out of scope", "shop__refund", ["*"]],
    ["a tool outside of the patterns", "shop__refund", ["shop__l*"]],
  ])("of %s is, byte for byte, that of a tool that is not there", async (_, name, tools) => {
    const { catalog: full } = catalogOf(await upstreamsOf(), { tools: RULES });
    const { catalog: bare } = catalogOf(await upstreamsOf(without), { tools: RULES });
    await listedKeys(full, "tools/list");
    await listedKeys(bare, "tools/list");
    const caller = callerOf({ tools });
    const answers = await Promise.all(
      [full, bare].map((catalog) => outcomeOf(catalog, callOf("tools/call", { name }, { caller }))),
    );
    expect(answers[0]).toMatchObject({ reason: "tool/not_found", params: { tool: name } });
    expect(JSON.stringify(answers[0])).toBe(JSON.stringify(answers[1]));
  });

  it("suggests only names that the caller sees", async () => {
    const { catalog } = catalogOf(await upstreamsOf(), { tools: RULES });
    await listedKeys(catalog, "tools/list");
    const refusal = async (name: string) => outcomeOf(catalog, callOf("tools/call", { name }));
    expect(await refusal("shop__bui")).toMatchObject({
      recourse: [{ do: "choose_another", candidates: ["shop__buy"] }],
    });
    for (const name of ["shop__secre", "shop__refunds", "crm__merg"]) {
      expect(JSON.stringify(await refusal(name))).not.toContain("candidates");
    }
  });

  it("of a name that the caller may not have asks no upstream, so its time says nothing", async () => {
    const peer = kept(await fixedPeer((method) => ANSWERS["shop"]?.[method], CAPABILITIES));
    const { catalog } = catalogOf([upstreamAt({ name: "shop", url: peer.url, era: NEWER })], { tools: RULES });
    await listedKeys(catalog, "tools/list");
    const asked = peer.seen.length;
    for (const name of ["shop__secret", "other__secret"]) {
      expect(catalog.findRoute(callOf("tools/call", { name }))).toMatchObject({ reason: "tool/not_found" });
    }
    expect(peer.seen.length).toBe(asked);
  });
});
