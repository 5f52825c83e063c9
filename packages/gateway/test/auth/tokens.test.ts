// Tokens of an issuer whose keys are read over HTTP.
import { createHmac } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { createAuthenticator } from "../../src/auth/authenticator.ts";
import { UNAUTHORIZED } from "../../src/auth/credential-cache.ts";
import { recorder } from "../support/recorder.ts";
import { AUDIENCE, ISSUER, type SigningKey, signingKey, startIssuer } from "./issuer.ts";
import { answerTo, fakeClock, headOf } from "./support.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function open(names: readonly string[] = ["one"], alg?: string) {
  const clock = fakeClock();
  const keys = await Promise.all(names.map((name) => signingKey(name, clock.now, alg)));
  const issuer = await startIssuer(keys);
  const observer = recorder();
  const jwt = {
    issuer: ISSUER,
    audience: AUDIENCE,
    jwksUrl: issuer.url,
    tenantClaim: "org",
    entitlementsClaim: "plan",
    tools: ["shop__*"],
    dialect: "onx",
  } as const;
  const config = { authentication: "required", keys: [], keyCacheMs: 60_000, jwt } as const;
  const one = createAuthenticator(config, { keys: undefined }, observer, clock);
  closers.push(issuer.close, one.close);
  return { ...one, clock, issuer, observer, key: keys[0] as SigningKey };
}

const text = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

test("a token becomes its caller: tenant, subject, scopes and entitlements from its claims", async () => {
  const { authenticator, key, issuer } = await open();
  const token = await key.sign({ org: "acme", scope: "orders refunds", scp: ["admin"], plan: ["pro"] });
  const caller = await authenticator(headOf(token));
  expect(caller).toEqual({
    id: '["https://login.example","acme","ada"]',
    tenant: "acme",
    subject: "ada",
    tools: ["shop__*"],
    scopes: new Set(["orders", "refunds", "admin"]),
    entitlements: new Set(["pro"]),
    dialect: "onx",
    hasToken: true,
  });
  expect(authenticator(headOf(token))).toBe(caller);
  expect(issuer.state.reads).toBe(1);
});

test.each(["RS256", "PS256", "EdDSA"])("signatures by %s are accepted", async (alg) => {
  const one = await open(["one"], alg);
  await expect(answerTo(one, await one.key.sign({ scp: "a b" }))).resolves.toBe("ada");
});

test("an issuer that names no tenant is one tenant", async () => {
  const { authenticator, key } = await open();
  await expect(authenticator(headOf(await key.sign({})))).resolves.toMatchObject({ tenant: ISSUER, scopes: new Set() });
});

test("every refusal is one value, and nothing of a token is logged", async () => {
  const { authenticator, key, clock, observer } = await open();
  const stranger = await signingKey("one", clock.now);
  const seconds = Math.floor(clock.now() / 1_000);
  const good = await key.sign({});
  const [header = "", payload = "", signature = ""] = good.split(".");
  const secret = createHmac("sha256", JSON.stringify(key.jwk));
  const symmetric = `${text({ alg: "HS256", kid: "one" })}.${payload}`;
  const tokens = [
    await key.sign({ exp: seconds - 1 }),
    await key.sign({ exp: seconds }),
    await key.sign({ nbf: seconds + 60 }),
    await key.sign({ exp: undefined }),
    await key.sign({ aud: "https://other.example" }),
    await key.sign({ iss: "https://other.example" }),
    await key.sign({ sub: undefined }),
    await key.sign({ sub: "" }),
    await key.sign({ sub: "a\u0000da" }),
    await key.sign({ org: "acme\n" }),
    await stranger.sign({}),
    `${header}.${text({ iss: ISSUER, aud: AUDIENCE, sub: "root", exp: seconds + 600 })}.${signature}`,
    `${text({ alg: "none" })}.${payload}.`,
    `${symmetric}.${secret.update(symmetric).digest("base64url")}`,
    "eyJhbGciOiJFUzI1NiJ9.bm90IGpzb24.c2ln",
    `${good}x`,
  ];
  for (const token of tokens) expect(await authenticator(headOf(token))).toBe(UNAUTHORIZED);
  await expect(authenticator(headOf(good))).resolves.toMatchObject({ subject: "ada" });
  expect(observer).toMatchObject({ lines: [], switches: [] });
});

test("a token is accepted from memory for a minute, never beyond its expiry", async () => {
  const one = await open();
  const token = await one.key.sign({ exp: Math.floor(one.clock.now() / 1_000) + 30 });
  await expect(answerTo(one, token)).resolves.toBe("ada");
  one.clock.pass(29_999);
  expect(one.authenticator(headOf(token))).toMatchObject({ subject: "ada" });
  one.clock.pass(1);
  expect(one.authenticator(headOf(token))).toBe(UNAUTHORIZED);
  const longer = await one.key.sign({});
  await answerTo(one, longer);
  one.clock.pass(59_999);
  expect(one.authenticator(headOf(longer))).not.toBeInstanceOf(Promise);
  one.clock.pass(1);
  expect(one.authenticator(headOf(longer))).toBeInstanceOf(Promise);
});

test("after a rotation the new key is read once, and a flood of unknown keys reads no more often", async () => {
  const one = await open();
  const next = await signingKey("two", one.clock.now);
  await expect(answerTo(one, await one.key.sign({}))).resolves.toBe("ada");
  one.issuer.state.keys = [next];
  one.clock.pass(30_000);
  await expect(answerTo(one, await next.sign({ sub: "grace" }))).resolves.toBe("grace");
  expect(one.issuer.state.reads).toBe(2);
  // The old key is gone, so what it signed is refused when it has to be verified again.
  await expect(answerTo(one, await one.key.sign({ sub: "eve" }))).resolves.toBe("unauthenticated");
  for (let turn = 0; turn < 50; turn++) {
    const forged = await one.key.sign({}, { kid: `unknown-${turn}` });
    await expect(answerTo(one, forged)).resolves.toBe("unauthenticated");
  }
  expect(one.issuer.state.reads).toBe(2);
  one.clock.pass(30_000);
  await Promise.all(
    Array.from({ length: 10 }, async (_, turn) => answerTo(one, await one.key.sign({}, { kid: `other-${turn}` }))),
  );
  expect(one.issuer.state.reads).toBe(3);
});

test("keys are read again after ten minutes, while calls go on with those that are known", async () => {
  const one = await open();
  await answerTo(one, await one.key.sign({}));
  one.clock.pass(600_000);
  await expect(answerTo(one, await one.key.sign({ sub: "grace" }))).resolves.toBe("grace");
  await expect.poll(() => one.issuer.state.reads).toBe(2);
});

test("with the issuer away, known keys go on and unknown ones get 503; without any key, all do", async () => {
  const one = await open();
  one.issuer.state.isBroken = true;
  const token = await one.key.sign({});
  for (let calls = 0; calls < 5; calls++) await expect(answerTo(one, token)).resolves.toBe("unavailable");
  // After a failure it is left alone for a second.
  expect(one.issuer.state.reads).toBe(1);
  expect(one.observer.switches).toEqual(["tokens away"]);

  one.issuer.state.isBroken = false;
  one.clock.pass(1_000);
  await expect(answerTo(one, token)).resolves.toBe("ada");
  expect(one.observer.switches).toEqual(["tokens away", "tokens back"]);

  await one.issuer.close();
  one.clock.pass(3_600_000);
  await expect(answerTo(one, await one.key.sign({ sub: "grace" }))).resolves.toBe("grace");
  const unknown = await signingKey("two", one.clock.now);
  await expect(answerTo(one, await unknown.sign({}))).resolves.toBe("unavailable");
  expect(one.observer.switches).toEqual(["tokens away", "tokens back", "tokens away"]);
  // Keys that could not be read for a day are no longer trusted.
  one.clock.pass(24 * 3_600_000);
  await expect(answerTo(one, await one.key.sign({ sub: "hedy" }))).resolves.toBe("unavailable");
  expect(one.observer.lines.join()).not.toContain("eyJ");
});
