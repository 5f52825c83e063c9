import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { eventually } from "@recourse/test-kit/eventually";
import { listenOnLoopback } from "@recourse/test-kit/loopback";
import { createRedisServer } from "@recourse/test-kit/redis";
import { describe, expect, it } from "vitest";
import { EVERY_ABILITY } from "../../src/call/abilities.ts";
import { openRedis, redisSessions } from "../../src/stores/redis.ts";
import { holdTime, pass } from "../support/held-time.ts";
import { sendJson, startRawServer } from "./support/raw-server.ts";
import { scope } from "./support/scope.ts";
import { startV1 } from "./support/sdk-servers.ts";
import { callOf, textOf, upstreamAt } from "./support/upstream.ts";

const keep = scope();
const signal = new AbortController().signal;
const PARAMS = Buffer.from('{"name":"count","arguments":{}}');
// With these abilities the first caller gets the session in which the era was found out.
const count = (session: string) => callOf("count", "{}", { params: PARAMS, session, abilities: EVERY_ABILITY });

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly error?: { readonly code: number };
}
type Answer = (message: Message, response: ServerResponse, request: IncomingMessage) => void;

/** A server of the older era that answers `initialize` by itself, with the sessions s1, s2 … */
async function startOld(answer: Answer, options: { sessions: boolean } = { sessions: true }) {
  const messages: Message[] = [];
  let opened = 0;
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    if (request.headers["mcp-method"] === "server/discover") {
      sendJson(response, '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request"}}', 400);
      return;
    }
    const message: Message = body === "" ? { method: request.method ?? "" } : JSON.parse(body);
    messages.push(message);
    if (message.method === "initialize") {
      opened += 1;
      if (options.sessions) response.setHeader("mcp-session-id", `s${opened}`);
      const result = { protocolVersion: "2025-06-18", capabilities: {}, serverInfo: { name: "x", version: "1" } };
      sendJson(response, JSON.stringify({ jsonrpc: "2.0", id: message.id, result }));
    } else if (message.id === undefined) response.writeHead(202).end();
    else answer(message, response, request);
  });
  return { ...(await listenOnLoopback(server)), messages, opened: () => opened };
}

const serve: Answer = ({ id }, response) => sendJson(response, `{"jsonrpc":"2.0","result":{"n":1e400},"id":${id}}`);

it("sends the version that was agreed on, the session and its own ids", async () => {
  let headers: IncomingMessage["headers"] = {};
  const server = keep(
    await startOld((message, response, request) => {
      headers = request.headers;
      serve(message, response, request);
    }),
  );
  const upstream = keep(upstreamAt(server.url.href));
  const reply = await upstream.send({ ...count("a"), id: '"caller\'s"', traceparent: "00-1-2-01" });
  expect(textOf(reply)).toBe(`{"jsonrpc":"2.0","result":{"n":1e400},"id":"caller's"}`);
  expect(headers).toMatchObject({
    "mcp-protocol-version": "2025-06-18",
    "mcp-session-id": "s1",
    traceparent: "00-1-2-01",
  });
  expect(headers).not.toHaveProperty("mcp-method");
  expect(server.messages.map(({ method }) => method)).toEqual([
    "initialize",
    "notifications/initialized",
    "tools/call",
  ]);
});

describe("a session that is not known any more", () => {
  it.each([
    [404, ""],
    [404, '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}'],
    [400, '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request: No valid session ID provided"}}'],
    [400, '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request: Server not initialized"}}'],
  ])("%i %s: the call is sent once more", async (status, body) => {
    const server = keep(
      await startOld((message, response, request) => {
        if (request.headers["mcp-session-id"] === "s1") sendJson(response, body, status);
        else serve(message, response, request);
      }),
    );
    const upstream = keep(upstreamAt(server.url.href));
    expect(textOf(await upstream.send(count("a")))).toContain('"id":7');
    expect(server.opened()).toBe(2);
  });

  it("is not renewed for ever", async () => {
    const server = keep(await startOld((_message, response) => sendJson(response, "{}", 404)));
    const upstream = keep(upstreamAt(server.url.href));
    expect(await upstream.send(count("a"))).toMatchObject({ kind: "answer", status: 404 });
    expect(server.opened()).toBe(2);
    expect(server.messages.filter(({ method }) => method === "tools/call")).toHaveLength(2);
  });

  it.each([
    [404, '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}'],
    [400, '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Bad params"}}'],
    [500, "session lost"],
  ])("%i %s says something else", async (status, body) => {
    const server = keep(await startOld((_message, response) => sendJson(response, body, status)));
    const upstream = keep(upstreamAt(server.url.href));
    expect(await upstream.send(count("a"))).toMatchObject({ kind: "answer", status });
    expect(server.opened()).toBe(1);
  });

  it("a server without sessions that was started again", async () => {
    let isNew = true;
    const server = keep(
      await startOld(
        (message, response, request) => {
          if (!isNew) serve(message, response, request);
          else
            sendJson(
              response,
              '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Server not initialized"}}',
              400,
            );
          isNew = false;
        },
        { sessions: false },
      ),
    );
    const upstream = keep(upstreamAt(server.url.href));
    expect(textOf(await upstream.send(count("a")))).toContain('"id":7');
    expect(server.opened()).toBe(2);
  });
});

it("a call that is too late is cancelled upstream", async () => {
  const server = keep(await startOld(() => {}));
  const upstream = keep(upstreamAt(server.url.href));
  holdTime();
  const late = upstream.send({ ...count("a"), timeoutMs: 400 });
  await eventually(() => expect(server.messages.at(-1)).toMatchObject({ method: "tools/call" }));
  await pass(400);
  expect(textOf(await late)).toBe("failed: core/timeout, possible");
  const cancelled = { method: "notifications/cancelled", params: { requestId: 1 } };
  await eventually(() => expect(server.messages.at(-1)).toMatchObject(cancelled));
});

it("requests of the server are answered once each, and do not reach the caller", async () => {
  let end = () => {};
  const server = keep(
    await startOld(({ id, error }, response) => {
      if (error !== undefined) {
        response.writeHead(202).end();
        end();
        return;
      }
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write('data: {"jsonrpc":"2.0","id":"q1","method":"sampling/createMessage","params":{}}\n\n');
      end = () => response.end(`data: {"jsonrpc":"2.0","id":${id},"result":{}}\n\n`);
    }),
  );
  const upstream = keep(upstreamAt(server.url.href));
  const seen: Buffer[] = [];
  const reply = await upstream.send({ ...count("a"), onNotification: (message) => void seen.push(message) });
  expect(textOf(reply)).toBe('{"jsonrpc":"2.0","id":7,"result":{}}');
  expect(seen).toEqual([]);
  const answers = () => server.messages.filter(({ error }) => error !== undefined);
  expect(answers()).toEqual([
    { jsonrpc: "2.0", id: "q1", error: { code: -32_601, message: "The caller cannot be asked." } },
  ]);
});

describe("several replicas", () => {
  it("share the sessions of their callers, and begin new ones while Redis is away", async () => {
    holdTime();
    const redis = keep(await createRedisServer({ durable: false }));
    const opened = await openRedis({ urls: [redis.url], cluster: false, onError: () => {} });
    keep({ close: async () => opened.close() });
    const switches: string[] = [];
    const sessions = redisSessions({
      redis: opened.redis,
      ttlMs: 60_000,
      onSwitch: (state) => void switches.push(state),
    });
    const server = keep(await startV1({ json: true }));
    const one = keep(upstreamAt(server.url.href, {}, { sessions }));
    const other = keep(upstreamAt(server.url.href, {}, { sessions }));
    const number = async (upstream: typeof one, session: string) =>
      JSON.parse(textOf(await upstream.send(count(session)))).result.content[0].text;
    expect(await number(one, "a")).toBe("1");
    expect(await number(other, "a")).toBe("2");
    expect(await number(other, "b")).toBe("1");
    // As a restart of the upstream: whoever notices first opens the new session for all.
    server.forget();
    expect(await number(one, "a")).toBe("1");
    expect(await number(other, "a")).toBe("2");
    await redis.kill();
    expect(await number(one, "a")).toBe("3");
    expect(await number(one, "c")).toBe("1");
    expect(switches).toEqual(["away"]);
  });
});

/** One address in front of several servers. */
async function startFront(first: string) {
  const front = { target: first };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { host: _host, connection: _connection, "content-length": _length, ...headers } = request.headers;
    const answer = await fetch(front.target, {
      method: request.method ?? "POST",
      headers: headers as Record<string, string>,
      ...(request.method === "POST" && { body: Buffer.concat(chunks) }),
    });
    for (const name of ["content-type", "mcp-session-id"]) {
      const value = answer.headers.get(name);
      if (value !== null) response.setHeader(name, value);
    }
    response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()));
  });
  return Object.assign(front, await listenOnLoopback(server));
}

it("an upstream that is replaced by one of the other era is asked again, but not with every call", async () => {
  let nowMs = 0;
  const older = keep(await startV1({ json: true }));
  const newer = keep(
    await startRawServer((response, { headers }) => {
      if (headers["mcp-method"] === "tools/call") {
        sendJson(response, '{"jsonrpc":"2.0","id":7,"result":{}}');
      } else sendJson(response, '{"jsonrpc":"2.0","id":null,"error":{"code":-32022,"message":"Version"}}', 404);
    }),
  );
  const front = keep(await startFront(newer.url));
  const upstream = keep(upstreamAt(front.url.href, {}, { now: () => nowMs }));
  await expect(upstream.ready(signal)).resolves.toBe("2026-07-28");
  expect(await upstream.send(callOf("count"))).toMatchObject({ kind: "answer", status: 200 });

  front.target = older.url.href;
  expect(await upstream.send(callOf("count"))).toMatchObject({ kind: "answer", status: 400 });
  await expect(upstream.ready(signal)).resolves.toBe("2025-11-25");
  expect(textOf(await upstream.send(count("a")))).toContain('"text":"1"');

  front.target = newer.url;
  expect(await upstream.send(count("a"))).toMatchObject({ kind: "failed", fault: { effect: "none" } });
  expect(upstream.ready(signal)).toBe("2025-11-25");
  nowMs = 10_000;
  await upstream.send(count("a"));
  await expect(upstream.ready(signal)).resolves.toBe("2026-07-28");
});
