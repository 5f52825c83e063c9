import { createServer } from "node:http";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { listenOnLoopback } from "@recourse/test-kit/loopback";
import express from "express";
import { describe, expect, it, onTestFinished } from "vitest";
import { call, fixed, guarded, post } from "../../../test/peers/server/guarded-handler.ts";
import { edgeErrorHandler, toNodeListener } from "../node/listeners.ts";
import { guardHandler } from "./guard-handler.ts";
import type { HandlerOptions } from "./options.ts";

const PAGE = "https://app.example.com";
const SERVED: HandlerOptions = { allowedOrigins: [PAGE], ...fixed };
const EXPOSED = "mcp-session-id, mcp-protocol-version, www-authenticate, retry-after, ratelimit, ratelimit-policy";

function preflight(headers: Readonly<Record<string, string>> = {}): Request {
  return new Request("http://127.0.0.1/mcp", {
    method: "OPTIONS",
    headers: { origin: PAGE, "access-control-request-method": "POST", ...headers },
  });
}

const corsNames = (response: Response) =>
  [...response.headers.keys()].filter((name) => name.startsWith("access-control"));
const corsFacts = ({ status, headers }: Response) => [
  status,
  headers.get("access-control-allow-origin"),
  headers.get("access-control-expose-headers"),
  headers.get("vary"),
];

describe("a page that is allowed", () => {
  it("may read answers of the handler and those of the guard", async () => {
    expect(corsFacts(await guarded(SERVED).fetch(post(call(), { origin: PAGE })))).toEqual([
      200,
      PAGE,
      EXPOSED,
      "origin",
    ]);
    expect(corsFacts(await guarded(SERVED).fetch(post("{", { origin: PAGE })))).toEqual([400, PAGE, EXPOSED, "origin"]);
    const closed = guarded({ ...SERVED, auth: { authenticate: () => ({ ok: false }) } });
    const refused = await closed.fetch(post(call(), { origin: PAGE }));
    expect(corsFacts(refused)).toEqual([401, PAGE, EXPOSED, "origin"]);
    expect(refused.headers.get("www-authenticate")).toBe("Bearer");
  });

  it("may read what a handler threw, and what one answered with an error", async () => {
    const thrown = guardHandler((_: Request): Promise<Response> => Promise.reject(new Error("x")), SERVED);
    expect(corsFacts(await thrown(post(call(), { origin: PAGE })))[1]).toBe(PAGE);
    const failed = guardHandler(
      (_: Request) => new Response("no", { status: 500, headers: { vary: "accept" } }),
      SERVED,
    );
    expect(corsFacts(await failed(post(call(), { origin: PAGE })))).toEqual([500, PAGE, EXPOSED, "accept, origin"]);
  });

  it("may read an answer whose headers cannot be changed", async () => {
    const handler = guardHandler((_: Request) => Response.redirect("https://elsewhere.example/", 307), SERVED);
    const response = await handler(post(call(), { origin: PAGE }));
    expect(corsFacts(response)).toEqual([307, PAGE, EXPOSED, "origin"]);
    expect(response.headers.get("location")).toBe("https://elsewhere.example/");
  });

  it("is any page where any is allowed", async () => {
    const response = await guarded({ ...fixed, allowedOrigins: "any" }).fetch(
      post(call(), { origin: "https://a.example" }),
    );
    expect(corsFacts(response)).toEqual([200, "*", EXPOSED, null]);
  });

  it("is a page of the same machine where nothing is set, and the request stays there", async () => {
    const origin = "http://localhost:5173";
    expect(corsFacts(await guarded().fetch(post(call(), { origin })))[1]).toBe(origin);
    const name = `public ${Math.random()}`;
    const elsewhere = await guarded({ name }).fetch(post(call(), { origin, host: "mcp.example.com" }));
    expect([elsewhere.status, corsNames(elsewhere)]).toEqual([200, []]);
  });
});

describe("no headers for pages", () => {
  it("where the page is not allowed", async () => {
    for (const request of [
      post(call(), { origin: "https://evil.example" }),
      preflight({ origin: "https://evil.example" }),
    ]) {
      const response = await guarded({ ...SERVED, name: "evil" }).fetch(request);
      expect([response.status, corsNames(response)]).toEqual([403, []]);
    }
  });

  it("where no page calls", async () => {
    const response = await guarded(SERVED).fetch(post(call()));
    expect([response.status, corsNames(response), response.headers.get("vary")]).toEqual([200, [], null]);
  });

  it("where the author writes them elsewhere", async () => {
    const response = await guarded({ ...SERVED, cors: false }).fetch(post(call(), { origin: PAGE }));
    expect([response.status, corsNames(response)]).toEqual([200, []]);
    expect((await guarded({ ...SERVED, cors: false }).fetch(preflight())).status).toBe(405);
  });
});

describe("headers for pages that somebody else wrote", () => {
  const own = { "access-control-allow-origin": "https://own.example", "access-control-allow-headers": "x-own" };

  it("stay: of a handler, to a call and to a preflight", async () => {
    const handler = guardHandler((_: Request) => new Response(null, { status: 204, headers: own }), SERVED);
    for (const request of [post(call(), { origin: PAGE }), preflight()]) {
      const response = await handler(request);
      expect(response.headers.get("access-control-allow-origin")).toBe("https://own.example");
      expect(corsNames(response)).toHaveLength(2);
    }
  });

  it("stay: those of the option, in whatever case they are written", async () => {
    const headers = { "Access-Control-Allow-Origin": "https://own.example", "Access-Control-Allow-Headers": "x-own" };
    const refused = await guarded({ ...SERVED, headers }).fetch(post("{", { origin: PAGE }));
    expect(refused.headers.get("access-control-allow-origin")).toBe("https://own.example");
    const asked = await guarded({ ...SERVED, headers }).fetch(preflight());
    expect(asked.status).toBe(204);
    expect(asked.headers.get("access-control-allow-origin")).toBe("https://own.example");
    expect(asked.headers.get("access-control-allow-headers")).toBe("x-own");
  });

  it("stay: those of a middleware of Express, also for its errors", async () => {
    const app = express();
    app.use((_request, response, next) => {
      response.setHeader("access-control-allow-origin", "https://own.example").setHeader("vary", "accept-encoding");
      next();
    });
    app.all("/mcp", toNodeListener(guarded({ ...SERVED, allowedOrigins: "any" })));
    app.all("/broken", express.json());
    app.use(edgeErrorHandler({ allowedOrigins: "any" }));
    const { url, close } = await listenOnLoopback(createServer(app));
    onTestFinished(close);
    for (const path of ["/mcp", "/broken"]) {
      const answer = await fetch(new URL(path, url), {
        method: "POST",
        headers: { origin: PAGE, "content-type": "application/json" },
        body: "{",
      });
      const { headers } = answer;
      expect([answer.status, headers.get("access-control-allow-origin"), headers.get("vary")]).toEqual([
        400,
        "https://own.example",
        "accept-encoding",
      ]);
    }
  });
});

describe("a preflight", () => {
  it("is answered for the official handler, which knows none, without credentials", async () => {
    const handler = guardHandler(
      createMcpHandler(() => new McpServer({ name: "s", version: "1" })),
      { ...SERVED, methods: ["GET", "DELETE"], auth: { authenticate: () => ({ ok: false }) } },
    );
    const response = await handler.fetch(preflight({ "access-control-request-headers": "mcp-param-region,x-other" }));
    expect(response.status).toBe(204);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "access-control-allow-origin": PAGE,
      "access-control-allow-methods": "POST, GET, DELETE",
      "access-control-allow-headers": expect.stringMatching(/^authorization, .*, mcp-param-region$/),
      "access-control-max-age": "7200",
      vary: "origin",
    });
    expect(response.headers.has("access-control-allow-credentials")).toBe(false);
  });

  it("that asks nothing goes to the handler as before", async () => {
    const response = await guarded(SERVED).fetch(
      new Request("http://127.0.0.1/mcp", { method: "OPTIONS", headers: { origin: PAGE } }),
    );
    expect(response.status).toBe(405);
  });
});

it("errors of a framework can be read by pages that are allowed, and by no others", async () => {
  const app = express();
  app.use(express.json());
  app.use(edgeErrorHandler({ allowedOrigins: [PAGE] }));
  const { url, close } = await listenOnLoopback(createServer(app));
  onTestFinished(close);
  const send = (origin: string) =>
    fetch(url, { method: "POST", headers: { origin, "content-type": "application/json" }, body: "{" });
  expect(corsFacts(await send(PAGE))).toEqual([400, PAGE, EXPOSED, "origin"]);
  expect(corsNames(await send("https://evil.example"))).toEqual([]);
});
