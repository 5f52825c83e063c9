import { closeAfterTest, openUpstream } from "@recourse/test-kit/fixtures";
import { answerJson, type Hit, type TestUpstream, type UpstreamAnswer } from "@recourse/test-kit/loopback";
import { describe, expect, test } from "vitest";
import { createNetwork } from "../network/create-network.ts";
import type { Operation } from "../operations/operation.ts";
import type { SecurityScheme } from "../operations/security.ts";
import type { ApiRequest } from "../request/build-request.ts";
import { clientCredentials } from "./client-credentials.ts";
import {
  applyCredentials,
  type Credential,
  type CredentialContext,
  type Credentials,
  type CredentialUse,
  chooseCredentials,
} from "./credential.ts";
import { apiKey, basic, bearer, forward } from "./simple-credentials.ts";

function createContext(more: Partial<CredentialContext> = {}): CredentialContext {
  const network = closeAfterTest(createNetwork({ allowPrivate: true }));
  return { callerHeader: () => undefined, network, signal: undefined, now: () => 0, ...more };
}

const REQUEST: ApiRequest = {
  method: "GET",
  url: new URL("https://api.example/v1/a?b=1"),
  headers: { accept: "x", cookie: "a=1" },
};

const apply = (credential: Credential, context = createContext()) =>
  applyCredentials(REQUEST, [{ credential, scheme: undefined }], context);

async function sentWith(credential: Credential, scheme?: SecurityScheme): Promise<unknown> {
  const applied = await applyCredentials(REQUEST, [{ credential, scheme }], createContext());
  return applied.ok ? { url: applied.request.url.href, headers: applied.request.headers } : applied.fault;
}

describe("a credential is sent in its place", () => {
  test.each<[string, Credential, SecurityScheme | undefined, object]>([
    ["bearer", bearer("token-1"), undefined, { headers: { authorization: "Bearer token-1" } }],
    ["basic", basic("user", "päss"), undefined, { headers: { authorization: "Basic dXNlcjpww6Rzcw==" } }],
    ["basic without a password", basic("sk_1"), undefined, { headers: { authorization: "Basic c2tfMTo=" } }],
    ["header", apiKey("k 1"), { type: "apiKey", in: "header", key: "X-Key" }, { headers: { "x-key": "k 1" } }],
    ["query", apiKey("k&1=2"), { type: "apiKey", in: "query", key: "a k" }, { url: `${REQUEST.url}&a%20k=k%261%3D2` }],
    ["cookie", apiKey("k1"), { type: "apiKey", in: "cookie", key: "sid" }, { headers: { cookie: "a=1; sid=k1" } }],
    ["a place of its own", apiKey("k1", { in: "header", name: "X-K" }), undefined, { headers: { "x-k": "k1" } }],
  ])("%s", async (_, credential, scheme, expected) => {
    expect(await sentWith(credential, scheme)).toMatchObject(expected);
    expect(credential.owner).toBe("own");
    expect(credential.secrets.length).toBeGreaterThan(0);
  });
});

test("a credential replaces what the arguments wrote in its place", async () => {
  const request = {
    ...REQUEST,
    url: new URL("https://api.example/?key=mine&x=1&key=too"),
    headers: { cookie: "sid=mine" },
  };
  const uses = [
    { credential: apiKey("own-1", { in: "query", name: "key" }), scheme: undefined },
    { credential: apiKey("own-2", { in: "cookie", name: "sid" }), scheme: undefined },
  ];
  const applied = await applyCredentials(request, uses, createContext());
  expect(applied.ok && [applied.request.url.search, applied.request.headers]).toEqual([
    "?x=1&key=own-1",
    { cookie: "sid=own-2" },
  ]);
});

describe("a value that could end its header is refused, and not shown", () => {
  const values = ["", "a\r\nX-Evil: 1", "a\nb", "\u0000", " padded", "ключ", "x".repeat(9_000)];
  test.each(values)("%j", (value) => {
    for (const make of [bearer, apiKey]) expect(() => make(value)).toThrow(/^the (token|key) is not a line/);
  });

  test("a name or secret that cannot be sent", () => {
    expect(() => basic("a:b", "c")).toThrow(TypeError);
    expect(() => basic("a", "c\r\nd")).toThrow(TypeError);
    expect(() => apiKey("a;b", { in: "cookie", name: "sid" })).toThrow("cookie");
    for (const name of ["a b", "Host", "Content-Length", "Transfer-Encoding", "Cookie"])
      expect(() => apiKey("ab", { in: "header", name })).toThrow("header");
    expect(() => forward("a b")).toThrow("header");
    expect(() => clientCredentials({ tokenUrl: "/token", clientId: "a", clientSecret: "b" })).toThrow("tokenUrl");
    expect(() => clientCredentials({ tokenUrl: "https://a.example", clientId: "a", clientSecret: "\n" })).toThrow(
      "secret",
    );
  });
});

describe("the caller's own header", () => {
  const callerHeader = (name: string) => ({ authorization: "Bearer callers-token", "x-bad": "a\r\nb" })[name];

  test("is forwarded, and kept out of answers", async () => {
    const applied = await apply(forward("Authorization"), createContext({ callerHeader }));
    expect(applied).toMatchObject({ ok: true, request: { headers: { authorization: "Bearer callers-token" } } });
    expect(applied.ok && applied.secrets?.has("callers-token")).toBe(true);
  });

  test.each(["x-other", "x-bad"])("%s: one that cannot be sent asks the caller to authenticate", async (name) => {
    const applied = await apply(forward(name), createContext({ callerHeader }));
    expect(applied).toMatchObject({ ok: false, fault: { reason: "auth/unauthorized" } });
  });
});

describe("the credentials of an operation", () => {
  const schemes = new Map<string, SecurityScheme>([
    ["bearer", { type: "http", scheme: "bearer" }],
    ["basic", { type: "http", scheme: "basic" }],
    ["header", { type: "apiKey", in: "header", key: "X-Key" }],
    ["auth", { type: "apiKey", in: "header", key: "Authorization" }],
    ["oauth", { type: "oauth2" }],
    ["mtls", { type: "mutualTLS" }],
  ]);
  const chosen = (ways: readonly (readonly string[])[], credentials?: Credentials, isDeclared = true) => {
    const security = ways.map((way) => way.map((scheme) => ({ scheme, scopes: [] })));
    const uses = chooseCredentials({ security } as unknown as Operation, { credentials, schemes, isDeclared });
    return uses?.map(({ scheme }: CredentialUse) => [...schemes].find(([, one]) => one === scheme)?.[0] ?? "anywhere");
  };
  const [token, key] = [bearer("token-1"), apiKey("key-1")];

  test("satisfy one requirement, with all its schemes", () => {
    expect(chosen([["basic"], ["bearer"]], token)).toEqual(["bearer"]);
    expect(chosen([["header", "bearer"]], { header: key, bearer: token })).toEqual(["header", "bearer"]);
    expect(chosen([["header", "bearer"]], token)).toBeUndefined();
    expect(chosen([["header", "bearer"], ["oauth"]], token)).toEqual(["oauth"]);
  });

  test("are sent also where the call may be anonymous", () => {
    expect(chosen([[], ["bearer"]], token)).toEqual(["bearer"]);
    expect(chosen([[], ["basic"]], token)).toEqual([]);
  });

  test("are not sent where the operation requires none, unless the document declares no security", () => {
    expect(chosen([], token)).toEqual([]);
    expect(chosen([], token, false)).toEqual(["anywhere"]);
    expect(chosen([], key, false)).toBeUndefined();
    expect(chosen([["bearer"]], undefined)).toEqual([]);
  });

  test.each<[string, Credential, readonly string[]]>([
    ["bearer", token, ["bearer", "auth", "oauth"]],
    ["basic", basic("user-name", "p"), ["basic"]],
    ["apiKey", key, ["header", "auth"]],
    ["forward", forward("authorization"), ["bearer", "basic", "auth", "oauth"]],
    ["forward of another", forward("x-key"), ["header"]],
  ])("%s suits its schemes", (_, credential, fitting) => {
    expect([...schemes.keys()].filter((name) => chosen([[name]], credential) !== undefined)).toEqual(fitting);
  });

  test("are not found under inherited names", () => {
    expect(chosen([["bearer"]], { constructor: token })).toBeUndefined();
  });
});

describe("OAuth client credentials", () => {
  let now = 1_000_000;
  const timed = () => createContext({ now: () => now });
  const tokens = (upstream: TestUpstream, more: object = {}) => {
    const about = { tokenUrl: `${upstream.url}/token`, clientId: "me", clientSecret: "s3cret-s3cret", ...more };
    const credential = clientCredentials(about);
    closeAfterTest({ close: () => credential.close?.() });
    return credential;
  };
  const header = (applied: Awaited<ReturnType<typeof apply>>) =>
    applied.ok ? applied.request.headers["authorization"] : applied.fault.reason;
  const form = (hit: Hit | undefined) => Object.fromEntries(new URLSearchParams(hit?.body.toString()));
  const numbered = (more: object = {}): UpstreamAnswer => {
    let count = 0;
    return (_, response) =>
      answerJson(response, 200, { access_token: `token-${++count}`, token_type: "Bearer", ...more });
  };

  test("request one token for all calls, and another when it expires", async () => {
    const upstream = await openUpstream(numbered({ expires_in: 100 }));
    const credential = tokens(upstream, { scopes: ["a", "b"] });
    const about = timed();
    const all = await Promise.all(Array.from({ length: 20 }, () => apply(credential, about)));
    expect(new Set(all.map(header))).toEqual(new Set(["Bearer token-1"]));
    now += 89_000;
    expect(header(await apply(credential, about))).toBe("Bearer token-1");
    now += 2_000;
    expect(header(await apply(credential, about))).toBe("Bearer token-2");
    expect(upstream.hits).toHaveLength(2);
    expect(form(upstream.hits[0])).toEqual({ grant_type: "client_credentials", scope: "a b" });
    expect(upstream.hits[0]?.headers["authorization"]).toBe(
      `Basic ${Buffer.from("me:s3cret-s3cret").toString("base64")}`,
    );
  });

  test("authenticate in the body with auth: body", async () => {
    const upstream = await openUpstream(numbered());
    await apply(tokens(upstream, { auth: "body", audience: "x" }));
    expect(form(upstream.hits[0])).toEqual({
      grant_type: "client_credentials",
      audience: "x",
      client_id: "me",
      client_secret: "s3cret-s3cret",
    });
    expect(upstream.hits[0]?.headers).not.toHaveProperty("authorization");
  });

  test("request one new token for all calls whose token was refused", async () => {
    const upstream = await openUpstream(numbered());
    const credential = tokens(upstream);
    const [first, second] = [await apply(credential), await apply(credential)];
    expect([first, second].map((one) => one.ok && one.renew())).toEqual([true, true]);
    expect(header(await apply(credential))).toBe("Bearer token-2");
    // A late refusal of the old token does not drop the new one.
    expect(first.ok && first.renew()).toBe(true);
    expect(header(await apply(credential))).toBe("Bearer token-2");
    expect(upstream.hits).toHaveLength(2);
  });

  test.each<[string, UpstreamAnswer, string]>([
    ["a refusal", (_, response) => answerJson(response, 401, { error: "invalid_client" }), "rest/upstream_auth"],
    ["a bad request", (_, response) => answerJson(response, 400, { error: "invalid_scope" }), "rest/upstream_auth"],
    ["a limit", (_, response) => answerJson(response, 429, {}, { "retry-after": "2" }), "core/rate_limited"],
    ["a failure", (_, response) => answerJson(response, 503, {}), "adapter/unavailable"],
    ["no token", (_, response) => answerJson(response, 200, { token: "x" }), "rest/unexpected_content"],
    ["a line break", (_, response) => answerJson(response, 200, { access_token: "a\r\nb" }), "rest/unexpected_content"],
    ["a redirect", (_, response) => response.writeHead(302, { location: "/a" }).end(), "rest/unexpected_redirect"],
    ["nothing", (_, response) => response.destroy(), "transport/connection_lost"],
  ])("leave the call unsent after %s", async (_, answer, reason) => {
    const upstream = await openUpstream(answer);
    const applied = await apply(tokens(upstream));
    expect(applied).toMatchObject({ ok: false, fault: { reason, effect: "none" } });
    expect(upstream.hits).toHaveLength(1);
  });

  test("take a token whose answer has members that are not read", async () => {
    const more = { id_token: "a.b.c", scope: null, refresh_token: null, expires_in: null };
    expect(header(await apply(tokens(await openUpstream(numbered(more)))))).toBe("Bearer token-1");
  });

  test("do not tell a token that cannot be used", async () => {
    const bound = { access_token: "token-bound-to-a-key", token_type: "DPoP" };
    const upstream = await openUpstream((_, response) => answerJson(response, 200, bound));
    const applied = await apply(tokens(upstream));
    expect(applied.ok || String(applied.cause)).toContain("the token endpoint answered with status 200");
    expect(applied.ok || String(applied.cause)).not.toContain("token-bound-to-a-key");
  });

  test("keep the token for others when one caller gives up", async () => {
    const caller = new AbortController();
    const left = Promise.withResolvers<void>();
    const upstream = await openUpstream(async (hit, response) => {
      caller.abort();
      await left.promise;
      await numbered()(hit, response);
    });
    const credential = tokens(upstream);
    const about = createContext();
    const leaving = apply(credential, { ...about, signal: caller.signal });
    const staying = apply(credential, about);
    expect(await leaving).toMatchObject({ ok: false, fault: { reason: "core/cancelled", effect: "none" } });
    left.resolve();
    expect(header(await staying)).toBe("Bearer token-1");
    expect(upstream.hits).toHaveLength(1);
  });
});
