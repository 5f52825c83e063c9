// One token of the gateway itself, fetched from a real authorization server.
import { eventually } from "@recourse/test-kit/eventually";
import { beforeEach, expect, test } from "vitest";
import { TOKEN_LIFE_MS } from "../support/token-provider.ts";
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
  const { provider, upstream, call } = await open();
  expect(await call()).toBe("gateway");
  const shown = () => new Set(upstream.seen.map(({ token }) => token)).size;
  for (const renewals of [1, 2, 3]) {
    const release = provider.hold();
    pass(TOKEN_LIFE_MS * 0.85);
    // There is no new one yet, and no call waits for it.
    for (let calls = 0; calls < 10; calls++) expect(await call()).toBe("gateway");
    await eventually(() => expect(provider.requests).toHaveLength(1 + renewals));
    expect(shown()).toBe(renewals);
    release();
    await eventually(async () => {
      expect(await call()).toBe("gateway");
      expect(shown()).toBe(1 + renewals);
    });
  }
  expect(asked(provider)).toEqual({ client_credentials: 4 });
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
  const { provider, upstream, gateway, call } = await open();
  expect(await call()).toBe("gateway");
  provider.mood.status = 401;
  pass(TOKEN_LIFE_MS);
  const before = { sent: upstream.seen.length, asked: provider.requests.length };
  const outcomes = await Promise.all(Array.from({ length: 20 }, call));
  expect(new Set(outcomes)).toEqual(new Set(["core/misconfigured"]));
  expect(upstream.seen.length).toBe(before.sent);
  expect(provider.requests.length - before.asked).toBe(1);
  expect(gateway.lines.filter((line) => line.includes('"credential of up away"'))).toHaveLength(1);
  expect(gateway.lines.join("")).toContain("invalid_client");
  provider.mood.status = undefined;
  expect(await call()).toBe("core/misconfigured");
  pass(250);
  expect(await call()).toBe("gateway");
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
  expect(provider.requests).toHaveLength(1);
});

test("a service that is away, slow or fails is not hammered, and calls go on when it is back", async () => {
  const { provider, call } = await open();
  expect(await call()).toBe("gateway");
  provider.mood.status = 503;
  pass(TOKEN_LIFE_MS);
  const before = provider.requests.length;
  for (let calls = 0; calls < 100; calls++) {
    expect(await call()).toBe("core/unavailable");
    pass(20);
  }
  // Pauses of 250, 500 and 1000 ms.
  expect(provider.requests.length - before).toBe(4);
  provider.mood.status = undefined;
  pass(2_000);
  expect(await call()).toBe("gateway");
});

test("requests for tokens are counted by what came of them", async () => {
  const { provider, gateway, call } = await open();
  await call();
  provider.mood.status = 500;
  pass(TOKEN_LIFE_MS);
  await call();
  const metrics = await gateway.metrics();
  expect(metrics).toMatch(/recourse_credential_requests[^\n]*recourse_upstream="up"[^\n]*outcome="given"[^\n]* [1-9]/);
  expect(metrics).toMatch(
    /recourse_credential_requests[^\n]*recourse_upstream="up"[^\n]*outcome="unavailable"[^\n]* [1-9]/,
  );
});
