import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server } from "node:net";
import { freePort } from "@recourse/test-kit/network";
import { describe, expect, it } from "vitest";
import { sendJson, startRawServer } from "./support/raw-server.ts";
import { scope } from "./support/scope.ts";
import { callOf, textOf, upstreamAt } from "./support/upstream.ts";

const keep = scope();
const signal = new AbortController().signal;
const OK = '{"jsonrpc":"2.0","id":7,"result":{}}';

async function listen(server: Server, port = 0): Promise<number> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

describe("an upstream that cannot be reached", () => {
  it.each([
    ["nothing listens", async () => `http://127.0.0.1:${await freePort()}/mcp`],
    ["no such host", async () => "http://no-such-host.invalid/mcp"],
  ])("%s", async (_name, url) => {
    const causes: unknown[] = [];
    const parts = { onNegotiated: (ended: object) => void causes.push("cause" in ended ? ended.cause : undefined) };
    const upstream = keep(upstreamAt(await url(), {}, parts));
    const fault = await upstream.ready(signal);
    expect(fault).toMatchObject({ kind: "unavailable", effect: "none", reason: "transport/unreachable" });
    expect(JSON.stringify(fault)).not.toMatch(/127\.0\.0\.1|no-such-host/);
    expect(String(causes)).toMatch(/ECONNREFUSED|ENOTFOUND|EAI_AGAIN/);
    expect(upstream.about).toBeUndefined();
  });

  it("no TLS where it is expected", async () => {
    let connections = 0;
    const server = createTcpServer((socket) => {
      connections += 1;
      socket.on("error", () => {});
      socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
    });
    const port = await listen(server);
    const upstream = keep(upstreamAt(`https://127.0.0.1:${port}/mcp`));
    await expect(upstream.ready(signal)).resolves.toMatchObject({ kind: "unavailable", effect: "none" });
    expect(connections).toBe(2);
    server.close();
  });

  it("is not asked by each caller, nor at once again, and is used when it is there", async () => {
    const port = await freePort();
    let nowMs = 0;
    let attempts = 0;
    const onNegotiated = () => {
      attempts += 1;
    };
    const upstream = keep(upstreamAt(`http://127.0.0.1:${port}/mcp`, {}, { now: () => nowMs, onNegotiated }));
    const faults = await Promise.all([1, 2, 3].map(() => upstream.ready(signal)));
    expect(new Set(faults).size).toBe(1);
    expect(attempts).toBe(1);
    expect(upstream.ready(signal)).toMatchObject({ kind: "unavailable", retry: { allowed: true, afterMs: 250 } });
    nowMs = 250;
    await upstream.ready(signal);
    expect(upstream.ready(signal)).toMatchObject({ retry: { afterMs: 500 } });
    nowMs = 750;
    const server = createHttpServer((_request, response) =>
      sendJson(response, '{"jsonrpc":"2.0","id":"discover","result":{"supportedVersions":["2026-07-28"]}}'),
    );
    await listen(server, port);
    await expect(upstream.ready(signal)).resolves.toBe("2026-07-28");
    expect(attempts).toBe(3);
    server.closeAllConnections();
    server.close();
  });

  it.each([
    [401, "core/misconfigured"],
    [403, "core/misconfigured"],
    [429, "core/unavailable"],
    [500, "core/unavailable"],
    [503, "core/unavailable"],
  ])("status %i says nothing about its era", async (status, reason) => {
    let requests = 0;
    const server = createHttpServer((_request, response) => {
      requests += 1;
      response.writeHead(status).end();
    });
    const port = await listen(server);
    const upstream = keep(upstreamAt(`http://127.0.0.1:${port}/mcp`));
    await expect(upstream.ready(signal)).resolves.toMatchObject({ kind: "unavailable", effect: "none", reason });
    expect(requests).toBe(1);
    server.closeAllConnections();
    server.close();
  });
});

it("a caller that goes does not end the negotiation of others", async () => {
  let answer = () => {};
  const server = createHttpServer((_request, response) => {
    answer = () =>
      sendJson(response, '{"jsonrpc":"2.0","id":"discover","result":{"supportedVersions":["2026-07-28"]}}');
  });
  const port = await listen(server);
  const upstream = keep(upstreamAt(`http://127.0.0.1:${port}/mcp`));
  const caller = new AbortController();
  const first = upstream.ready(caller.signal);
  const second = upstream.ready(signal);
  await once(server, "request");
  caller.abort();
  await expect(first).resolves.toMatchObject({ reason: "core/cancelled", effect: "none" });
  answer();
  await expect(second).resolves.toBe("2026-07-28");
  server.closeAllConnections();
  server.close();
});

it("a restart is survived: one call may be lost, none is sent twice", async () => {
  const port = await freePort();
  const bodies: string[] = [];
  const start = async () => {
    const server = createHttpServer(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      if (request.headers["mcp-method"] === "server/discover") {
        sendJson(response, '{"jsonrpc":"2.0","id":"discover","result":{"supportedVersions":["2026-07-28"]}}');
        return;
      }
      bodies.push(JSON.parse(body).id);
      sendJson(response, `{"jsonrpc":"2.0","id":${JSON.parse(body).id},"result":{}}`);
    });
    await listen(server, port);
    return server;
  };
  let server = await start();
  const upstream = keep(upstreamAt(`http://127.0.0.1:${port}/mcp`));
  const call = (id: number) => upstream.send(callOf("search", "{}", { id: String(id) }));
  await expect(call(1)).resolves.toMatchObject({ kind: "answer" });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  const away = await call(2);
  expect(away).toMatchObject({ kind: "failed", fault: { kind: "unavailable" } });
  expect(textOf(await call(3))).toBe("failed: transport/unreachable, none");
  server = await start();
  await expect.poll(async () => (await call(4)).kind).toBe("answer");
  expect(bodies.filter((id) => String(id) === "1")).toHaveLength(1);
  expect(bodies.filter((id) => String(id) === "3")).toHaveLength(0);
  server.closeAllConnections();
  server.close();
});

it("a reset on a kept connection counts as sent", async () => {
  let calls = 0;
  const server = keep(
    await startRawServer((response) => {
      calls += 1;
      if (calls === 2) response.socket?.resetAndDestroy();
      else sendJson(response, OK);
    }),
  );
  const upstream = keep(upstreamAt(server.url));
  expect(textOf(await upstream.send(callOf("search")))).toBe(OK);
  expect(textOf(await upstream.send(callOf("search")))).toBe("failed: transport/connection_lost, possible");
  expect(calls).toBe(2);
  expect(textOf(await upstream.send(callOf("search")))).toBe(OK);
});
