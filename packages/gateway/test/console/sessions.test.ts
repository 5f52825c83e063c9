// Sessions of the console on a real port: who gets in, and which requests a session counts for.
import { isNightly } from "@recourse/test-kit/runs";
import { expectCost } from "@recourse/test-kit/yardstick";
import { describe, expect, it } from "vitest";
import { createApiKey } from "../../src/auth/api-keys.ts";
import { ADMIN, APPROVAL_ID, ask, keyOf, startTestAdmin } from "../admin/support.ts";
import { usedBytes } from "../support/used-bytes.ts";
import { browse, builtConsole, CONSOLE, signInAs } from "./support.ts";

async function startConsole(console: Partial<typeof CONSOLE> = {}, more: Parameters<typeof startTestAdmin>[0] = {}) {
  const admin = { ...ADMIN, keys: [...ADMIN.keys], console: { ...CONSOLE, ...console } };
  const started = await startTestAdmin({ consoleFolder: builtConsole(), ...more }, { admin });
  return { ...started, admin };
}

const decision = (cookie: string, headers: Record<string, string | undefined> = {}) =>
  ({ method: "POST", body: { approve: true }, headers: { cookie, ...headers } }) as const;
const DECISION_PATH = `/admin/v1/approvals/${APPROVAL_ID}/decision`;

describe("signing in", () => {
  it("gives a cookie that no script reads, and says who it is", async () => {
    const { url, lines, audit } = await startConsole();
    const got = await signInAs(url, "approver");
    expect([got.status, got.headers["cache-control"]]).toEqual([200, "no-store"]);
    expect(got.json).toEqual({
      ...{ id: "the-approver", role: "approver", via: "session", name: "test-gateway", version: "0.1.0" },
      endsAt: "2026-11-16T20:00:00.000Z",
    });
    expect(got.headers["set-cookie"]).toMatch(
      /^recourse_console=v1\.[\w-]+\.[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/,
    );
    const me = await browse(url, "/admin/v1/me", { headers: { cookie: got.cookie } });
    expect([me.status, me.json]).toEqual([200, got.json]);
    expect(await audit?.list({ limit: 10 })).toMatchObject([
      { by: "the-approver", action: "console.sign-in", target: "console", facts: { address: "127.0.0.1" } },
    ]);
    const kept = JSON.stringify([lines, await audit?.list({ limit: 10 })]);
    expect(kept).not.toContain(keyOf("approver"));
    expect(kept).not.toContain(got.cookie.split("=")[1]);
  });

  it("by a key is not a session", async () => {
    const { url } = await startConsole();
    const got = await ask(url, "/me", { key: keyOf("viewer") });
    expect(got.json).toEqual({ id: "the-viewer", role: "viewer", via: "key", name: "test-gateway", version: "0.1.0" });
  });

  it.each([
    ["a wrong key", { key: "wrong" }, 401],
    ["an empty key", { key: "" }, 401],
    ["no key", {}, 400],
    ["a key that is none", { key: 7 }, 400],
    ["something else", [], 400],
  ])("with %s is refused without a cookie", async (_, body, status) => {
    const { url } = await startConsole();
    const got = await browse(url, "/console/session", { method: "POST", body });
    expect([got.status, got.headers["set-cookie"]]).toEqual([status, undefined]);
    expect(got.headers["content-type"]).toBe("application/problem+json");
  });

  it.each<[string, Record<string, string | undefined>]>([
    ["no Origin", { origin: undefined }],
    ["another Origin", { origin: "http://evil.example" }],
    ["another port of the host", { origin: "http://127.0.0.1:1" }],
    ["another name of the machine", { origin: "http://localhost:1" }],
    ["an Origin without a name", { origin: "null" }],
    ["no Sec-Fetch-Site", { "sec-fetch-site": undefined }],
    ["another site", { "sec-fetch-site": "cross-site" }],
    ["the same site", { "sec-fetch-site": "same-site" }],
    ["a form", { "content-type": "text/plain" }],
    ["no marker", { "x-recourse-console": undefined }],
  ])("with %s is refused, also with a right key", async (_, headers) => {
    const { url } = await startConsole();
    const got = await signInAs(url, "admin", headers);
    expect([got.status, got.json.fault.reason, got.headers["set-cookie"]]).toEqual([
      ...[403, "auth/access_denied", undefined],
    ]);
  });

  it("behind https uses the prefix that only this host can set", async () => {
    const { url } = await startConsole({ url: "https://ops.example.com/recourse/console" });
    const proxied = { origin: "https://ops.example.com", host: "ops.example.com" };
    for (const headers of [proxied, { origin: proxied.origin }]) {
      const got = await signInAs(url, "admin", headers);
      expect(got.headers["set-cookie"]).toMatch(
        /^__Host-recourse_console=v1\.[^;]+; Secure; HttpOnly; SameSite=Strict; Path=\/$/,
      );
      const me = await browse(url, "/admin/v1/me", { headers: { cookie: got.cookie, ...headers } });
      expect(me.json).toMatchObject({ via: "session" });
    }
    // The machine itself, without the proxy, is another origin.
    expect(await signInAs(url, "admin")).toMatchObject({
      status: 403,
      json: { detail: expect.stringContaining("admin.console.url") },
    });
  });
});

describe("a session", () => {
  it.each<[string, Record<string, string | undefined>, number]>([
    ["the console itself", {}, 200],
    ["the own Origin", { origin: "own" }, 200],
    ["no Sec-Fetch-Site", { "sec-fetch-site": undefined }, 403],
    ["another port of the host", { "sec-fetch-site": "same-site" }, 403],
    ["another site", { "sec-fetch-site": "cross-site" }, 403],
    ["an address that was typed", { "sec-fetch-site": "none" }, 403],
    ["a wrong Origin", { origin: "http://127.0.0.1:1" }, 403],
  ])("counts for reads of %s: %j", async (_, headers, status) => {
    const { url } = await startConsole();
    const { cookie } = await signInAs(url, "viewer");
    const origin = headers["origin"] === "own" ? { origin: url.origin } : {};
    const got = await browse(url, "/admin/v1/health", { headers: { cookie, ...headers, ...origin } });
    expect(got.status).toBe(status);
  });

  it.each<[string, Record<string, string | undefined>]>([
    ["no Origin", { origin: undefined }],
    ["a wrong Origin", { origin: "http://127.0.0.1:1" }],
    ["no Sec-Fetch-Site", { "sec-fetch-site": undefined }],
    ["a form", { "content-type": "application/x-www-form-urlencoded" }],
    ["no marker", { "x-recourse-console": undefined }],
  ])("does not count for changes with %s", async (_, headers) => {
    const { url, audit } = await startConsole();
    const { cookie } = await signInAs(url, "admin");
    const got = await browse(url, DECISION_PATH, decision(cookie, headers));
    expect([got.status, got.json.fault.reason]).toEqual([403, "auth/access_denied"]);
    expect((await audit?.list({ limit: 10 }))?.map(({ action }) => action)).toEqual(["console.sign-in"]);
  });

  it("counts for changes of the console, and the audit says so", async () => {
    const { url, audit } = await startConsole();
    const { cookie } = await signInAs(url, "approver");
    expect(await browse(url, DECISION_PATH, decision(cookie))).toMatchObject({ status: 200 });
    expect((await audit?.list({ limit: 1 }))?.[0]).toMatchObject({
      ...{ by: "the-approver", action: "approval.approve", facts: { via: "console", tool: "shop__refund" } },
    });
  });

  it("has the role of its operator", async () => {
    const { url } = await startConsole();
    const { cookie } = await signInAs(url, "viewer");
    const got = await browse(url, DECISION_PATH, decision(cookie));
    expect([got.status, got.json.fault.reason]).toEqual([403, "auth/not_authorized"]);
  });

  it("gives way to a key where both are sent", async () => {
    const { url } = await startConsole();
    const { cookie } = await signInAs(url, "viewer");
    const both = (key: string) =>
      browse(url, "/admin/v1/me", {
        headers: { cookie, authorization: `Bearer ${key}`, "sec-fetch-site": undefined },
      });
    expect((await both(keyOf("admin"))).json).toMatchObject({ id: "the-admin", via: "key" });
    expect((await both("wrong")).status).toBe(401);
  });

  it("ends when the line of the operator goes or changes", async () => {
    const { url, admin } = await startConsole();
    const { cookie } = await signInAs(url, "admin");
    const status = async () => (await browse(url, "/admin/v1/health", { headers: { cookie } })).status;
    const lines = [...admin.keys];
    expect(await status()).toBe(200);
    admin.keys.splice(2, 1);
    expect(await status()).toBe(401);
    admin.keys.splice(0, 3, ...lines.map((line) => ({ ...line, role: "viewer" as const })));
    expect(await status()).toBe(401);
    admin.keys.splice(0, 3, ...lines);
    expect(await status()).toBe(200);
  });

  it("ends after idle, and its cookie is renewed at half of it", async () => {
    const clock = { nowMs: Date.parse("2026-11-16T12:00:00.000Z") };
    const { url } = await startConsole({}, { now: () => clock.nowMs });
    const { cookie } = await signInAs(url, "admin");
    const read = (sent: string) => browse(url, "/admin/v1/health", { headers: { cookie: sent } });
    expect((await read(cookie)).headers["set-cookie"]).toBeUndefined();
    clock.nowMs += 15 * 60_000;
    const renewed = await read(cookie);
    expect(renewed.headers["set-cookie"]).toMatch(/^recourse_console=v1\.[^;]+; HttpOnly; SameSite=Strict; Path=\/$/);
    clock.nowMs += 15 * 60_000;
    expect((await read(cookie)).status).toBe(401);
    expect((await read(renewed.cookie)).status).toBe(200);
  });

  it("ends by a sign-out, which the audit knows", async () => {
    const { url, audit } = await startConsole();
    const { cookie } = await signInAs(url, "admin");
    const out = () => browse(url, "/console/session", { method: "DELETE", headers: { cookie } });
    const got = await out();
    expect([got.status, got.headers["set-cookie"]]).toEqual([
      ...[204, "recourse_console=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0"],
    ]);
    expect((await browse(url, "/admin/v1/health", { headers: { cookie } })).status).toBe(401);
    expect((await out()).status).toBe(204);
    expect((await audit?.list({ limit: 10 }))?.map(({ action }) => action)).toEqual([
      ...["console.sign-out", "console.sign-in"],
    ]);
  });

  it("is not ended by another site", async () => {
    const { url } = await startConsole();
    const { cookie } = await signInAs(url, "admin");
    const headers = { cookie, origin: "http://127.0.0.1:1", "sec-fetch-site": "same-site" };
    expect((await browse(url, "/console/session", { method: "DELETE", headers })).status).toBe(403);
    expect((await browse(url, "/admin/v1/health", { headers: { cookie } })).status).toBe(200);
  });

  it("of another process with a random secret does not count", async () => {
    const [one, other] = [await startConsole(), await startConsole()];
    const { cookie } = await signInAs(one.url, "admin");
    expect((await browse(other.url, "/admin/v1/health", { headers: { cookie } })).status).toBe(401);
  });

  it("works on every replica with the secret of the file", async () => {
    const secret = "a-secret-of-at-least-32-characters";
    const [one, other] = [await startConsole({ secret }), await startConsole({ secret })];
    const { cookie } = await signInAs(one.url, "admin");
    expect((await browse(other.url, "/admin/v1/health", { headers: { cookie } })).status).toBe(200);
  });

  it("that is not there any longer is not slowed down, and says 401 each time", async () => {
    const { url } = await startConsole();
    const statuses = new Set<number>();
    for (let turn = 0; turn < 60; turn += 1) {
      const headers = turn % 2 === 0 ? {} : { cookie: "recourse_console=v1.e30.old" };
      statuses.add((await browse(url, "/admin/v1/me", { headers })).status);
    }
    expect([...statuses]).toEqual([401]);
  });

  it("does not exist where the console is off", async () => {
    const { url } = await startTestAdmin({ consoleFolder: builtConsole() });
    expect((await signInAs(url, "admin")).status).toBe(401);
    expect((await ask(url, "/../../console/session", { key: keyOf("admin") })).status).toBe(404);
  });
});

const GUESSES = isNightly ? 10_000 : 1_000;

describe(`${GUESSES} wrong keys`, () => {
  const guess = (url: URL) => browse(url, "/console/session", { method: "POST", body: { key: createApiKey().key } });

  it("leave few entries and no memory, and do not keep a right key out", async () => {
    const { url, audit } = await startConsole();
    const before = usedBytes();
    const began = performance.now();
    const statuses = new Map<number, number>();
    const right: number[] = [];
    for (let made = 0; made < GUESSES; made += 100) {
      const answers = await Promise.all(Array.from({ length: 100 }, () => guess(url)));
      for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      right.push((await signInAs(url, "admin")).status);
    }
    const tookMs = performance.now() - began;
    const grownBytes = usedBytes() - before;
    expect(new Set(right)).toEqual(new Set([200]));
    expect((statuses.get(401) ?? 0) + (statuses.get(429) ?? 0)).toBe(GUESSES);
    expect(grownBytes).toBeLessThan(20 * 2 ** 20);
    const entries = (await audit?.list({ limit: 200 })) ?? [];
    const refused = entries.filter(({ action }) => action === "console.sign-in-refused");
    expect(refused.length).toBeGreaterThanOrEqual(1);
    expect(refused.length).toBeLessThanOrEqual(1 + Math.floor(tookMs / 60_000));
    expect(refused[0]).toMatchObject({ by: "-", target: "console", facts: { address: "127.0.0.1" } });
  }, 300_000);

  it("cost little more than requests without one", async () => {
    const { url } = await startConsole();
    await expectCost({
      work: () => Promise.all(Array.from({ length: 50 }, () => guess(url))),
      yardstick: () => Promise.all(Array.from({ length: 50 }, () => browse(url, "/admin/v1/me"))),
      atMost: 10,
    });
  });
});
