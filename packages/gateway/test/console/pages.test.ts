// The pages of the console on a real port.
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { ADMIN, ask, keyOf, startTestAdmin } from "../admin/support.ts";
import { startTestGateway } from "../support/gateway.ts";
import { browse, builtConsole, CONSOLE, SCRIPT, SCRIPT_PATH } from "./support.ts";

const startPages = (folder = builtConsole(), console: Partial<typeof CONSOLE> = {}) =>
  startTestAdmin({ consoleFolder: folder }, { admin: { ...ADMIN, console: { ...CONSOLE, ...console } } });

describe("pages", () => {
  it("are served to everybody, and HEAD has the same headers", async () => {
    const { url } = await startPages();
    for (const path of ["/console/", "/console/sign-in", "/console/i/01M7"]) {
      const got = await browse(url, path, { headers: { "sec-fetch-site": "none" } });
      expect([got.status, got.headers["cache-control"]]).toEqual([200, "no-store"]);
      expect(got.headers["content-security-policy"]).toMatch(/^default-src 'none'; script-src 'self';/);
      const head = await browse(url, path, { method: "HEAD" });
      expect([head.status, head.bytes.length]).toEqual([200, 0]);
      expect(head.headers["content-length"]).toBe(String(got.bytes.length));
    }
  });

  it("begin at the address itself", async () => {
    const { url } = await startPages();
    for (const path of ["/", "/console"]) {
      const got = await browse(url, path);
      expect([got.status, got.headers["location"]]).toEqual([302, "console/"]);
    }
    expect((await browse(url, "/favicon.ico")).status).toBe(204);
  });

  it("have files in the form that a browser reads", async () => {
    const { url } = await startPages();
    const got = await browse(url, `/console/${SCRIPT_PATH}`, { headers: { "accept-encoding": "gzip, br" } });
    expect(got.headers["content-encoding"]).toBe("gzip");
    expect(gunzipSync(got.bytes).toString()).toBe(SCRIPT);
    expect((await browse(url, "/console/assets/old-123.js")).status).toBe(410);
  });

  it("are only read", async () => {
    const { url } = await startPages();
    const put = await browse(url, "/console/", { method: "PUT" });
    expect([put.status, put.headers["allow"]]).toEqual([405, "GET, HEAD"]);
    const session = await browse(url, "/console/session");
    expect([session.status, session.headers["allow"]]).toEqual([405, "POST, DELETE"]);
  });

  it.each([
    ["another host", { host: "evil.example" }, 403],
    ["another page", { origin: "http://evil.example" }, 403],
    ["a name of this machine", { host: "localhost:8081" }, 200],
  ])("for %s", async (_, headers, status) => {
    const { url } = await startPages();
    expect((await browse(url, "/console/", { headers })).status).toBe(status);
  });

  it("accept the host of the address that browsers use", async () => {
    const { url } = await startPages(undefined, { url: "https://ops.example.com/console" });
    const at = async (host: string) => (await browse(url, "/console/", { headers: { host } })).status;
    expect([await at("ops.example.com"), await at("evil.example")]).toEqual([200, 403]);
  });

  it("are not there where the console is off", async () => {
    const { url } = await startTestAdmin({ consoleFolder: builtConsole() });
    for (const path of ["/", "/console/", "/console/assets/x.js"]) {
      expect((await browse(url, path)).status).toBe(401);
      const got = await ask(new URL(url.origin), path.slice(1), { key: keyOf("admin") });
      expect([got.status, got.json.fault.reason]).toEqual([404, "core/not_found"]);
    }
  });

  it("answer 503 with a sentence where their files are missing, and the API works", async () => {
    const { url, lines } = await startPages("/nowhere");
    const got = await browse(url, "/console/");
    expect([got.status, got.headers["content-type"]]).toEqual([503, "text/plain; charset=utf-8"]);
    expect(got.bytes.toString()).toMatch(/^The files of the console are missing in this installation\./);
    expect(JSON.stringify(lines)).toContain("The files of the console cannot be read");
    expect((await ask(url, "/health")).status).toBe(200);
  });
});

it("a gateway says where its console is", async () => {
  const admin = { ...ADMIN, console: CONSOLE };
  const gateway = await startTestGateway({ admin }, { consoleFolder: builtConsole() });
  expect(gateway.consoleUrl?.href).toBe(`${gateway.adminUrl?.origin}/console/`);
  expect((await fetch(gateway.consoleUrl ?? "")).status).toBe(200);
  const without = await startTestGateway({ admin: ADMIN });
  expect(without.consoleUrl).toBeUndefined();
});
