import { gzipSync } from "node:zlib";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { runs } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  call,
  fixed,
  guarded,
  incidents,
  META,
  MODERN,
  post,
  read,
  server,
} from "../../../test/peers/server/guarded-handler.ts";
import { guardHandler } from "./guard-handler.ts";

describe("a guarded handler of the SDK", () => {
  it("serves the older kind of client too", async () => {
    const { "mcp-protocol-version": _v, ...older } = MODERN;
    const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const request = new Request("http://127.0.0.1/mcp", { method: "POST", headers: older, body: JSON.stringify(list) });
    expect((await guarded().fetch(request)).status).toBe(200);
  });

  it("keeps the other members of the handler", async () => {
    const handler = guarded();
    expect(typeof handler.notify.toolsChanged).toBe("function");
    expect(Object.keys(handler).sort()).toEqual(["bus", "close", "fetch", "notify"]);
    await handler.close();
    incidents.length = 0;
    const { status, reason } = await read(await handler.fetch(post()));
    expect([status, reason]).toEqual([500, "core/internal"]);
    expect(incidents[0]?.cause).toEqual(new Error("This MCP handler has been closed"));
  });

  it.each(["GET", "DELETE", "PUT", "PATCH"])("refuses %s with 405 and Allow", async (method) => {
    const response = await guarded().fetch(new Request("http://127.0.0.1/mcp", { method }));
    expect(response.headers.get("allow")).toBe("POST");
    const { status, body, reason } = await read(response);
    expect([status, body.error?.code, reason]).toEqual([405, -32603, "protocol/http_method"]);
    expect(body).not.toHaveProperty("id");
  });

  it("lets OPTIONS through, and rewrites what the SDK says to it", async () => {
    const options = new Request("http://127.0.0.1/mcp", { method: "OPTIONS" });
    expect(
      (await guardHandler((_: Request) => Promise.resolve(new Response(null, { status: 204 })))(options)).status,
    ).toBe(204);
    const { status, reason } = await read(
      await guarded({ auth: { authenticate: () => ({ ok: false }) } }).fetch(options),
    );
    expect([status, reason]).toEqual([405, "protocol/http_method"]);
  });

  it("refuses other content types", async () => {
    const { status, body, reason } = await read(await guarded().fetch(post(call(), { "content-type": "text/plain" })));
    expect([status, body.error?.code, reason]).toEqual([415, -32602, "content/invalid_type"]);
    expect(body.error?.message).toBe('The content type "text/plain" is not accepted.');
    const odd = await read(await guarded().fetch(post(call(), { "content-type": "<script>" })));
    expect(odd.body.error?.message).toBe("The content type is not accepted.");
    expect((await guarded().fetch(post(call(), { "content-type": "Application/JSON; charset=utf-8" }))).status).toBe(
      200,
    );
  });

  it("refuses bodies that are too long, announced or not", async () => {
    const small = guarded({ body: { maxBytes: 100 } });
    const announced = await read(await small.fetch(post(call(), { "content-length": "4096" })));
    expect([announced.status, announced.body.error?.code]).toEqual([413, -32602]);
    expect(announced.body.error?.message).toBe("The message is too large: 4096 bytes, at most 100.");
    let cancelled = false;
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(64)),
      cancel: () => {
        cancelled = true;
      },
    });
    const streamed = await read(
      await small.fetch(post(undefined, {}, { body: endless, duplex: "half" } as RequestInit)),
    );
    expect([streamed.status, streamed.reason]).toEqual([413, "content/message_too_large"]);
    expect(streamed.body.error?.message).toBe("The message is too large, at most 100.");
    await expect.poll(() => cancelled).toBe(true);
  });

  it("rewrites the lower limit of the SDK", async () => {
    const small = guardHandler(createMcpHandler(server, { maxRequestBodySize: 100 }), fixed);
    const { status, body, reason } = await read(await small.fetch(post()));
    expect([status, body.error?.code, reason, body.id]).toEqual([413, -32602, "content/message_too_large", 7]);
    expect(body.error?.message).toBe("The message is too large: 274 bytes.");
  });

  it("refuses bytes that are not UTF-8, which the SDK alone accepts", async () => {
    const bytes = new TextEncoder().encode(JSON.stringify(call("?")));
    bytes[bytes.indexOf(63)] = 0xff;
    expect((await createMcpHandler(server).fetch(post(bytes))).status).toBe(200);
    const { status, body, reason } = await read(await guarded().fetch(post(bytes)));
    expect([status, body.error?.code, reason]).toEqual([400, -32600, "content/invalid_encoding"]);
  });

  it.each(["", "{", "nope"])("refuses what is not JSON: %j", async (text) => {
    const { status, body, reason } = await read(await guarded().fetch(post(text)));
    expect([status, body.error?.code, reason]).toEqual([400, -32700, "protocol/parse_error"]);
    expect(body).not.toHaveProperty("id");
  });

  it("refuses a stream that does not hold bytes", async () => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue("text");
        controller.close();
      },
    });
    expect((await guarded().fetch(post(undefined, {}, { body, duplex: "half" } as RequestInit))).status).toBe(400);
  });

  it("hands the signal and the bytes on", async () => {
    const controller = new AbortController();
    let seen: Request | undefined;
    const inner = async (request: Request) => {
      seen = request;
      return new Response(await request.text());
    };
    const response = await guardHandler(inner)(post(call("ü"), {}, { signal: controller.signal }));
    expect(await response.text()).toBe(JSON.stringify(call("ü")));
    controller.abort();
    expect(seen?.signal.aborted).toBe(true);
  });

  it("serves requests behind a proxy object, as Next makes them", async () => {
    const inner = post();
    const request = new Proxy(inner, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });
    const { status, body } = await read(await guarded().fetch(request));
    expect([status, body.result?.content[0]?.text]).toEqual([200, "nobody: hi"]);
  });

  it.each([MODERN, { "content-type": "application/json", accept: MODERN.accept }])(
    "hands the parsed message on where that is asked for",
    async (headers) => {
      const body = JSON.stringify({
        jsonrpc: "2.0",
        id: 7,
        method: "tools/list",
        params: headers === MODERN ? { _meta: META } : {},
      });
      const request = new Request("http://127.0.0.1/mcp", {
        method: "POST",
        headers: { ...headers, "mcp-method": "tools/list" },
        body,
      });
      const response = await guarded({ body: { passParsed: true } }).fetch(request);
      expect(response.status).toBe(200);
      expect(await response.text()).toContain('"name":"echo"');
    },
  );

  it("takes a body that somebody parsed before", async () => {
    const used = post();
    await used.text();
    const handler = guarded();
    expect((await handler.fetch(used, { parsedBody: call() })).status).toBe(200);
    incidents.length = 0;
    const { body, reason } = await read(await handler.fetch(used));
    expect(reason).toBe("core/misconfigured");
    expect(body.error?.data?.["recourse/fault"]).toMatchObject({ effect: "none", retry: { allowed: false } });
    expect(String(incidents[0]?.cause)).toContain("no parsedBody was given");
  });
});

describe("a body that a parser in front took", () => {
  it("is noticed where the request has none left", async () => {
    const empty = new Request("http://127.0.0.1/mcp", {
      method: "POST",
      headers: { ...MODERN, "content-length": "274" },
    });
    expect((await read(await guarded().fetch(empty))).reason).toBe("core/misconfigured");
    const none = new Request("http://127.0.0.1/mcp", { method: "POST", headers: { ...MODERN, "content-length": "0" } });
    expect((await read(await guarded().fetch(none))).reason).toBe("protocol/parse_error");
  });

  it("still has to be JSON, since pages of any site can send forms", async () => {
    const form = post("", { "content-type": "application/x-www-form-urlencoded" });
    const { status, reason } = await read(await guarded().fetch(form, { parsedBody: call() }));
    expect([status, reason]).toEqual([415, "content/invalid_type"]);
  });
});

describe("the form of an answer", () => {
  it("is a problem for those who prefer one", async () => {
    const response = await guarded().fetch(post("{", { accept: "application/problem+json, application/json;q=0.5" }));
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(await response.json()).toMatchObject({
      status: 400,
      type: "urn:recourse:reason:protocol/parse_error",
      fault: { reason: "protocol/parse_error" },
    });
    const large = await guarded({ body: { maxBytes: 1 } }).fetch(post(call(), { accept: "application/problem+json" }));
    expect([large.status, ((await large.json()) as { status: number }).status]).toEqual([413, 413]);
  });

  it("has the name, the pages and the headers that the author chose, and the trace of the caller", async () => {
    const trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    const handler = guarded({
      name: "shop",
      docsBase: "https://docs.example/r",
      headers: { "access-control-allow-origin": "*" },
    });
    const response = await handler.fetch(post("{", { traceparent: trace }));
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect((await read(response)).body.error?.data["recourse/fault"]).toMatchObject({
      origin: { layer: "server", name: "shop" },
      docs: "https://docs.example/r/protocol/parse_error",
      trace,
    });
  });
});

const request = () => new Request("http://127.0.0.1/", { method: "OPTIONS" });

it("works on classes with private members", async () => {
  class App {
    readonly #name = "app";
    count = 0;
    fetch(_: Request): Promise<Response> {
      return Promise.resolve(new Response(this.#name));
    }
    hello(): string {
      return `hello from ${this.#name}`;
    }
  }
  const app = new App();
  const guarded = guardHandler(app);
  expect(await (await guarded.fetch(request())).text()).toBe("app");
  expect(guarded.hello()).toBe("hello from app");
  expect(guarded).toBeInstanceOf(App);
  guarded.count = 3;
  expect(app.count).toBe(3);
  expect("hello" in guarded).toBe(true);
});

it("works on frozen objects, and can be spread", async () => {
  const guarded = guardHandler(
    Object.freeze({ fetch: (_: Request): Promise<Response> => Promise.reject(new Error("x")), close: () => "closed" }),
    {
      sink: () => {},
    },
  );
  expect((await { ...guarded }.fetch(request())).status).toBe(500);
  expect(guarded.close()).toBe("closed");
});

it("passes every further argument on", async () => {
  const seen: unknown[] = [];
  const worker = (_: Request, ...rest: unknown[]) => {
    seen.push(...rest);
    return Promise.resolve(new Response());
  };
  await guardHandler(worker)(request(), { env: 1 }, { context: 2 });
  expect(seen).toEqual([{ env: 1 }, { context: 2 }]);
});

it("says at once when there is nothing to guard", () => {
  expect(() => guardHandler({} as never)).toThrow(TypeError);
});

it("never throws, even on what is no request", async () => {
  const guarded = guardHandler((_: Request) => Promise.resolve(new Response()), { sink: () => {} });
  expect((await guarded(undefined as unknown as Request)).status).toBe(500);
  const clockless = guardHandler((_: Request) => Promise.resolve(new Response()), {
    testing: { clock: { now: () => expect.unreachable(), monotonic: () => expect.unreachable() } },
  });
  expect((await clockless(request())).status).toBe(500);
});

const SECRET = "Zq7-planted-secret-x9";
const ANSWERS = fc.record({
  status: fc.integer({ min: 400, max: 599 }).filter((status) => status !== 499),
  type: fc.constantFrom("text/plain", "application/json", "application/problem+json", "text/html", "text/event-stream"),
  header: fc.constantFrom("x-detail", "www-authenticate", "retry-after", "ratelimit", "warning", "location", "link"),
  code: fc.constantFrom(
    -32700,
    -32600,
    -32601,
    -32602,
    -32603,
    -32000,
    -32001,
    -32002,
    -32020,
    -32021,
    -32022,
    -32042,
    1045,
  ),
  shape: fc.constantFrom("text", "rpc", "oauth", "problem"),
  accept: fc.constantFrom("application/json", "application/problem+json", "*/*"),
});
const SHAPES = {
  text: () => `failed: ${SECRET}`,
  rpc: (code: number) =>
    JSON.stringify({ jsonrpc: "2.0", error: { code, message: SECRET, data: { sql: SECRET } }, id: null }),
  oauth: () => JSON.stringify({ error: "invalid_token", error_description: SECRET }),
  problem: () => JSON.stringify({ type: "about:blank", title: SECRET, detail: SECRET, errors: [{ detail: SECRET }] }),
} as const satisfies Record<string, (code: number) => string>;

it("never lets a word of a handler's own error out, nor a code that is not legal", async () => {
  await fc.assert(
    fc.asyncProperty(ANSWERS, async ({ status, type, header, code, shape, accept }) => {
      const headers = { "content-type": type, [header]: `Bearer error_description="${SECRET}" ${SECRET}` };
      const inner = (_: Request) => Promise.resolve(new Response(SHAPES[shape](code), { status, headers }));
      const request = new Request("http://127.0.0.1/", {
        method: "POST",
        headers: { "content-type": "application/json", accept },
        body: '{"jsonrpc":"2.0","id":"a","method":"tools/call"}',
      });
      const response = await guardHandler(inner, { sink: () => {} })(request);
      const text = await response.text();
      expect([...response.headers, text].join("\n")).not.toContain(SECRET);
      const body = JSON.parse(text) as { id?: unknown; status?: unknown; error?: { code: number } };
      expect(response.status).toBe(status);
      const legal = [-32700, -32600, -32601, -32602, -32603, -32020, -32021, -32022];
      if (accept === "application/problem+json") expect(body.status).toBe(status);
      else expect([body.id, legal.includes(body.error?.code ?? 0)]).toEqual(["a", true]);
    }),
    { numRuns: runs(1_000) },
  );
});

it.each([
  ["UTF-16", Buffer.from(SHAPES.rpc(-32603), "utf16le")],
  ["bytes that are not UTF-8", Buffer.concat([Buffer.from(SHAPES.text()), Buffer.from([0xff])])],
  ["gzip without its header", gzipSync(SHAPES.problem())],
])("never shows a handler's own error in %s", async (_name, bytes) => {
  const inner = (_: Request) => Promise.resolve(new Response(bytes, { status: 400 }));
  const headers = { "content-type": "application/json" };
  const request = new Request("http://127.0.0.1/", { method: "POST", headers, body: '{"jsonrpc":"2.0","id":"a"}' });
  const text = await (await guardHandler(inner, { sink: () => {} })(request)).text();
  expect(text.replaceAll("\\u0000", "")).not.toMatch(/planted|\ufffd/);
});

it.each([{ maxBytes: -1 }, { timeoutMs: 0 }])("refuses %o for bodies", (body) => {
  expect(() => guardHandler(() => new Response(), { body })).toThrow(
    `body.${Object.keys(body)[0]} must be a number of`,
  );
});
