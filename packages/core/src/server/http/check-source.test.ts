import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { call, fixed, guarded, incidents, MODERN, post, read } from "../../../test/peers/server/guarded-handler.ts";
import { guardHandler } from "./guard-handler.ts";
import type { HandlerOptions } from "./options.ts";

let written: string[] = [];
beforeEach(() => {
  written = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Each test has a name of its own, since a process says each sentence once. */
let tests = 0;
const ask = async (headers: Record<string, string>, options: HandlerOptions = {}, localAddress?: string) => {
  const handler = guarded({ name: `s${tests++}`, ...options });
  const extra = localAddress === undefined ? undefined : { incoming: { socket: { localAddress } } };
  return read(await handler.fetch(post(call(), headers), extra as never));
};

describe("requests to the own machine, with nothing set", () => {
  it.each([
    [{}],
    [{ host: "localhost:3000" }],
    [{ host: "127.0.0.1:3000", origin: "http://localhost:6274" }],
    [{ host: "[::1]:3000", origin: "http://[::1]:1" }],
    [{ host: "LOCALHOST." }],
    [{ host: "localhost", "x-forwarded-host": "evil.example" }],
  ] as Record<string, string>[][])("pass: %j", async (headers = {}) => {
    for (const address of [undefined, "127.0.0.1", "::1"]) {
      expect((await ask(headers, {}, address)).status).toBe(200);
    }
    expect(written).toEqual([]);
  });

  it.each([
    [{ host: "localhost:3000", origin: "https://evil.example" }, undefined],
    [{ host: "localhost:3000", origin: "null" }, undefined],
    [{ host: "0.0.0.0:3000" }, undefined],
    [{ host: "evil.example:3000" }, "127.0.0.1"],
    [{ host: "evil.example:3000" }, "::ffff:127.0.0.1"],
    [{ host: "evil.example", origin: "http://evil.example" }, "::1"],
    [{ host: "evil.example", "x-forwarded-host": "localhost" }, "127.0.0.1"],
    [{ host: "user@localhost" }, undefined],
    [{ host: "localhost, evil.example" }, undefined],
    [{ host: "[::1%25lo]" }, "::1"],
    [{ host: "localhost", origin: "http://localhost, https://evil.example" }, undefined],
  ] as [Record<string, string>, string | undefined][])("are refused: %j at %s", async (headers, address) => {
    const { status, body, reason } = await ask(headers, {}, address);
    expect([status, reason]).toEqual([403, "auth/access_denied"]);
    expect(body).not.toHaveProperty("id");
    expect(body.error?.data["recourse/fault"]).toMatchObject({ effect: "none" });
    expect(JSON.stringify(body)).not.toMatch(/evil|localhost|host|origin"?:"/i);
    expect(written).toHaveLength(1);
    expect(written[0]).toMatch(/^recourse: guardHandler of "s\d+": the (?:Host|Origin) “.*” was refused: /);
  });
});

describe("requests from elsewhere, with nothing set", () => {
  it("pass, with one warning that names the options", async () => {
    const handler = guardHandler((_: Request) => Promise.resolve(new Response("ok")), { name: "elsewhere" });
    for (const host of ["api.example.com", "other.example"]) {
      expect((await handler(post(call(), { host, origin: "https://app.example.com" }))).status).toBe(200);
    }
    expect(written).toEqual([
      'recourse: guardHandler of "elsewhere" answers requests whatever their Host and Origin. Set allowedHosts and allowedOrigins, or "any" where something in front of it checks them.\n',
    ]);
  });

  it("are warned about origins only when a page calls", async () => {
    const options: HandlerOptions = { name: "pages", allowedHosts: ["api.example.com"] };
    expect((await ask({ host: "api.example.com" }, options)).status).toBe(200);
    expect(written).toEqual([]);
    expect((await ask({ host: "api.example.com", origin: "https://app.example.com" }, options)).status).toBe(200);
    expect(written).toEqual([expect.stringContaining("Set allowedOrigins,")]);
  });

  it("pass at a public address of the machine as well", async () => {
    expect((await ask({ host: "api.example.com" }, {}, "10.0.0.5")).status).toBe(200);
    expect(written).toHaveLength(1);
  });
});

describe("what is set, counts everywhere", () => {
  const set: HandlerOptions = { allowedHosts: ["api.example.com"], allowedOrigins: ["https://app.example.com"] };

  it.each([
    [{ host: "api.example.com" }, 200],
    [{ host: "api.example.com", origin: "https://app.example.com" }, 200],
    [{ host: "api.example.com", origin: "http://localhost" }, 403],
    [{ host: "localhost" }, 403],
    [{}, 403],
  ] as [Record<string, string>, number][])("%j is answered with %i", async (headers, status) => {
    for (const address of [undefined, "127.0.0.1", "10.0.0.5"]) {
      expect((await ask(headers, set, address)).status).toBe(status);
    }
  });

  it("may be anything, without a warning", async () => {
    const open: HandlerOptions = { allowedHosts: "any", allowedOrigins: "any" };
    expect((await ask({ host: "a, b", origin: "null" }, open, "127.0.0.1")).status).toBe(200);
    expect((await ask({ host: "evil.example", origin: "https://evil.example" }, open)).status).toBe(200);
    expect(written).toEqual([]);
  });

  it("is checked when the handler is made", () => {
    expect(() => guarded({ allowedHosts: ["https://api.example.com"] })).toThrow("allowedHosts");
    expect(() => guarded({ allowedOrigins: ["*"] })).toThrow("allowedOrigins");
  });
});

describe("the check", () => {
  it("comes before credentials, methods and preflight requests", async () => {
    const authenticate = vi.fn(() => ({ ok: false }) as const);
    const evil = { host: "localhost", origin: "https://evil.example" };
    expect((await ask(evil, { auth: { authenticate } })).status).toBe(403);
    expect(authenticate).not.toHaveBeenCalled();
    for (const method of ["OPTIONS", "GET", "PUT"]) {
      const request = new Request("http://127.0.0.1/mcp", { method, headers: evil });
      expect((await guarded().fetch(request)).status).toBe(403);
    }
  });

  it("tells the operator why, where mistakes of callers are reported", async () => {
    incidents.length = 0;
    await ask({ ...MODERN, host: "evil.example" }, { ...fixed, ...{ reportCallerErrors: true } }, "127.0.0.1");
    expect(String(incidents[0]?.cause)).toContain("the Host “evil.example” was refused");
  });
});
