import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Io } from "../program/command.ts";
import { createAdminClient, openAdminClient } from "./client.ts";

const KEY = "rk_0123abcd_operator";

async function listen(listener: RequestListener): Promise<URL> {
  const server = createServer(listener);
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

function clientFor(url: URL, options: { readonly timeoutMs?: number; readonly signal?: AbortSignal } = {}) {
  return createAdminClient({
    url,
    key: KEY,
    signal: new AbortController().signal,
    now: () => performance.now(),
    ...options,
  });
}

/** Answers every request with a problem document. */
const problem =
  (status: number, fault: object, detail = "Something."): RequestListener =>
  (_, out) => {
    out.writeHead(status, { "content-type": "application/problem+json" });
    out.end(JSON.stringify({ title: "No", status, detail, fault }));
  };

async function failureOf(listener: RequestListener) {
  const reply = await clientFor(await listen(listener)).get("/health");
  if (reply.ok) throw new Error("the request did not fail");
  return reply.failure;
}

describe("a request", () => {
  it.each(["", "/", "/admin/v1", "/admin/v1/"])("reaches the API at an address that ends with %j", async (ending) => {
    const seen: string[] = [];
    const url = await listen((incoming: IncomingMessage, out) => {
      seen.push(`${incoming.method} ${incoming.url} ${incoming.headers.authorization}`);
      out.end('{"items":[]}');
    });
    const client = clientFor(new URL(ending, url));
    expect(await client.get("/approvals", { state: "pending", limit: 2, before: undefined })).toEqual({
      ok: true,
      value: { items: [] },
    });
    expect((await client.post("/approvals/1/decision", { approve: true })).ok).toBe(true);
    expect(seen).toEqual([
      `GET /admin/v1/approvals?state=pending&limit=2 Bearer ${KEY}`,
      `POST /admin/v1/approvals/1/decision Bearer ${KEY}`,
    ]);
  });

  it.each([
    [401, { reason: "auth/unauthorized" }, "credentials", "key-refused", /keys add <id> --operator/],
    [
      403,
      { reason: "auth/not_authorized", params: { requiredRole: "approver" } },
      "credentials",
      "role",
      /--role approver$/,
    ],
    [403, { reason: "auth/not_authorized", params: { requiredRole: "x; rm" } }, "credentials", "role", /--role admin$/],
    [403, { reason: "auth/access_denied" }, "usage", "host-refused", /hosts in gateway.yaml/],
    [429, { reason: "core/rate_limited" }, "credentials", "too-many-keys", /GATEWAY_ADMIN_KEY/],
    [503, { reason: "core/unavailable" }, "unreachable", "store", /^recourse status$/],
    [
      500,
      { reason: "core/internal", incident: "01M7HXRMR83H8Q9JKGBAVMDXX4" },
      "unreachable",
      "refused",
      /^recourse incident 01M7HXRMR83H8Q9JKGBAVMDXX4$/,
    ],
  ] as const)("that is answered with %d %j names the next step", async (status, fault, exit, code, fix) => {
    const failure = await failureOf(problem(status, fault));
    expect(failure).toMatchObject({ status, reason: fault.reason, exit, code, fix: expect.stringMatching(fix) });
  });

  it("shows the text of other failures, bounded and without control characters", async () => {
    const failure = await failureOf(problem(404, { reason: "core/not_found" }, `a\u001b[31m\n${"x".repeat(100_000)}`));
    expect(failure.message).toMatch(/^The gateway answered 404: a\\u001b\[31m\\nx+…$/);
    expect(failure.message.length).toBeLessThan(400);
  });

  it.each([
    ["a page", (_, out) => void out.end("<html>")],
    ["a list", (_, out) => void out.end("[]")],
    ["JSON that is too deep", (_, out) => void out.end(`${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`)],
    ["a redirect", (_, out) => void out.writeHead(302, { location: "http://127.0.0.1:1/" }).end()],
    ["an error without a fault", (_, out) => void out.writeHead(404).end('{"fault":"none"}')],
    ["a stream", (_, out) => void out.writeHead(200, { "content-type": "text/event-stream" }).write("data: {}\n\n")],
  ] as const satisfies readonly (readonly [string, RequestListener])[])(
    "says that the API is elsewhere when it gets %s",
    async (_, listener) => {
      expect(await failureOf(listener)).toMatchObject({ exit: "unreachable", code: "not-the-api" });
    },
  );

  it("says that nothing listens, that no answer came, that it broke, and that it was ended", async () => {
    const url = await listen((_, out) => void out.destroy());
    const broken = await clientFor(url).get("/health");
    expect(broken).toMatchObject({ failure: { code: "broken", message: expect.stringContaining("ECONNRESET") } });
    const silent = await listen(() => {});
    expect(await clientFor(silent, { timeoutMs: 50 }).get("/health")).toMatchObject({ failure: { code: "late" } });
    expect(await clientFor(silent, { signal: AbortSignal.abort() }).get("/health")).toMatchObject({
      failure: { code: "aborted" },
    });
    const free = createServer();
    await new Promise<void>((resolve) => free.listen(0, "127.0.0.1", resolve));
    const { port } = free.address() as AddressInfo;
    await new Promise((resolve) => free.close(resolve));
    expect(await clientFor(new URL(`http://127.0.0.1:${port}`)).get("/health")).toMatchObject({
      failure: {
        code: "refused",
        message: `Nothing listens on 127.0.0.1:${port}.`,
        fix: expect.stringContaining("recourse serve"),
      },
    });
  });

  it("stops reading an answer that has no end", async () => {
    const url = await listen((_, out) => {
      const write = () => {
        while (out.write("x".repeat(65_536)));
      };
      out.on("drain", write);
      write();
    });
    expect(await clientFor(url).get("/health")).toMatchObject({ failure: { code: "too-long" } });
  });
});

describe("the command line", () => {
  function open(options: Record<string, string | boolean>, env: Record<string, string>) {
    const hidden: string[] = [];
    const notes: string[] = [];
    const io = {
      env,
      signal: new AbortController().signal,
      now: Date.now,
      hide: (...secrets: string[]) => void hidden.push(...secrets),
      stderr: { write: (text: string) => void notes.push(text) },
    } as unknown as Io;
    return { opened: openAdminClient({ positionals: [], options }, io), hidden, notes };
  }

  it("takes the address from --url, then the variable, then the default, and hides the key", () => {
    const env = { GATEWAY_ADMIN_KEY: `${KEY}\n`, GATEWAY_ADMIN_URL: "http://localhost:9/" };
    expect(open({ url: "127.0.0.1:7" }, env).opened).toMatchObject({
      client: { address: "http://127.0.0.1:7/admin/v1" },
    });
    expect(open({}, env).opened).toMatchObject({ client: { address: "http://localhost:9/admin/v1" } });
    const { opened, hidden, notes } = open({}, { GATEWAY_ADMIN_KEY: KEY });
    expect(opened).toMatchObject({ client: { address: "http://127.0.0.1:8081/admin/v1" } });
    expect([hidden, notes]).toEqual([[KEY], []]);
  });

  it.each([{}, { GATEWAY_ADMIN_KEY: " " }, { GATEWAY_ADMIN_KEY: "two words" }, { GATEWAY_ADMIN_KEY: "a\r\nb: c" }])(
    "says which variable to set with %j",
    (env) => {
      expect(open({}, env).opened).toMatchObject({
        failure: { exit: "credentials", fix: expect.stringContaining("export GATEWAY_ADMIN_KEY=") },
      });
    },
  );

  it.each(["ftp://x", "http://", "http://a b"])("refuses the address %j", (url) => {
    expect(open({ url }, { GATEWAY_ADMIN_KEY: KEY }).opened).toMatchObject({ failure: { exit: "usage" } });
  });

  it("warns when the key leaves the machine without encryption", () => {
    const env = { GATEWAY_ADMIN_KEY: KEY };
    expect(open({ url: "http://ops.example.com" }, env).notes.join("")).toContain("ops.example.com");
    expect(open({ url: "https://ops.example.com" }, env).notes).toEqual([]);
    expect(open({ url: "http://ops.example.com", json: true }, env).notes).toEqual([]);
  });
});
