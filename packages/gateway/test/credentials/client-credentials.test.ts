// One token of the gateway itself, fetched from a real authorization server.
import { expect, test } from "vitest";
import { asked, callWith, guardedConfig, openGateway, openGuarded, openProvider, outcomeOf } from "./support.ts";

async function open(options: { readonly lifeSeconds?: number } = {}) {
  const provider = await openProvider(options);
  const upstream = await openGuarded(provider);
  const gateway = await openGateway(provider, [guardedConfig(upstream, "clientCredentials", provider)]);
  const ada = await provider.sign("ada");
  return { provider, upstream, gateway, call: () => outcomeOf(callWith(gateway, ada)) };
}

test("one token is fetched for everything, and all callers are seen as the gateway", async () => {
  const { provider, upstream, call } = await open();
  expect(new Set(await Promise.all(Array.from({ length: 50 }, call)))).toEqual(new Set(["gateway"]));
  expect(asked(provider)).toEqual({ client_credentials: 1 });
  expect(new Set(upstream.seen.map(({ token }) => token)).size).toBe(1);
});

test("a token is replaced in the background before its end, without a call that waits for it", async () => {
  const { provider, upstream, call } = await open({ lifeSeconds: 3 });
  expect(await call()).toBe("gateway");
  provider.mood.delayMs = 300;
  const tookMs: number[] = [];
  const untilMs = Date.now() + 4_000;
  while (Date.now() < untilMs) {
    const beganMs = Date.now();
    expect(await call()).toBe("gateway");
    tookMs.push(Date.now() - beganMs);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(Math.max(...tookMs)).toBeLessThan(250);
  expect(asked(provider)["client_credentials"]).toBeGreaterThan(2);
  expect(asked(provider)["client_credentials"]).toBeLessThan(8);
  expect(upstream.seen.every(({ status }) => status === 200)).toBe(true);
});

test("keys of the issuer that are replaced: the token that the upstream refuses is replaced, once for all calls", async () => {
  const { provider, upstream, call } = await open();
  expect(await call()).toBe("gateway");
  await provider.rotate({ forget: true });
  upstream.forgetKeys();
  expect(new Set(await Promise.all(Array.from({ length: 30 }, call)))).toEqual(new Set(["gateway"]));
  expect(asked(provider)).toEqual({ client_credentials: 2 });
  expect(upstream.seen.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(30);
});

test("a client that is refused is told to the operator once, and callers learn that it is set up wrongly", async () => {
  const { provider, upstream, gateway, call } = await open({ lifeSeconds: 1 });
  expect(await call()).toBe("gateway");
  provider.mood.status = 401;
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  const before = { sent: upstream.seen.length, asked: provider.requests.length };
  const outcomes = await Promise.all(Array.from({ length: 20 }, call));
  expect(new Set(outcomes)).toEqual(new Set(["core/misconfigured"]));
  expect(upstream.seen.length).toBe(before.sent);
  expect(provider.requests.length - before.asked).toBe(1);
  expect(gateway.lines.filter((line) => line.includes('"credential of up away"'))).toHaveLength(1);
  expect(gateway.lines.join("")).toContain("invalid_client");
  provider.mood.status = undefined;
  await expect.poll(call, { timeout: 5_000 }).toBe("gateway");
  expect(gateway.lines.filter((line) => line.includes('"credential of up back"'))).toHaveLength(1);
});

test("a client whose secret was wrong from the start reads no lists, and is not hammered", async () => {
  const provider = await openProvider();
  const upstream = await openGuarded(provider);
  const config = guardedConfig(upstream, "clientCredentials", provider);
  const wrong = { ...config.credential, clientSecret: "another-secret-0123456789" } as typeof config.credential;
  const gateway = await openGateway(provider, [{ ...config, credential: wrong }]);
  const ada = await provider.sign("ada");
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => outcomeOf(callWith(gateway, ada))));
  expect(new Set(outcomes)).toEqual(new Set(["core/unavailable"]));
  expect(upstream.seen).toEqual([]);
  expect(gateway.lines.filter((line) => line.includes('"credential of up away"'))).toHaveLength(1);
  expect(provider.requests.length).toBeLessThan(6);
});

test("a service that is away, slow or fails is not hammered, and calls go on when it is back", async () => {
  const { provider, call } = await open({ lifeSeconds: 2 });
  expect(await call()).toBe("gateway");
  provider.mood.status = 503;
  await new Promise((resolve) => setTimeout(resolve, 2_100));
  const before = provider.requests.length;
  const untilMs = Date.now() + 2_000;
  let calls = 0;
  while (Date.now() < untilMs) {
    calls += 1;
    expect(await call()).toBe("core/unavailable");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(calls).toBeGreaterThan(50);
  // Pauses of 250, 500 and 1000 ms.
  expect(provider.requests.length - before).toBeLessThanOrEqual(4);
  provider.mood.status = undefined;
  await expect.poll(call, { timeout: 5_000 }).toBe("gateway");
});

test("requests for tokens are counted by what came of them", async () => {
  const { provider, gateway, call } = await open({ lifeSeconds: 1 });
  await call();
  provider.mood.status = 500;
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  await call();
  const metrics = await gateway.metrics();
  expect(metrics).toMatch(/recourse_credential_requests[^\n]*recourse_upstream="up"[^\n]*outcome="given"[^\n]* [1-9]/);
  expect(metrics).toMatch(
    /recourse_credential_requests[^\n]*recourse_upstream="up"[^\n]*outcome="unavailable"[^\n]* [1-9]/,
  );
});
