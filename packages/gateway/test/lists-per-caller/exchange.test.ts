// Lists for each caller, by the token that the upstream is shown for it.
import { eventually } from "@recourse/test-kit/eventually";
import { beforeEach, expect, test } from "vitest";
import { createApiKey } from "../../src/auth/api-keys.ts";
import type { GatewayConfig } from "../../src/config/types.ts";
import { guardedConfig, openGateway, openProvider, outcomeOf } from "../credentials/support.ts";
import { httpUpstream, testConfig } from "../support/config.ts";
import { holdTime, pass } from "../support/held-time.ts";
import { startStubUpstream } from "../support/stub-upstream.ts";
import { ask, callAs, listFor, openListing } from "./support.ts";

// Time passes only where a test says so.
beforeEach(holdTime);

async function open(changes: Partial<GatewayConfig> = {}) {
  const provider = await openProvider();
  const upstream = await openListing(provider);
  const shared = await startStubUpstream();
  const upstreams = [
    guardedConfig(upstream, "exchange", provider, { name: "own", prefix: "own__", lists: "caller" }),
    httpUpstream(shared.url, { name: "shared", prefix: "shared__" }),
  ];
  const gateway = await openGateway(provider, upstreams, changes);
  const [ada, bob] = [await provider.sign("ada"), await provider.sign("bob")];
  return { provider, upstream, upstreams, shared, gateway, ada, bob };
}

test("each caller is listed what the upstream lists to it, in the order of the file, two at once", async () => {
  const { gateway, upstream, ada, bob } = await open();
  const lists = await Promise.all([listFor(gateway, ada), listFor(gateway, bob)]);
  expect(lists).toEqual([
    ["own__echo", "own__only_ada", "shared__echo"],
    ["own__echo", "own__only_bob", "shared__echo"],
  ]);
  const prompts = [ada, bob].map((one) => listFor(gateway, one, "prompts/list", ["prompts", "name"]));
  expect(await Promise.all(prompts)).toEqual([["own__greet_ada"], ["own__greet_bob"]]);
  const resources = [ada, bob].map((one) => listFor(gateway, one, "resources/list", ["resources", "uri"]));
  expect(await Promise.all(resources)).toEqual([["note://ada"], ["note://bob"]]);
  // Each list was read once for each caller, and never by the gateway.
  expect([upstream.count("tools/list", "ada"), upstream.count("tools/list", "bob")]).toEqual([1, 1]);
  expect(upstream.seen.filter(({ method, subject }) => method.endsWith("list") && subject === "gateway")).toEqual([]);
});

test("a caller calls what it is listed; what only another one is listed does not exist for it", async () => {
  const { gateway, ada, bob } = await open();
  expect(await outcomeOf(callAs(gateway, ada, "own__only_ada"))).toBe("ada only_ada");
  expect(await outcomeOf(callAs(gateway, bob, "own__only_bob"))).toBe("bob only_bob");
  const text = async (name: string) =>
    (await callAs(gateway, ada, name)).text.replaceAll(name, "NAME").replaceAll(/"at":"[^"]*"/g, "");
  const foreign = await text("own__only_bob");
  expect(foreign).toContain("tool/not_found");
  expect(foreign).toBe(await text("own__only_xyz"));
});

test("prompts, resources and templates of another caller do not exist either", async () => {
  const { gateway, ada, bob } = await open();
  await Promise.all([listFor(gateway, ada), listFor(gateway, bob)]);
  for (const [method, mine, foreign] of [
    ["prompts/get", { name: "own__greet_ada" }, { name: "own__greet_bob" }],
    ["resources/read", { uri: "note://ada" }, { uri: "note://bob" }],
    ["resources/read", { uri: "file://ada/x" }, { uri: "file://bob/x" }],
  ] as const) {
    expect((await ask(gateway, ada, method, mine)).json().result).toBeDefined();
    expect((await ask(gateway, ada, method, foreign)).text).toMatch(/No such (?:prompt|resource)/);
    expect((await ask(gateway, bob, method, foreign)).json().result).toBeDefined();
  }
});

test("suggestions are those of the caller's own list", async () => {
  const { gateway, ada, bob } = await open();
  await Promise.all([listFor(gateway, ada), listFor(gateway, bob)]);
  const suggested = async (credential: string) =>
    (await callAs(gateway, credential, "own__only_bb")).text
      .match(/own__only_[a-z]+/g)
      ?.filter((n) => n !== "own__only_bb");
  expect(await suggested(bob)).toContain("own__only_bob");
  expect(await suggested(ada)).not.toContain("own__only_bob");
});

test("calls that come at once share one reading", async () => {
  const { gateway, upstream, ada } = await open();
  const { promise, resolve } = Promise.withResolvers<void>();
  upstream.held = promise;
  const calls = Array.from({ length: 20 }, () => outcomeOf(callAs(gateway, ada, "own__only_ada")));
  await eventually(() => expect(upstream.count("tools/list")).toBe(1));
  // Those of the other calls that come later find what was read.
  resolve();
  expect(new Set(await Promise.all(calls))).toEqual(new Set(["ada only_ada"]));
  expect(upstream.count("tools/list")).toBe(1);
});

test("a tool that the upstream has added is found, at the latest after a second", async () => {
  const { gateway, upstream, ada, bob } = await open();
  expect(await outcomeOf(callAs(gateway, ada, "own__new"))).toBe("tool/not_found");
  upstream.more.set("ada", ["new"]);
  expect(await outcomeOf(callAs(gateway, ada, "own__new"))).toBe("tool/not_found");
  await pass(1_000);
  expect(await outcomeOf(callAs(gateway, ada, "own__new"))).toBe("ada new");
  expect(await outcomeOf(callAs(gateway, bob, "own__new"))).toBe("tool/not_found");
});

test("calls of other upstreams read nothing for the caller", async () => {
  const { gateway, upstream, ada } = await open();
  expect(await outcomeOf(callAs(gateway, ada, "shared__echo"))).toBe("ok");
  expect(upstream.seen.filter(({ subject }) => subject === "ada")).toEqual([]);
});

test("a caller whose patterns exclude the upstream makes it list nothing", async () => {
  const provider = await openProvider();
  const upstream = await openListing(provider);
  const config = guardedConfig(upstream, "exchange", provider, { name: "own", prefix: "own__", lists: "caller" });
  const jwt = {
    issuer: provider.issuer,
    audience: "https://tools.example/mcp",
    jwksUrl: provider.jwksUrl,
    tenantClaim: "tenant",
    tools: ["other__*"],
    dialect: undefined,
  };
  const gateway = await openGateway(provider, [config], { jwt });
  const ada = await provider.sign("ada");
  expect(await listFor(gateway, ada)).toEqual([]);
  expect(await outcomeOf(callAs(gateway, ada, "own__only_ada"))).toBe("tool/not_found");
  expect(upstream.seen.filter(({ subject }) => subject === "ada")).toEqual([]);
});

test("where a list cannot be read the others stay, and a call gets the true reason", async () => {
  const { provider, gateway, upstream, bob } = await open();
  provider.mood.refused.set("eve", "access_denied");
  const eve = await provider.sign("eve");
  expect(await listFor(gateway, eve)).toEqual(["shared__echo"]);
  const refused = await callAs(gateway, eve, "own__echo");
  expect(refused.text).toContain("auth/exchange_refused");
  expect(refused.text).toContain('"effect":"none"');
  upstream.refused.set("mal", 403);
  const mal = await provider.sign("mal");
  expect(await listFor(gateway, mal)).toEqual(["shared__echo"]);
  expect(await outcomeOf(callAs(gateway, mal, "own__echo"))).toBe("auth/access_denied");
  upstream.refused.set("sue", 500);
  expect(await outcomeOf(callAs(gateway, await provider.sign("sue"), "own__echo"))).toBe("core/unavailable");
  expect(await outcomeOf(callAs(gateway, bob, "own__only_bob"))).toBe("bob only_bob");
  expect(gateway.lines.join("")).toContain("could not be read for a caller");
});

test("a list that could be read again is shown again", async () => {
  const { gateway, upstream, ada } = await open();
  upstream.refused.set("ada", 503);
  expect(await outcomeOf(callAs(gateway, ada, "own__echo"))).toBe("core/unavailable");
  expect(await outcomeOf(callAs(gateway, ada, "own__echo"))).toBe("core/unavailable");
  // The failure counts for a moment: the upstream is not asked with each call.
  expect(upstream.count("tools/list", "ada")).toBe(1);
  upstream.refused.clear();
  await pass(1_000);
  expect(await outcomeOf(callAs(gateway, ada, "own__echo"))).toBe("ada echo");
});

test("an upstream that is away takes nothing from the others, and is away for its own tools", async () => {
  const { gateway, upstream, ada } = await open();
  expect(await outcomeOf(callAs(gateway, ada, "shared__echo"))).toBe("ok");
  await upstream.close();
  expect(await listFor(gateway, ada)).toEqual(["shared__echo"]);
  const answer = await callAs(gateway, ada, "own__echo");
  expect(answer.text).toMatch(/core\/unavailable|transport\//);
  expect(answer.text).toContain('"effect":"none"');
});

test("a caller with an API key has no list there, and is told why", async () => {
  const { key, sha256 } = createApiKey();
  const owner = { id: "ci", tenant: "acme", sha256, tools: ["*"], scopes: [], entitlements: [], dialect: undefined };
  const { gateway, upstream } = await open({ keys: [owner] });
  expect(await listFor(gateway, key)).toEqual(["shared__echo"]);
  expect(await outcomeOf(callAs(gateway, key, "own__echo"))).toBe("auth/token_required");
  expect(upstream.count("tools/list")).toBe(0);
});

test("two tokens of one person with other scopes have lists of their own", async () => {
  const { provider, gateway, upstream } = await open();
  const [one, other] = [await provider.sign("ada", { scope: "a" }), await provider.sign("ada", { scope: "b" })];
  await listFor(gateway, one);
  await listFor(gateway, other);
  await listFor(gateway, one);
  expect(upstream.count("tools/list", "ada")).toBe(2);
});

test("a token that the upstream shows in its list does not reach the caller", async () => {
  const { gateway, upstream, ada } = await open();
  upstream.showsToken = true;
  expect(await listFor(gateway, ada)).toEqual(["own__echo", "own__only_ada", "shared__echo"]);
  expect((await ask(gateway, ada, "tools/list")).text).not.toContain("eyJ");
});

test("a slow list is waited for in a call as long as the caller has time, and in a list for three seconds", async () => {
  const { gateway, upstream, ada } = await open();
  const { promise, resolve } = Promise.withResolvers<void>();
  upstream.held = promise;
  const list = listFor(gateway, ada);
  await eventually(() => expect(upstream.count("tools/list", "ada")).toBe(1));
  const called = outcomeOf(callAs(gateway, ada, "own__echo"));
  await pass(3_000);
  expect(await list).toEqual(["shared__echo"]);
  await pass(3_000);
  resolve();
  expect(await called).toBe("ada echo");
  expect(upstream.count("tools/list", "ada")).toBe(1);
});

test("a new configuration serves callers as before", async () => {
  const { provider, gateway, upstreams, ada } = await open();
  expect(await listFor(gateway, ada)).toContain("own__only_ada");
  const jwt = { issuer: provider.issuer, audience: "https://tools.example/mcp", jwksUrl: provider.jwksUrl };
  await gateway.reload(
    testConfig({
      authentication: "required",
      publicUrl: "https://tools.example",
      hosts: "any",
      upstreams,
      drainMs: 0,
      jwt: { ...jwt, tenantClaim: "tenant", tools: ["own__only_*"], dialect: undefined },
    }),
  );
  expect(await listFor(gateway, ada)).toEqual(["own__only_ada"]);
  expect(await outcomeOf(callAs(gateway, ada, "own__only_ada"))).toBe("ada only_ada");
});
