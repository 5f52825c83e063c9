import { once } from "node:events";
import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from "node:http";
import { connect as connectHttp2, createServer as createHttp2Server } from "node:http2";
import { type AddressInfo, connect } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { type LoopbackServer, listenOnLoopback } from "@recourse/test-kit/loopback";
import express, { type RequestHandler } from "express";
import { fastify } from "fastify";
import createError from "http-errors";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { call, fixed, incidents, MODERN, server as mcpServer } from "../../../test/peers/server/guarded-handler.ts";
import { guardHandler } from "../http/guard-handler.ts";
import { edgeErrorHandler, toNodeListener } from "./listeners.ts";

describe("to node listener", () => {
  const handler = guardHandler(createMcpHandler(mcpServer), { ...fixed, body: { maxBytes: 100_000 } });
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
      let seen: { url?: string; extra?: { authInfo?: unknown; incoming?: { socket?: { localAddress?: string } } } } =
        {};
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
      ["evil.example", 403],
      ["localhost, evil.example", 403],
      ["localhost/../x", 403],
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
  });
});

describe("edge error handler", () => {
  const SECRET = "postgres://user:hunter2@db";
  const errors = edgeErrorHandler({ ...fixed, name: "s" });
  const running: LoopbackServer[] = [];
  beforeEach(() => {
    incidents.length = 0;
  });
  afterEach(async () => {
    for (const server of running.splice(0)) await server.close();
  });

  async function listen(server: Server): Promise<string> {
    const listening = await listenOnLoopback(server);
    running.push(listening);
    return listening.url.href;
  }
  const withExpress = (...before: RequestHandler[]) =>
    listen(
      createServer(
        express()
          .use(...before, (_req, res) => void res.send("reached"))
          .use(errors) as RequestListener,
      ),
    );
  async function withFastify(route: () => unknown = () => "reached"): Promise<string> {
    const app = fastify({ bodyLimit: 100 });
    app.setErrorHandler(errors);
    app.addHook("onRequest", (_request, reply, done) => {
      reply.header("access-control-allow-origin", "https://app.example.com");
      done();
    });
    app.post("/mcp", route);
    await app.ready();
    return listen(app.server);
  }

  async function post(url: string, body: string, headers: Record<string, string> = {}) {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
    });
    const text = await response.text();
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(text).not.toMatch(/<html|hunter2|node_modules|\bat \S+ \(|SyntaxError/);
    const { error } = JSON.parse(text) as { error: { data: Record<string, { reason: string; effect: string }> } };
    const fault = error.data["recourse/fault"];
    return { status: response.status, fault, headers: response.headers };
  }

  describe("errors of parsers", () => {
    const json = express.json({ limit: 100 });
    it.each([
      ["broken JSON", "{hunter2", {}, 400, "protocol/parse_error"],
      ["a large body", `"${"x".repeat(200)}"`, {}, 413, "content/message_too_large"],
      ["a charset", "{}", { "content-type": "application/json; charset=hunter2" }, 415, "content/invalid_type"],
      ["an encoding", "{}", { "content-encoding": "hunter2" }, 415, "content/invalid_type"],
      ["no gzip", "{}", { "content-encoding": "gzip" }, 400, "protocol/bad_request"],
    ] as const)("of Express become faults: %s", async (_, body, headers, status, reason) => {
      const answer = await post(await withExpress(json), body, headers);
      expect([answer.status, answer.fault?.reason, answer.fault?.effect]).toEqual([status, reason, "none"]);
      expect(incidents).toEqual([]);
    });

    it.each([
      ["broken JSON", "{hunter2", {}, 400, "protocol/parse_error"],
      ["an empty body", "", {}, 400, "protocol/parse_error"],
      ["a poisoned body", '{"__proto__":{"hunter2":1}}', {}, 400, "protocol/parse_error"],
      ["a large body", `"${"x".repeat(200)}"`, {}, 413, "content/message_too_large"],
      ["a type", "<a/>", { "content-type": "application/hunter2" }, 415, "content/invalid_type"],
    ] as const)("of Fastify become faults: %s", async (_, body, headers, status, reason) => {
      const answer = await post(await withFastify(), body, headers);
      expect([answer.status, answer.fault?.reason, answer.fault?.effect]).toEqual([status, reason, "none"]);
      // What hooks have set stays, such as headers for browsers.
      expect(answer.headers.get("access-control-allow-origin")).toBe("https://app.example.com");
      expect(incidents).toEqual([]);
    });

    it("name the limit", async () => {
      const { fault } = await post(await withExpress(json), `"${"x".repeat(200)}"`);
      expect(fault).toMatchObject({ params: { maxSize: 100, actualSize: 202 } });
    });

    it("of a check of the body say nothing", async () => {
      const verify = () => {
        throw new Error(SECRET);
      };
      expect((await post(await withExpress(express.json({ verify })), "{}")).fault?.reason).toBe("auth/access_denied");
    });
  });

  describe("errors of routes", () => {
    const failing = () => {
      throw new Error(SECRET);
    };

    it.each([
      ["Express", () => withExpress(failing)],
      ["Fastify", () => withFastify(failing)],
    ])("of %s are incidents", async (_, start) => {
      const { status, fault } = await post(await start(), "{}");
      expect([status, fault?.reason, fault?.effect]).toEqual([500, "core/internal", "possible"]);
      expect(incidents).toHaveLength(1);
      expect(String(incidents[0]?.cause)).toContain(SECRET);
    });

    it("keep the words for callers as quotations", async () => {
      const url = await withExpress((_req, _res, next) => next(createError(404, "There is no tenant 7.")));
      const { status, fault } = await post(url, "{}");
      expect([status, fault]).toEqual([
        404,
        expect.objectContaining({
          kind: "not_found",
          quote: expect.objectContaining({ text: "There is no tenant 7." }),
        }),
      ]);
    });

    it("of a broken path are mistakes of the caller", async () => {
      const app = express()
        .use("/:id", (_req, res) => void res.send("reached"))
        .use(errors);
      const url = await listen(createServer(app as RequestListener));
      const { status, fault } = await post(url.replace("mcp", "%E0%A4%A"), "{}");
      expect([status, fault?.reason]).toEqual([400, "protocol/bad_request"]);
    });

    const trap = () => {
      throw new Error(SECRET);
    };
    const hostile = new Proxy({}, { getPrototypeOf: trap, getOwnPropertyDescriptor: trap, get: trap, has: trap });
    it.each([
      ["undefined", undefined],
      ["null", null],
      ["a text", "text"],
      ["odd members", { status: "400", type: 7 }],
      ["a high status", { status: 9_999 }],
      ["a proxy", hostile],
    ])("may be anything: %s", async (_, thrown) => {
      const answer = await fetch(
        await withExpress((_req, _res, next) => {
          next(thrown ?? "route-less");
        }),
        { method: "POST" },
      );
      expect(answer.status).toBe(500);
      expect(await answer.json()).toHaveProperty("error");
    });
  });

  describe("an answer that was only prepared", () => {
    const prepared = {
      "content-length": "9999",
      "content-encoding": "gzip",
      "content-range": "bytes 0-1/2",
      etag: '"x"',
    };
    const OF_THE_BODY = Object.keys(prepared);

    it("leaves none of its headers about the body in Express", async () => {
      const url = await withExpress((_req, res, next) => {
        res.set({ ...prepared, "x-request-id": "7" });
        next(new Error(SECRET));
      });
      const { status, headers } = await post(url, "{}");
      expect([status, headers.get("x-request-id")]).toEqual([500, "7"]);
      expect(OF_THE_BODY.filter((name) => headers.has(name))).toEqual([]);
    });

    it("leaves none of its headers about the body in Fastify", async () => {
      const app = fastify();
      app.setErrorHandler(errors);
      app.post("/mcp", (_request, reply) => {
        reply.headers(prepared);
        throw new Error(SECRET);
      });
      await app.ready();
      const { status, headers } = await post(await listen(app.server), "{}");
      expect(status).toBe(500);
      expect(OF_THE_BODY.filter((name) => headers.has(name))).toEqual([]);
    });
  });

  describe("an answer that has begun", () => {
    it("is left to Express, which ends the connection", async () => {
      const url = await withExpress((_req, res, next) => {
        res.write("begun");
        next(new Error(SECRET));
      });
      await expect(fetch(url, { method: "POST" }).then((response) => response.text())).rejects.toThrow();
    });
  });
});
