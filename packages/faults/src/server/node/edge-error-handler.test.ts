import { createServer, type RequestListener, type Server } from "node:http";
import express, { type RequestHandler } from "express";
import { fastify } from "fastify";
import createError from "http-errors";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type LoopbackServer, listenOnLoopback } from "../../../test/peers/loopback.ts";
import { fixed, incidents } from "../../../test/peers/server/guarded-handler.ts";
import { edgeErrorHandler } from "./edge-error-handler.ts";

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
      expect.objectContaining({ kind: "not_found", quote: expect.objectContaining({ text: "There is no tenant 7." }) }),
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
