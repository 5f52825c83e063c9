// A token for each caller, exchanged for the caller's own at a real authorization server.

import { beforeEach, expect, test } from "vitest";
import { createApiKey } from "../../src/auth/api-keys.ts";
import {
  asked,
  callWith,
  guardedConfig,
  holdTokens,
  openGateway,
  openGuarded,
  openProvider,
  outcomeOf,
  pass,
} from "./support.ts";

beforeEach(holdTokens);

async function open() {
  const provider = await openProvider();
  const upstream = await openGuarded(provider);
  const gateway = await openGateway(provider, [guardedConfig(upstream, "exchange", provider)]);
  return { provider, upstream, gateway };
}

test("each caller is seen as itself, with a token for the upstream and never with its own", async () => {
  const { provider, upstream, gateway } = await open();
  const tokens = await Promise.all(["ada", "bob"].map((name) => provider.sign(name)));
  expect(await Promise.all(tokens.map((token) => outcomeOf(callWith(gateway, token))))).toEqual(["ada", "bob"]);
  expect(await outcomeOf(callWith(gateway, tokens[0] as string))).toBe("ada");
  expect(asked(provider)).toEqual({ client_credentials: 1, exchange: 2 });
  const calls = upstream.seen.filter(({ method }) => method === "tools/call");
  expect(calls.map(({ subject }) => subject).sort()).toEqual(["ada", "ada", "bob"]);
  expect(upstream.seen.some(({ token }) => tokens.includes(token))).toBe(false);
  // Lists and the handshake are the gateway's own.
  const others = upstream.seen.filter(({ method }) => method !== "tools/call");
  expect(new Set(others.map(({ subject }) => subject))).toEqual(new Set(["gateway"]));
});

test("a caller with an API key is refused, and nothing is sent", async () => {
  const provider = await openProvider();
  const upstream = await openGuarded(provider);
  const { key, sha256 } = createApiKey();
  const owner = { id: "ci", tenant: "acme", sha256, tools: ["*"], scopes: [], entitlements: [], dialect: undefined };
  const gateway = await openGateway(provider, [guardedConfig(upstream, "exchange", provider)], { keys: [owner] });
  const answer = await callWith(gateway, key);
  expect(answer.text).toContain("auth/token_required");
  expect(answer.text).toContain('"kind":"forbidden"');
  expect(answer.text).toContain('"effect":"none"');
  expect(upstream.seen.filter(({ method }) => method === "tools/call")).toEqual([]);
  expect(asked(provider)).toEqual({ client_credentials: 1 });
});

test.each([
  ["invalid_grant", "auth/exchange_refused"],
  ["access_denied", "auth/exchange_refused"],
  ["invalid_target", "core/misconfigured"],
  ["server_error", "core/unavailable"],
] as const)("where the service answers %s the call ends with %s, unsent, and others go on", async (code, reason) => {
  const { provider, upstream, gateway } = await open();
  provider.mood.refused.set("eve", code);
  const [ada, eve] = [await provider.sign("ada"), await provider.sign("eve")];
  const answer = await callWith(gateway, eve);
  expect(answer.text).toContain(`"${reason}"`);
  expect(answer.text).toContain('"effect":"none"');
  expect(await outcomeOf(callWith(gateway, ada))).toBe("ada");
  // The answer is remembered for a moment.
  const before = asked(provider)["exchange"];
  expect(await outcomeOf(callWith(gateway, eve))).toBe(reason);
  expect(asked(provider)["exchange"]).toBe(before);
  expect(upstream.seen.map(({ subject }) => subject)).not.toContain("eve");
});

test("a token that the upstream refuses is replaced once, and the call is sent again", async () => {
  const { provider, upstream, gateway } = await open();
  const ada = await provider.sign("ada");
  await outcomeOf(callWith(gateway, ada));
  upstream.revoked.add(upstream.seen.at(-1)?.token ?? "");
  expect(await outcomeOf(callWith(gateway, ada))).toBe("ada");
  const calls = upstream.seen.filter(({ method }) => method === "tools/call");
  expect(calls.map(({ status }) => status)).toEqual([200, 401, 200]);
  expect(asked(provider)["exchange"]).toBe(2);
});

test("an upstream that refuses every token is not tried again and again, and the service is left alone", async () => {
  const { provider, upstream, gateway } = await open();
  const ada = await provider.sign("ada");
  await outcomeOf(callWith(gateway, ada));
  upstream.refusal = { status: 401, challenge: 'Bearer error="invalid_token"' };
  const before = upstream.seen.length;
  for (let call = 0; call < 10; call++) expect(await outcomeOf(callWith(gateway, ada))).toBe("rest/upstream_auth");
  expect(upstream.seen.length - before).toBe(11);
  expect(asked(provider)["exchange"]).toBe(2);
});

test("a scope that is missing is no reason for another token", async () => {
  const { provider, upstream, gateway } = await open();
  const ada = await provider.sign("ada");
  upstream.refusal = undefined;
  await outcomeOf(callWith(gateway, ada));
  upstream.refusal = { status: 403, challenge: 'Bearer error="insufficient_scope", scope="admin"' };
  const before = upstream.seen.length;
  expect(await outcomeOf(callWith(gateway, ada))).toBe("rest/upstream_forbidden");
  expect(upstream.seen.length - before).toBe(1);
  expect(asked(provider)["exchange"]).toBe(1);
});

test("while the service is away, callers with a kept token go on and others are told to wait; then it is asked again", async () => {
  const { provider, gateway } = await open();
  const [ada, bob] = [await provider.sign("ada"), await provider.sign("bob")];
  await outcomeOf(callWith(gateway, ada));
  // The issuer's keys are known to the gateway and to the upstream by now.
  await provider.stop();
  const answer = await callWith(gateway, bob);
  expect(answer.text).toContain('"core/unavailable"');
  expect(answer.text).toContain('"effect":"none"');
  expect(answer.text).toMatch(/"retry":\{"allowed":true,"afterMs":\d+/);
  expect(await outcomeOf(callWith(gateway, ada))).toBe("ada");
  await provider.start();
  pass(250);
  expect(await outcomeOf(callWith(gateway, bob))).toBe("bob");
  expect(await outcomeOf(callWith(gateway, ada))).toBe("ada");
});

test("a breaker does not hold an upstream back because its tokens cannot be had", async () => {
  const provider = await openProvider();
  const upstream = await openGuarded(provider);
  const breaker = { failures: 2, pauseMs: 60_000, maxPauseMs: 60_000 };
  const gateway = await openGateway(provider, [guardedConfig(upstream, "exchange", provider)], { breaker });
  const ada = await provider.sign("ada");
  await outcomeOf(callWith(gateway, ada));
  provider.mood.status = 503;
  for (const name of ["b", "c", "d", "e", "f"])
    expect(await outcomeOf(callWith(gateway, await provider.sign(name)))).toBe("core/unavailable");
  expect(await outcomeOf(callWith(gateway, ada))).toBe("ada");
});
