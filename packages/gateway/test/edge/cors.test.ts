import { hash } from "node:crypto";
import { request } from "undici";
import { describe, expect, test } from "vitest";
import { initialize } from "../sessions/support.ts";
import { httpUpstream, testConfig } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { callEcho, MODERN_META, modernHeaders, post } from "../support/post.ts";
import { PING } from "../support/raw-socket.ts";
import { answerWith, OK, startStubUpstream, tokenIn } from "../support/stub-upstream.ts";

const PAGE = "https://app.example.com";
const SERVED = { origins: [PAGE] };
const JSON_TYPE = { "content-type": "application/json" };

function preflight(url: URL, headers: Readonly<Record<string, string>> = {}) {
  return request(url, {
    method: "OPTIONS",
    headers: { origin: PAGE, "access-control-request-method": "POST", ...headers },
  });
}

describe("an answer to a page that is served", () => {
  const readable = { "access-control-allow-origin": PAGE, vary: "origin" };

  test("can be read by it: a success, a refusal of credentials, a refusal at the edge, an acknowledgement", async () => {
    const key = { id: "k", sha256: hash("sha256", "secret"), tenant: "t", tools: ["*"] };
    const keys = [{ ...key, scopes: [], entitlements: [], dialect: undefined }];
    const { url } = await startTestGateway({ ...SERVED, authentication: "required", keys });
    const known = { ...JSON_TYPE, origin: PAGE, "x-api-key": "secret" };
    const success = await post(url, PING, known);
    expect([success.status, success.headers]).toEqual([200, expect.objectContaining(readable)]);
    const unknown = await post(url, PING, { ...JSON_TYPE, origin: PAGE });
    expect([unknown.status, unknown.headers]).toEqual([401, expect.objectContaining(readable)]);
    expect(unknown.headers["access-control-expose-headers"]).toContain("www-authenticate");
    const broken = await post(url, "{", known);
    expect([broken.status, broken.headers]).toEqual([400, expect.objectContaining(readable)]);
    const typed = await post(url, PING, { ...known, "content-type": "text/plain" });
    expect([typed.status, typed.headers]).toEqual([415, expect.objectContaining(readable)]);
    const noted = await post(url, '{"jsonrpc":"2.0","method":"notifications/initialized"}', known);
    expect([noted.status, noted.headers]).toEqual([202, expect.objectContaining(readable)]);
  });

  test("can be read by it where it is a stream of events", async () => {
    const stub = await startStubUpstream(({ id, text }, response) => {
      const progress = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${tokenIn(text)},"progress":1}}`;
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(`data: ${progress}\n\ndata: {"jsonrpc":"2.0","id":${id},"result":${OK}}\n\n`);
    });
    const { url } = await startTestGateway({ ...SERVED, upstreams: [httpUpstream(stub.url)] });
    const params = `{"name":"up__echo","arguments":{},"_meta":{${MODERN_META},"progressToken":7}}`;
    const answer = await post(url, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`, {
      ...modernHeaders("tools/call", "up__echo"),
      origin: PAGE,
    });
    expect(answer.headers).toMatchObject({ ...readable, "content-type": "text/event-stream" });
    expect(answer.text).toContain("notifications/progress");
  });

  test("can be read by it where it is the stream of a session", async () => {
    const { url } = await startTestGateway(SERVED);
    const session = await initialize(url);
    const headers = { accept: "text/event-stream", "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" };
    const left = new AbortController();
    const answer = await request(url, { method: "GET", headers: { ...headers, origin: PAGE }, signal: left.signal });
    expect([answer.statusCode, answer.headers]).toEqual([200, expect.objectContaining(readable)]);
    left.abort();
    await answer.body.text().catch(() => undefined);
    const ended = await request(url, { method: "DELETE", headers: { ...headers, origin: PAGE } });
    expect(ended.headers).toMatchObject(readable);
    const foreign = await request(url, { method: "GET", headers: { ...headers, origin: "https://evil.example" } });
    expect([foreign.statusCode, foreign.headers["access-control-allow-origin"]]).toEqual([403, undefined]);
  });

  test("says when to come back, to the page as to others", async () => {
    const limits = { key: undefined, tenant: undefined, cost: undefined, tools: [], mode: "leased" } as const;
    const { url } = await startTestGateway({
      ...SERVED,
      limits: { ...limits, address: { perSecond: 0.01, burst: 1 } },
    });
    await post(url, PING, { ...JSON_TYPE, origin: PAGE });
    const limited = await post(url, PING, { ...JSON_TYPE, origin: PAGE });
    expect(limited.status).toBe(429);
    expect(limited.headers).toMatchObject({ ...readable, "retry-after": expect.any(String) });
    expect(limited.headers["access-control-expose-headers"]).toContain("retry-after");
  });
});

test("where every page is allowed, answers are for all of them", async () => {
  const { url } = await startTestGateway({ origins: "any" });
  const { headers } = await post(url, PING, { ...JSON_TYPE, origin: "https://anyone.example" });
  expect(headers["access-control-allow-origin"]).toBe("*");
  expect(headers).not.toHaveProperty("vary");
});

test.each(["http://localhost:5173", "http://127.0.0.1:5173"])(
  "by default %s may call a gateway of the same machine",
  async (origin) => {
    const { url } = await startTestGateway();
    expect((await preflight(url, { origin })).statusCode).toBe(204);
    expect((await post(url, PING, { ...JSON_TYPE, origin })).headers["access-control-allow-origin"]).toBe(origin);
  },
);

test("a page that is not served gets neither an answer nor the headers to read one", async () => {
  const { url } = await startTestGateway(SERVED);
  for (const origin of [
    "https://evil.example",
    "null",
    "https://app.example.com.evil.example",
    "http://app.example.com",
  ]) {
    const asked = await preflight(url, { origin });
    expect(asked.statusCode).toBe(403);
    const called = await post(url, PING, { ...JSON_TYPE, origin });
    expect(called.status).toBe(403);
    const names = Object.keys({ ...asked.headers, ...called.headers });
    expect(names.filter((name) => name.startsWith("access-control"))).toEqual([]);
  }
});

test("a page with a foreign Host is not served either", async () => {
  const { url } = await startTestGateway(SERVED);
  const asked = await preflight(url, { host: "evil.example" });
  expect(asked.statusCode).toBe(403);
  expect(asked.headers).not.toHaveProperty("access-control-allow-origin");
});

test("a request without Origin gets no header of CORS", async () => {
  const stub = await startStubUpstream(answerWith(OK));
  const { url } = await startTestGateway({ origins: "any", upstreams: [httpUpstream(stub.url)] });
  const { headers } = await callEcho(url);
  expect(Object.keys(headers).filter((name) => name.startsWith("access-control") || name === "vary")).toEqual([]);
});

describe("a preflight", () => {
  test("needs no credentials, and names what the endpoint takes", async () => {
    const { url } = await startTestGateway({ ...SERVED, authentication: "required" });
    const asked = "authorization, content-type, mcp-param-region, x-other";
    const answer = await preflight(url, { "access-control-request-headers": asked });
    expect(answer.statusCode).toBe(204);
    expect(answer.headers).toMatchObject({
      "access-control-allow-origin": PAGE,
      "access-control-allow-methods": "POST, GET, DELETE",
      "access-control-allow-headers": expect.stringMatching(/^authorization, .*, mcp-param-region$/),
      "access-control-max-age": "7200",
      vary: "origin",
    });
    expect(answer.headers["access-control-allow-headers"]).not.toContain("x-other");
    expect(answer.headers).not.toHaveProperty("access-control-allow-credentials");
  });

  test("counts for the limit of its address", async () => {
    const limits = { key: undefined, tenant: undefined, cost: undefined, tools: [], mode: "leased" } as const;
    const { url } = await startTestGateway({
      ...SERVED,
      limits: { ...limits, address: { perSecond: 0.01, burst: 2 } },
    });
    const statuses = [];
    for (let at = 0; at < 3; at++) statuses.push((await preflight(url)).statusCode);
    expect(statuses).toEqual([204, 204, 429]);
    expect((await post(url, PING, JSON_TYPE)).status).toBe(429);
  });

  test("of a page on a public site reaches a private network only where its origin is listed", async () => {
    const asked = { "access-control-request-private-network": "true" };
    const listed = await startTestGateway(SERVED);
    expect((await preflight(listed.url, asked)).headers["access-control-allow-private-network"]).toBe("true");
    const any = await startTestGateway({ origins: "any" });
    expect((await preflight(any.url, asked)).headers).not.toHaveProperty("access-control-allow-private-network");
  });

  test("with a body is answered, and the connection goes on", async () => {
    const { url } = await startTestGateway(SERVED);
    const headers = { origin: PAGE, "access-control-request-method": "POST" };
    const answer = await request(url, { method: "OPTIONS", headers, body: "x".repeat(100_000) });
    expect(answer.statusCode).toBe(204);
    expect((await post(url, PING, JSON_TYPE)).status).toBe(200);
  });

  test("follows a new configuration", async () => {
    const gateway = await startTestGateway(SERVED);
    await gateway.reload(testConfig({ drainMs: 0, origins: ["https://other.example"] }));
    expect((await preflight(gateway.url)).statusCode).toBe(403);
    expect((await preflight(gateway.url, { origin: "https://other.example" })).statusCode).toBe(204);
  });
});

describe("pages beside the endpoint", () => {
  test("what is written for everybody can be read by pages of every origin, also by those that are not served", async () => {
    const { url } = await startTestGateway({
      ...SERVED,
      publicUrl: "https://mcp.example.com",
      authentication: "required",
    });
    for (const path of ["/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-authorization-server"]) {
      const headers = { origin: "https://anyone.example", "mcp-protocol-version": "2025-11-25" };
      const answer = await request(new URL(path, url), { headers });
      expect(answer.headers["access-control-allow-origin"]).toBe("*");
      const asked = await preflight(new URL(path, url), {
        origin: "https://anyone.example",
        "access-control-request-method": "GET",
        "access-control-request-headers": "mcp-protocol-version",
      });
      expect(asked.statusCode).toBe(204);
      expect(asked.headers).toMatchObject({
        "access-control-allow-methods": "GET, HEAD",
        "access-control-allow-headers": expect.stringContaining("mcp-protocol-version"),
      });
    }
  });

  test("what is for operators cannot be read by any page", async () => {
    const { url } = await startTestGateway({ origins: "any" });
    for (const path of ["/health", "/ready", "/metrics"]) {
      const answer = await request(new URL(path, url), { headers: { origin: PAGE } });
      expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
      expect((await preflight(new URL(path, url))).statusCode).toBe(405);
    }
  });
});
