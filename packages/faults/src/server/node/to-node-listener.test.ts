import { once } from "node:events";
import { Agent, createServer, request as httpRequest, type IncomingMessage, type RequestListener } from "node:http";
import { connect as connectHttp2, createServer as createHttp2Server } from "node:http2";
import { type AddressInfo, connect } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createMcpHandler } from "@modelcontextprotocol/server";
import express from "express";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type LoopbackServer, listenOnLoopback } from "../../../test/peers/loopback.ts";
import { call, fixed, incidents, MODERN, server as mcpServer } from "../../../test/peers/server/guarded-handler.ts";
import { guardHandler } from "../http/guard-handler.ts";
import { toNodeListener } from "./to-node-listener.ts";

const handler = guardHandler(createMcpHandler(mcpServer), { ...fixed, maxBodyBytes: 100_000 });
const listener = toNodeListener(handler);
setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;
const running: LoopbackServer[] = [];
beforeEach(() => {
  incidents.length = 0;
});
afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});

async function listen(app: RequestListener): Promise<string> {
  const server = await listenOnLoopback(createServer(app));
  running.push(server);
  return server.url.href;
}

const message = JSON.stringify(call());
async function post(url: string, body: string | Uint8Array = message, headers: Record<string, string> = {}) {
  const response = await fetch(url, { method: "POST", headers: { ...MODERN, ...headers }, body: body as string });
  const text = await response.text();
  const reason = /"reason":"([^"]+)"/.exec(text)?.[1];
  return { status: response.status, text, reason };
}

describe("a body that a parser in front has read", () => {
  it.each([
    ["json", express.json()],
    ["text", express.text({ type: "*/*" })],
    ["raw", express.raw({ type: "*/*" })],
    ["two of them", express.Router().use(express.urlencoded({ extended: true }), express.json())],
    ["none", express.Router()],
  ])("is used (%s)", async (_, parser) => {
    const url = await listen(express().use(parser).all("/mcp", listener) as RequestListener);
    expect(await post(url)).toMatchObject({ status: 200, text: expect.stringContaining("nobody: hi") });
    expect(await post(url, "7")).toMatchObject({ status: 400 });
  });

  it("is unpacked once", async () => {
    const url = await listen(express().use(express.json()).all("/mcp", listener) as RequestListener);
    const packed = await new Response(new Blob([message]).stream().pipeThrough(new CompressionStream("gzip"))).bytes();
    expect((await post(url, packed, { "content-encoding": "gzip" })).status).toBe(200);
  });

  it("is refused where it is nested too deeply to become text again", async () => {
    const url = await listen(express().use(express.json()).all("/mcp", listener) as RequestListener);
    const deep = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
    expect(await post(url, deep)).toMatchObject({ status: 400, reason: "protocol/invalid_request" });
    expect(incidents).toEqual([]);
  });

  it("is taken from the third argument", async () => {
    const url = await listen((req, res) => void listener(req, res, call("given")));
    expect((await post(url)).text).toContain("nobody: given");
  });

  it("is a wrong setup where it is nowhere to be found, and the operator reads what to do", async () => {
    const app = express().use((req, _res, next) => {
      req.resume().on("end", () => next());
    });
    const { status, reason } = await post(await listen(app.all("/mcp", listener) as RequestListener));
    expect([status, reason]).toEqual([503, "core/misconfigured"]);
    expect(String(incidents[0]?.cause)).toContain("put the handler before the parser");
  });

  it("is no form, whatever a parser made of it", async () => {
    const url = await listen(
      express()
        .use(express.urlencoded({ extended: true }))
        .all("/mcp", listener) as RequestListener,
    );
    const type = { "content-type": "application/x-www-form-urlencoded" };
    expect(await post(url, "jsonrpc=2.0", type)).toMatchObject({ status: 415, reason: "content/invalid_type" });
  });

  it("is read from the stream where an empty object only looks like one", async () => {
    const app = express().use((req, _res, next) => {
      req.body = {};
      next();
    });
    expect((await post(await listen(app.all("/mcp", listener) as RequestListener))).status).toBe(200);
  });
});

describe("the request that the guard sees", () => {
  it("has the path of the whole app, the credentials of a middleware and the address", async () => {
    let seen: { url?: string; extra?: { authInfo?: unknown; incoming?: { socket?: { localAddress?: string } } } } = {};
    const probe = toNodeListener((request: Request, extra?: object) => {
      seen = { url: request.url, ...(extra !== undefined && { extra }) };
      return new Response(null, {
        status: 204,
        headers: [
          ["set-cookie", "a=1"],
          ["set-cookie", "b=2"],
        ],
      });
    });
    const app = express().use(
      "/deep",
      (req, res) => void probe(Object.assign(req, { auth: { clientId: "ada" } }), res),
    );
    const url = (await listen(app as RequestListener)).replace("/mcp", "/deep/mcp?x=1");
    const response = await fetch(url, { method: "POST" });
    expect([response.status, response.headers.getSetCookie()]).toEqual([204, ["a=1", "b=2"]]);
    expect(seen.url).toBe(url);
    expect(seen.extra?.authInfo).toEqual({ clientId: "ada" });
    expect(seen.extra?.incoming?.socket?.localAddress).toBe("127.0.0.1");
  });

  it("is aborted when the client goes", async () => {
    const gone = vi.fn();
    let reached = false;
    const url = await listen(
      toNodeListener((request: Request) => {
        request.signal.addEventListener("abort", gone);
        reached = true;
        return new Promise<Response>(() => {});
      }),
    );
    const client = new AbortController();
    const pending = fetch(url, { signal: client.signal }).catch(() => {});
    await expect.poll(() => reached).toBe(true);
    client.abort();
    await pending;
    await expect.poll(() => gone.mock.calls.length).toBe(1);
  });

  it("is aborted when the client goes long after the handler has answered and forgotten the request", async () => {
    const gone = vi.fn();
    const guarded = guardHandler((request: Request) => {
      request.signal.addEventListener("abort", gone);
      return new Response(new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1)) }));
    }, fixed);
    const sent = httpRequest(await listen(toNodeListener(guarded)), {
      method: "POST",
      headers: { "content-type": "application/json" },
    }).end("{}");
    const [received] = (await once(sent, "response")) as [NodeJS.ReadableStream & { destroy(): void }];
    await once(received, "readable");
    for (let round = 0; round < 5; round++) {
      collectGarbage();
      await new Promise((resolve) => setImmediate(resolve));
    }
    received.destroy();
    await expect.poll(() => gone.mock.calls.length).toBe(1);
  });

  it("ends a streamed answer when the client goes", async () => {
    const cancelled = vi.fn();
    const url = await listen(
      toNodeListener(() => {
        const body = new ReadableStream({
          pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
          cancel: cancelled,
        });
        return new Response(body);
      }),
    );
    const sent = httpRequest(url).end();
    const [received] = (await once(sent, "response")) as [NodeJS.ReadableStream & { destroy(): void }];
    await once(received, "readable");
    received.destroy();
    await expect.poll(() => cancelled.mock.calls.length).toBe(1);
  });
});

describe("a handler that is not guarded", () => {
  it("answers with a fault, whatever it throws", async () => {
    const stderr = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const { status, reason } = await post(await listen(toNodeListener(() => Promise.reject(proxy))));
    const printed = stderr.mock.calls.map(String).join("");
    stderr.mockRestore();
    expect([status, reason]).toEqual([500, "core/internal"]);
    expect(printed).toContain("core/internal");
  });

  it("answers with a fault where it throws", async () => {
    const stderr = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const url = await listen(toNodeListener(() => Promise.reject(new Error("postgres://user:hunter2@db"))));
    const { status, text, reason } = await post(url);
    stderr.mockRestore();
    expect([status, reason]).toEqual([500, "core/internal"]);
    expect(text).not.toContain("hunter2");
  });
});

/** Sends bytes as they are, since clients send no such requests. */
async function raw(url: string, lines: readonly string[]): Promise<string> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.end(
    `${[...lines, "content-type: application/json", "content-length: 2", "connection: close"].join("\r\n")}\r\n\r\n{}`,
  );
  let text = "";
  for await (const chunk of socket) text += String(chunk);
  return text;
}

describe("odd requests", () => {
  it.each([
    ["LOCALHOST", 400],
    ["localhost.:1", 400],
    ["[::1]:1", 400],
    ["evil.example", 403],
    ["evil@localhost", 403],
    ["localhost, evil.example", 403],
    ["[::1%25lo]", 403],
    ["localhost/../x", 403],
    ["", 403],
    ["0.0.0.0", 403],
    ["a b", 403],
    ["\u00ff", 403],
    ["x".repeat(1_000), 403],
  ])("the Host %j is answered with %i", async (host, status) => {
    const text = await raw(await listen(listener), ["POST /mcp HTTP/1.1", `Host: ${host}`]);
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(text).toContain(status === 403 ? "auth/access_denied" : "protocol/");
  });

  it.each([
    [["POST /mcp HTTP/1.0"], 400],
    [["POST http://evil.example/mcp HTTP/1.1", "Host: localhost"], 400],
    [["POST //evil.example/mcp HTTP/1.1", "Host: localhost"], 400],
    [["POST http://localhost/mcp HTTP/1.1", "Host: evil.example"], 403],
    [["POST /mcp HTTP/1.1", "Host: evil.example", "X-Forwarded-Host: localhost"], 403],
    [["POST /mcp HTTP/1.1", "Host: localhost", "Origin: http://localhost", "Origin: https://evil.example"], 403],
    [["TRACE /mcp HTTP/1.1", "Host: localhost"], 405],
    [["OPTIONS * HTTP/1.1", "Host: localhost"], 405],
    [["POST /%E0%A4%A HTTP/1.1", "Host: localhost"], 400],
  ] as [string[], number][])("%j is answered with %i", async (lines, status) => {
    const text = await raw(await listen(listener), lines);
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(text).toContain("recourse/fault");
    expect(text).not.toMatch(/evil|at .*\.ts:\d/);
  });

  it.each([["//evil.example/mcp"], ["/\\evil.example/mcp"], ["/\\/evil.example/mcp"], ["http://evil.example/mcp"]])(
    "the target %s does not name another host",
    async (target) => {
      let seen = "";
      const probe = toNodeListener(({ url }: Request) => {
        seen = url;
        return new Response();
      });
      await raw(await listen(probe), [`POST ${target} HTTP/1.1`, "Host: localhost"]);
      expect(new URL(seen).host).toBe("localhost");
    },
  );

  it("HTTP/2 has no path that stands for another host", async () => {
    const server = createHttp2Server(listener as unknown as Parameters<typeof createHttp2Server>[1]);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const client = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const sent = client.request({ ":method": "POST", ":authority": "evil.example", ":path": "/\\localhost/mcp" });
    const [headers] = (await once(sent, "response")) as [{ ":status"?: number }];
    client.destroy();
    server.close();
    expect(headers[":status"]).toBe(403);
  });

  it("HEAD is answered at once, even where a stream does not let go", async () => {
    const hanging = new ReadableStream({ cancel: () => new Promise(() => {}) });
    const response = await fetch(await listen(toNodeListener(() => new Response(hanging))), { method: "HEAD" });
    expect(response.status).toBe(200);
  });

  it("a streamed answer keeps the connection open", async () => {
    const streamed = new Response(new ReadableStream({ start: (controller) => controller.close() }));
    const sent = httpRequest(await listen(toNodeListener(() => streamed)), { agent: new Agent({ keepAlive: true }) });
    const [{ headers }] = (await once(sent.end(), "response")) as [IncomingMessage];
    sent.destroy();
    expect(headers).toMatchObject({ connection: "keep-alive", "transfer-encoding": "chunked" });
  });

  it("HEAD has no body", async () => {
    const response = await fetch(await listen(listener), { method: "HEAD" });
    expect([response.status, await response.text()]).toEqual([405, ""]);
  });
});
