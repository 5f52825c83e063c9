// Attacks on sessions and pages of the console, as bytes on a real port: cookies, sources, paths, and secrets in what is kept.
import { createTestDatabase, type TestDatabase } from "@recourse/test-kit/postgres";
import { createRedisServer, type RedisServer } from "@recourse/test-kit/redis";
import { isNightly } from "@recourse/test-kit/runs";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Gateway, startGateway } from "../../src/gateway.ts";
import { ADMIN, APPROVAL_ID, ask, keyOf, startTestAdmin } from "../admin/support.ts";
import { testConfig } from "../support/config.ts";
import { rawConnection } from "../support/raw-socket.ts";
import { browse, builtConsole, CONSOLE, signInAs } from "./support.ts";

const SECRET = "a-secret-of-at-least-32-characters";

async function startConsole(more: Parameters<typeof startTestAdmin>[0] = {}) {
  const admin = { ...ADMIN, keys: [...ADMIN.keys], console: { ...CONSOLE, secret: SECRET } };
  return { ...(await startTestAdmin({ consoleFolder: builtConsole(), ...more }, { admin })), admin };
}

const me = (url: URL, cookie: string) => browse(url, "/admin/v1/me", { headers: { cookie } });

/** Sends lines as they are, and gives the status. */
async function sendRaw(url: URL, lines: readonly string[]): Promise<number> {
  const connection = await rawConnection(url);
  connection.write(`${[...lines, "connection: close"].join("\r\n")}\r\n\r\n`);
  const { status } = await connection.next();
  connection.socket.destroy();
  return status;
}

describe("a cookie", () => {
  it("with any bit flipped, or cut anywhere, is none", async () => {
    const { url } = await startConsole();
    const { cookie } = await signInAs(url, "admin");
    const [name = "", value = ""] = cookie.split("=");
    const forged = [...value].flatMap((character, at) => {
      const code = character.charCodeAt(0);
      const flips = Array.from({ length: 7 }, (_, bit) => String.fromCharCode(code ^ (1 << bit)));
      // Others cannot be sent, or end the cookie. The last character has two bits without a meaning.
      const sendable = flips.filter((flip) => /[!-:<-~]/.test(flip) && at < value.length - 1);
      return sendable.map((flip) => value.slice(0, at) + flip + value.slice(at + 1));
    });
    const cut = Array.from({ length: value.length }, (_, length) => value.slice(0, length));
    const sent = [...forged, ...cut].filter((_, index) => isNightly || index % 9 === 0);
    const statuses = new Map<number, number>();
    for (let from = 0; from < sent.length; from += 50) {
      const answers = await Promise.all(sent.slice(from, from + 50).map((text) => me(url, `${name}=${text}`)));
      for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect([...statuses]).toEqual([[401, sent.length]]);
    expect((await me(url, cookie)).status).toBe(200);
  });

  it.each([
    ["twice", (cookie: string) => `${cookie}; ${cookie}`, 401],
    ["beside another one of its name", (cookie: string) => `${cookie}; recourse_console=x`, 401],
    ["beside another one with spaces in its name", (cookie: string) => `${cookie}; recourse_console =x`, 401],
    ["under the name of https", (cookie: string) => `__Host-${cookie}`, 401],
    ["in capitals", (cookie: string) => cookie.replace("recourse_console", "RECOURSE_CONSOLE"), 401],
    ["in quotes", (cookie: string) => cookie.replace("=", '="').concat('"'), 401],
    ["with a NUL in octets", (cookie: string) => `${cookie}%00`, 401],
    ["among many others", (cookie: string) => `${"a=1; ".repeat(500)}${cookie}`, 200],
  ])("sent %s", async (_, change, status) => {
    const { url } = await startConsole();
    const { cookie } = await signInAs(url, "viewer");
    expect((await me(url, change(cookie))).status).toBe(status);
  });

  it("of a megabyte is refused before it is read", async () => {
    const { url } = await startConsole();
    const { cookie } = await signInAs(url, "viewer");
    const connection = await rawConnection(url);
    connection.write(`GET /admin/v1/me HTTP/1.1\r\nhost: ${url.host}\r\ncookie: ${"x".repeat(2 ** 20)}\r\n\r\n`);
    await expect(connection.next()).resolves.toMatchObject({ status: 431 });
    expect((await me(url, cookie)).status).toBe(200);
  });

  it.each([
    ["a wrong Bearer key", { authorization: "Bearer wrong" }],
    ["an empty header", { authorization: "" }],
    ["another scheme", { authorization: "Basic dXNlcjpwYXNz" }],
    ["a wrong x-api-key", { "x-api-key": "wrong" }],
  ])("does not help %s", async (_, headers) => {
    const { url } = await startConsole();
    const { cookie } = await signInAs(url, "admin");
    const got = await browse(url, "/admin/v1/me", { headers: { cookie, ...headers } });
    expect([got.status, got.headers["set-cookie"]]).toEqual([401, undefined]);
  });

  it("does not come back after longest, although it was renewed", async () => {
    const clock = { nowMs: Date.parse("2026-11-16T12:00:00.000Z") };
    const { url } = await startConsole({ now: () => clock.nowMs });
    let { cookie } = await signInAs(url, "admin");
    for (let turn = 0; turn < 31; turn += 1) {
      clock.nowMs += 15 * 60_000 + 1;
      const { cookie: renewed } = await me(url, cookie);
      if (renewed !== "") cookie = renewed;
    }
    expect((await me(url, cookie)).status).toBe(200);
    clock.nowMs += 15 * 60_000;
    expect((await me(url, cookie)).status).toBe(401);
  });
});

describe("a request that the console did not send", () => {
  const change = (url: URL, cookie: string, headers: readonly string[], body = '{"approve":true}') => [
    `POST /admin/v1/approvals/${APPROVAL_ID}/decision HTTP/1.1`,
    ...[`host: ${url.host}`, `cookie: ${cookie}`, ...headers, `content-length: ${body.length}`],
  ];
  const SITE = "sec-fetch-site: same-origin";
  const MARKER = "x-recourse-console: 1";
  const TYPE = "content-type: application/json";

  it.each<[string, (own: string) => readonly string[]]>([
    ["two origins", (own) => [SITE, MARKER, TYPE, own, "origin: http://evil.example"]],
    ["two origins, the wrong one first", (own) => [SITE, MARKER, TYPE, "origin: http://evil.example", own]],
    ["two sites", (own) => ["sec-fetch-site: cross-site", SITE, MARKER, TYPE, own]],
    ["two markers", (own) => [SITE, MARKER, "x-recourse-console: 0", TYPE, own]],
    ["an origin with a path", (own) => [SITE, MARKER, TYPE, `${own}/`, "x: y"].map((line) => `${line}x`)],
    ["an origin that begins like the own one", (own) => [SITE, MARKER, TYPE, `${own}.evil.example`]],
    ["an origin with a user", (own) => [SITE, MARKER, TYPE, own.replace("//", "//evil@")]],
    ["an origin of https", (own) => [SITE, MARKER, TYPE, own.replace("http:", "https:")]],
    ["a type that only begins like JSON", (own) => [SITE, MARKER, "content-type: application/jsonx", own]],
    ["a form behind JSON", (own) => [SITE, MARKER, "content-type: text/plain;application/json", own]],
    ["two types, the form first", (own) => [SITE, MARKER, "content-type: text/plain", TYPE, own]],
    ["a list of types", (own) => [SITE, MARKER, "content-type: application/json, text/plain", own]],
  ])("is refused with %s", async (_, headers) => {
    const { url, audit } = await startConsole();
    const { cookie } = await signInAs(url, "admin");
    const lines = change(url, cookie, headers(`origin: ${url.origin}`));
    const connection = await rawConnection(url);
    connection.write(`${lines.join("\r\n")}\r\n\r\n{"approve":true}`);
    expect((await connection.next()).status).toBe(403);
    expect((await audit?.list({ limit: 10 }))?.map(({ action }) => action)).toEqual(["console.sign-in"]);
  });

  it("passes with a charset, which browsers add at times", async () => {
    const { url } = await startConsole();
    const { cookie } = await signInAs(url, "admin");
    const got = await browse(url, `/admin/v1/approvals/${APPROVAL_ID}/decision`, {
      ...{ method: "POST", body: { approve: true } },
      headers: { cookie, "content-type": "Application/JSON ; charset=UTF-7" },
    });
    expect(got.status).toBe(200);
  });

  it.each([
    ["x-http-method-override", "DELETE"],
    ["x-method-override", "POST"],
    ["x-http-method", "DELETE"],
  ])("does not change its method by %s", async (name, method) => {
    const { url, audit } = await startConsole();
    const { cookie } = await signInAs(url, "admin");
    const path = `/admin/v1/approvals/${APPROVAL_ID}/decision`;
    const got = await browse(url, `${path}?_method=${method}`, { headers: { cookie, [name]: method } });
    expect(got.status).toBe(405);
    expect((await browse(url, "/admin/v1/me", { headers: { cookie, [name]: "DELETE" } })).status).toBe(200);
    expect(await audit?.list({ limit: 10 })).toHaveLength(1);
  });

  it.each(["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "evil.example:80@127.0.0.1", "", "0"])(
    "gets nothing by the host %j",
    async (host) => {
      const { url } = await startConsole();
      const { cookie } = await signInAs(url, "admin");
      for (const path of ["/console/", "/admin/v1/me"]) {
        const status = await sendRaw(url, [`GET ${path} HTTP/1.1`, `host: ${host}`, SITE, `cookie: ${cookie}`]);
        expect(status).toBeGreaterThanOrEqual(400);
      }
    },
  );

  it("asks in vain before it (preflight)", async () => {
    const { url } = await startConsole();
    const got = await ask(url, "/me", {
      ...{ method: "OPTIONS", key: undefined },
      headers: { origin: "http://127.0.0.1:1", "access-control-request-method": "POST" },
    });
    expect(Object.keys(got.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    expect(got.status).toBeGreaterThanOrEqual(400);
  });
});

describe("a path", () => {
  it.each([
    "/console/../admin/v1/me",
    "/console/%2e%2e/admin/v1/me",
    "/console/..%2fadmin%2fv1%2fme",
    "/console/..;/admin/v1/me",
    "/console\\..\\admin\\v1\\me",
    "/console//admin/v1/me",
    "/console//evil.example",
    "/console/%00",
    "/console/%ff",
    "/console/assets/../index.html",
    "/console/assets/%2e%2e/%2e%2e/package.json",
    "/console/../../../../etc/passwd",
    "//console/",
    "//evil.example/console/",
    "//evil.example",
    "/%2f%2fevil.example",
    "http://evil.example/console/",
    "/console/index.html/..;/session",
  ])("such as %s gives neither data nor another address", async (path) => {
    const { url } = await startConsole();
    const { cookie } = await signInAs(url, "admin");
    // Without a source: only pages, which are the same for everybody, may answer.
    const connection = await rawConnection(url);
    connection.write(`GET ${path} HTTP/1.1\r\nhost: ${url.host}\r\ncookie: ${cookie}\r\nconnection: close\r\n\r\n`);
    const { head, body } = await connection.next();
    expect(body).not.toMatch(/the-admin|root:|"dependencies"/);
    expect(/^location: (.*)$/im.exec(head)?.[1] ?? "console/").toBe("console/");
  });
});

describe("on Redis and PostgreSQL", () => {
  let redis: RedisServer;
  let database: TestDatabase;
  let gateways: Gateway[];
  const logged: string[] = [];
  beforeAll(async () => {
    vi.spyOn(process.stderr, "write").mockImplementation((line) => logged.push(String(line)) > 0);
    [redis, database] = await Promise.all([createRedisServer({ durable: false }), createTestDatabase()]);
    const config = testConfig({
      drainMs: 0,
      store: { mode: "shared", redis: [redis.url], cluster: false, postgres: database.url },
      admin: { ...ADMIN, console: { ...CONSOLE, secret: SECRET } },
      telemetry: { otlp: undefined, prometheus: false, logLevel: "debug" },
    });
    gateways = [await startGateway(config), await startGateway(config)];
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    for (const gateway of gateways) await gateway.close();
    await Promise.all([redis.close(), database.drop()]);
  });

  it("no text of an operator makes the gateway fail", async () => {
    const [one] = gateways.map(({ adminUrl }) => adminUrl) as [URL];
    const { cookie } = await signInAs(one, "admin");
    const byDay = ["a%00b", "%ED%A0%80", "'--", "_%25_"];
    const others = ["%00", "%FF", "%25", "\\", "%5C%25", "__proto__", "%E2%80%AE"];
    const texts = isNightly ? [...byDay, ...others] : byDay;
    const paths = texts.flatMap((text) => [
      ...[`find?q=${text}`, `find?q=abcdefgh${text}`, `incidents?caller=${text}`, `incidents?tool=${text}`],
      ...[`incidents?tenant=${text}`, `incidents?upstream=${text}`, `incidents?reason=${text}`, `incidents/${text}`],
      ...[`approvals?tool=${text}`, `approvals?caller=${text}`, `approvals/${text}`, `changes?target=${text}`],
      ...[
        `keys?tenant=${text}`,
        `incident-classes?tool=${text}`,
        `incident-classes/${text}`,
        `explain/${text}/${text}`,
      ],
      ...[`incident-hits?by=caller&fingerprint=${text}`, `audit?by=${text}`, `incidents?before=${text}`],
      ...[`changes?before=${text}`, `keys?before=${text}`, `approvals?before=${text}`, `incidents?trace=${text}`],
    ]);
    const failed: string[] = [];
    for (const path of paths) {
      const { status } = await browse(one, `/admin/v1/${path}`, { headers: { cookie } });
      if (status >= 500) failed.push(`${path} ${status}`);
    }
    for (const text of ["\u0000", "a\u0000b", "\ud800", "\u202e", "x".repeat(60_000), "__proto__"])
      for (const [method, path, body] of [
        ["POST", `approvals/${APPROVAL_ID}/decision`, { approve: true, note: text }],
        ["POST", "keys", { id: text, tenant: text, tools: [text] }],
        ["POST", "keys", { id: "ok", tenant: text }],
        ["POST", "keys", { id: "ok", tools: [text] }],
        ["DELETE", `keys/${encodeURIComponent(text.toWellFormed()).slice(0, 900)}`, {}],
        ["DELETE", `callers/${encodeURIComponent(text.toWellFormed()).slice(0, 900)}/incidents`, {}],
        ["POST", `breakers/${encodeURIComponent(text.toWellFormed()).slice(0, 900)}/reset`, {}],
      ] as const) {
        const { status } = await browse(one, `/admin/v1/${path}`, { method, body, headers: { cookie } });
        if (status >= 500) failed.push(`${method} ${path.slice(0, 40)} ${JSON.stringify(body).slice(0, 40)} ${status}`);
      }
    expect(failed).toEqual([]);
  });

  it("a cookie that was signed out at one replica is not taken by the other, nor its renewed form", async () => {
    const [one, other] = gateways.map(({ adminUrl }) => adminUrl) as [URL, URL];
    const { cookie } = await signInAs(one, "admin");
    expect([(await me(one, cookie)).status, (await me(other, cookie)).status]).toEqual([200, 200]);
    await browse(other, "/console/session", { method: "DELETE", headers: { cookie } });
    expect((await me(other, cookie)).status).toBe(401);
    // What was found to be open is believed for two seconds.
    await expect.poll(async () => (await me(one, cookie)).status).toBe(401);
    expect((await me(other, cookie)).status).toBe(401);
  });

  it("nothing that is kept has a key, a cookie or a secret in it", async () => {
    const [one] = gateways.map(({ adminUrl }) => adminUrl) as [URL];
    const { cookie } = await signInAs(one, "admin");
    const value = cookie.split("=")[1] ?? "";
    await browse(one, "/console/session", { method: "POST", body: { key: "rk_wrong_key_of_somebody_0123456789" } });
    await browse(one, `/admin/v1/find?q=${keyOf("admin")}`, { headers: { cookie } });
    const made = await browse(one, "/admin/v1/keys", {
      ...{ method: "POST", body: { id: "kept", tenant: "acme" }, headers: { cookie } },
    });
    expect(made.status).toBe(201);
    const kept = await Promise.all(
      ["changes", "audit", "incidents", "keys", "overview", "me", "health"].map((path) =>
        browse(one, `/admin/v1/${path}`, { headers: { cookie } }),
      ),
    );
    const text = kept.map(({ bytes }) => bytes.toString()).join("\n") + logged.join("\n");
    for (const secret of [SECRET, keyOf("admin"), value, "rk_wrong_key_of_somebody", made.json.key])
      expect(text).not.toContain(secret);
    expect(text).toContain(made.json.prefix);
    expect(logged.length).toBeGreaterThan(0);
  });
});
