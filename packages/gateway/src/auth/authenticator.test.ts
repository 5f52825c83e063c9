import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { headWith } from "../../test/support/head.ts";
import { sha256Hex } from "../call/binding.ts";
import type { Caller } from "../call/caller.ts";
import type { KeyStore } from "../stores/keys.ts";
import { createApiKey } from "./api-keys.ts";
import { createAuthenticator, readCredential } from "./authenticator.ts";

const SILENT = { switched() {}, log() {} };
const OPEN = createApiKey();
const NAMED = "a key that another system made".replaceAll(" ", "-");
const CONFIG = {
  authentication: "required",
  keyCacheMs: 60_000,
  jwt: undefined,
  keys: [
    {
      id: "ci",
      tenant: "acme",
      sha256: OPEN.sha256.toUpperCase(),
      tools: ["shop__*"],
      scopes: ["refunds"],
      entitlements: ["pro"],
      dialect: "onx",
    },
    {
      id: "old",
      tenant: "acme",
      sha256: sha256Hex(NAMED),
      tools: ["*"],
      scopes: [],
      entitlements: [],
      dialect: undefined,
    },
  ],
} as const;

test("a key of the file is found by its digest, in both headers, and is one value for all its calls", () => {
  const { authenticator } = createAuthenticator(CONFIG, { keys: undefined }, SILENT);
  const caller = authenticator(headWith({ authorization: `Bearer ${OPEN.key}` }));
  expect(caller).toEqual({
    id: '["key","acme","ci"]',
    tenant: "acme",
    subject: "ci",
    tools: ["shop__*"],
    scopes: new Set(["refunds"]),
    entitlements: new Set(["pro"]),
    dialect: "onx",
  });
  expect(authenticator(headWith({ "x-api-key": OPEN.key }))).toBe(caller);
  expect(authenticator(headWith({ "x-api-key": NAMED }))).toMatchObject({ subject: "old" });
});

describe("requests of one connection", () => {
  const connection = {};
  const headOf = (headers: Readonly<Record<string, string>>, on: object | undefined = connection) => ({
    ...headWith(headers),
    connection: on,
  });
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

  test("are each judged by what they show: a proxy mixes callers", () => {
    const { authenticator } = createAuthenticator(CONFIG, { keys: undefined }, SILENT);
    const ci = authenticator(headOf(bearer(OPEN.key)));
    expect(ci).toMatchObject({ subject: "ci" });
    expect(authenticator(headOf(bearer(OPEN.key)))).toBe(ci);
    expect(authenticator(headOf(bearer(NAMED)))).toMatchObject({ subject: "old" });
    expect(authenticator(headOf(bearer(OPEN.key)))).toBe(ci);
    for (const headers of [
      {},
      bearer(`${OPEN.key}x`),
      bearer(OPEN.key.slice(0, -1)),
      bearer(`${OPEN.key.slice(0, -1)}!`),
      { "x-api-key": `Bearer ${OPEN.key}` },
      { ...bearer(OPEN.key), "x-api-key": NAMED },
      { ...bearer(OPEN.key), "x-api-key": "" },
    ] as const) {
      expect(authenticator(headOf(headers))).toMatchObject({ kind: "unauthenticated" });
      expect(authenticator(headOf(bearer(OPEN.key)))).toBe(ci);
    }
  });

  test("get the answers of connections of their own", () => {
    const shared = createAuthenticator(CONFIG, { keys: undefined }, SILENT).authenticator;
    const own = createAuthenticator(CONFIG, { keys: undefined }, SILENT).authenticator;
    const keys = fc.constantFrom(OPEN.key, NAMED, `${NAMED}x`, NAMED.toUpperCase(), "", "a b");
    const headers = fc.record(
      { authorization: keys.map((key) => `Bearer ${key}`), "x-api-key": keys },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(headers, { maxLength: 20 }), (requests) => {
        for (const one of requests) expect(shared(headOf(one))).toEqual(own(headOf(one, {})));
      }),
    );
  });

  test("are refused from the moment on at which new connections are", async () => {
    const clock = { ms: 0 };
    const found = { ...CONFIG.keys[1], prefix: OPEN.prefix, sha256: Buffer.from(OPEN.sha256, "hex") };
    let stored: object | undefined = { ...found, expires: new Date(60_000), revoked: undefined, lastUsed: undefined };
    const store = { find: async () => stored, markUsed: async () => {} } as unknown as KeyStore;
    const time = { now: () => clock.ms, elapsed: () => clock.ms };
    const config = { ...CONFIG, keys: [], keyCacheMs: 10_000 };
    const { authenticator } = createAuthenticator(config, { keys: store }, SILENT, time);
    const head = headOf(bearer(OPEN.key));
    await authenticator(head);
    const known = authenticator(head);
    expect(known).toMatchObject({ subject: "old" });
    clock.ms = 4_999;
    expect(authenticator(head)).toBe(known);
    stored = { ...stored, revoked: new Date(5_000) };
    clock.ms = 10_000;
    expect(await authenticator(head)).toMatchObject({ kind: "unauthenticated" });
    stored = { ...stored, revoked: undefined };
    clock.ms = 15_000;
    expect(await authenticator(head)).toMatchObject({ subject: "old" });
    clock.ms = 60_000;
    expect(await authenticator(head)).toMatchObject({ kind: "unauthenticated" });
  });
});

test("every refusal is one and the same value", () => {
  const { authenticator } = createAuthenticator(CONFIG, { keys: undefined }, SILENT);
  const refusals = [
    {},
    { authorization: "Basic abc" },
    { authorization: `Bearer ${createApiKey().key}` },
    { authorization: `Bearer ${OPEN.key}x` },
    { authorization: `Bearer ${OPEN.key}`, "x-api-key": NAMED },
    { authorization: "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0." },
  ].map((headers: Readonly<Record<string, string>>) => authenticator(headWith(headers)));
  expect(new Set(refusals).size).toBe(1);
  expect(refusals[0]).toMatchObject({ kind: "unauthenticated", reason: "auth/unauthorized", effect: "none" });
});

test("without authentication, each address is one caller without scopes and entitlements", () => {
  const { authenticator } = createAuthenticator({ ...CONFIG, authentication: "none" }, { keys: undefined }, SILENT);
  const one = authenticator(headWith({}, "10.0.0.1")) as Caller;
  expect(one).toEqual({
    id: '["address","anonymous","10.0.0.1"]',
    tenant: "anonymous",
    subject: "10.0.0.1",
    tools: ["*"],
    scopes: new Set(),
    entitlements: new Set(),
    dialect: undefined,
  });
  expect(authenticator(headWith({ authorization: "Bearer whatever" }, "10.0.0.1"))).toBe(one);
  expect(authenticator(headWith({}, "10.0.0.2"))).not.toMatchObject({ id: one.id });
});

test.each([
  [{ authorization: "Bearer abc" }, "abc"],
  [{ authorization: "bearer  abc " }, "abc"],
  [{ "x-api-key": "abc" }, "abc"],
  [{ authorization: "Bearer abc", "x-api-key": "abc" }, "abc"],
  [{ authorization: "Bearer abc", "x-api-key": "abd" }, undefined],
  [{ authorization: "Basic abc", "x-api-key": "abc" }, undefined],
  [{ authorization: "Bearer a b" }, undefined],
  [{ authorization: "Bearer" }, undefined],
  [{ authorization: "" }, undefined],
  [{ "x-api-key": "" }, undefined],
  [{ "x-api-key": "a, b" }, undefined],
  [{ authorization: `Bearer ${"a".repeat(8_193)}` }, undefined],
  [{}, undefined],
])("%j", (headers: Readonly<Record<string, string>>, credential) => {
  expect(readCredential(headWith(headers))).toBe(credential);
});
