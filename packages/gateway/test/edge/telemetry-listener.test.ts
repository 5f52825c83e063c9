import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { request } from "undici";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Pages } from "../../src/edge/pages.ts";
import { startTelemetryListener } from "../../src/edge/telemetry-listener.ts";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { callEcho } from "../support/post.ts";
import { answerWith, OK, startStubUpstream } from "../support/stub-upstream.ts";

const LISTEN = { host: "127.0.0.1", port: 0 };
const STATE_PAGES = ["/health", "/ready", "/metrics"];

async function start({
  isPublic = true,
  ...changes
}: Parameters<typeof startTestGateway>[0] & { isPublic?: boolean } = {}) {
  const stub = await startStubUpstream(answerWith(OK));
  const gateway = await startTestGateway({
    upstreams: [httpUpstream(stub.url, { name: "secret-shop" })],
    telemetry: { otlp: undefined, prometheus: true, logLevel: "silent", listen: LISTEN, public: isPublic },
    ...changes,
  });
  const { url, telemetryUrl } = gateway;
  if (telemetryUrl === undefined) throw new Error("there is no second listener");
  return { gateway, url, telemetryUrl };
}

async function get(
  url: URL,
  path: string,
  headers: Record<string, string> = {},
  method: "GET" | "HEAD" | "POST" = "GET",
) {
  const answer = await request(new URL(path, url), { method, headers });
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
}

/** Sends bytes, and gives what came back until the other side closed. */
async function sendBytes(url: URL, bytes: string): Promise<string> {
  const socket = connect(Number(url.port), url.hostname);
  onTestFinished(() => void socket.destroy());
  socket.end(bytes);
  let text = "";
  for await (const chunk of socket) text += chunk;
  return text;
}

test("has the three pages about the state, and nothing else", async () => {
  const { telemetryUrl } = await start();
  for (const path of STATE_PAGES) {
    await vi.waitFor(async () => expect((await get(telemetryUrl, path)).status).toBe(200), { timeout: 20_000 });
    expect(await get(telemetryUrl, path, {}, "HEAD")).toMatchObject({ status: 200, text: "" });
    expect(await get(telemetryUrl, path, {}, "POST")).toMatchObject({ status: 405, headers: { allow: "GET, HEAD" } });
  }
  for (const path of ["/", "/mcp", "/admin/v1", "/.well-known/oauth-protected-resource", "/health/", "/__proto__"])
    expect((await get(telemetryUrl, path)).status).toBe(404);
});

test.each([
  [true, 200],
  [false, 404],
])("with public: %j the address for callers answers with %d", async (isPublic, status) => {
  const jwt = { issuer: "https://id.example.com", audience: "gateway", jwksUrl: "https://id.example.com/keys" };
  const { url, telemetryUrl } = await start({
    isPublic,
    publicUrl: "https://mcp.example.com",
    jwt: { ...jwt, tenantClaim: "tenant", entitlementsClaim: undefined, tools: ["*"], dialect: undefined },
  });
  await vi.waitFor(async () => expect((await get(telemetryUrl, "/ready")).status).toBe(200), { timeout: 20_000 });
  for (const path of STATE_PAGES) expect((await get(url, path)).status).toBe(status);
  expect((await get(url, "/.well-known/oauth-protected-resource")).status).toBe(200);
});

test.each(["127.0.0.1:8082", "10.1.2.3:8082", "[fd00::1]:8082", "gateway:8082", "localhost", "prometheus"])(
  "shows names and figures to a scraper that comes by %s",
  async (host) => {
    const { telemetryUrl } = await start();
    expect((await get(telemetryUrl, "/metrics", { host })).text).toContain("recourse_");
    expect((await get(telemetryUrl, "/ready", { host })).text).toContain("secret-shop");
  },
);

test("a name that a stranger can direct here sees the state only, unless it is one of hosts", async () => {
  const { telemetryUrl } = await start({ hosts: ["gateway.recourse.svc"] });
  for (const host of ["evil.example", "127.0.0.1.evil.example", "evil.example.", "a.b:8082"]) {
    expect((await get(telemetryUrl, "/metrics", { host })).status).toBe(403);
    expect(JSON.parse((await get(telemetryUrl, "/health", { host })).text)).toEqual({ status: "ok" });
  }
  expect((await get(telemetryUrl, "/metrics", { host: "gateway.recourse.svc:8082" })).status).toBe(200);
  const page = { host: "10.1.2.3", origin: "https://evil.example" };
  expect((await get(telemetryUrl, "/metrics", page)).status).toBe(403);
});

test.each([
  ["GET /metrics HTTP/1.1\r\n\r\n", /^HTTP\/1\.1 400 /],
  ["GET /metrics HTTP/1.1\r\nHost: a\r\nHost: evil.example\r\nConnection: close\r\n\r\n", /^HTTP\/1\.1 40[03] /],
  ["GET http://evil.example/metrics HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n", /^HTTP\/1\.1 403 /],
  ["GET //metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", /^HTTP\/1\.1 404 /],
  ["GET /metrics/../metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", /^HTTP\/1\.1 404 /],
  ["GET /%6detrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", /^HTTP\/1\.1 404 /],
  [
    "POST /metrics HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 9\r\nConnection: close\r\n\r\n",
    /^HTTP\/1\.1 405 /,
  ],
  ["BREW /health HTTP/1.1\r\nHost: a\r\n\r\n", /^HTTP\/1\.1 400 /],
  [`GET /health HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(40_000)}\r\n\r\n`, /^HTTP\/1\.1 431 /],
])("answers %j as it must", async (bytes, answer) => {
  const { telemetryUrl } = await start();
  expect(await sendBytes(telemetryUrl, bytes)).toMatch(answer);
});

test("connections that send nothing keep no probe out", async () => {
  const pages: Pages = {
    name: () => "gateway",
    checkSource: () => undefined,
    health: () => ({ status: "ok", details: {} }),
    ready: () => ({ status: "ready", isReady: true, details: {} }),
    metrics: async () => "",
    metadata: () => undefined,
  };
  const unexpected = vi.fn();
  const telemetry = { otlp: undefined, prometheus: true, logLevel: "silent", listen: LISTEN } as const;
  const listener = await startTelemetryListener(telemetry, { pages, observer: { unexpected }, maxConnections: 20 });
  if (listener === undefined) throw new Error("it did not start");
  onTestFinished(() => listener.close());
  const sockets: Socket[] = [];
  for (let no = 0; no < 60; no++) {
    const socket = connect(Number(listener.url.port), "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => {});
    await once(socket, "connect");
    // The beginning of a request that never ends.
    socket.write("GET /health HTTP/1.1\r\nX: ");
    sockets.push(socket);
  }
  await vi.waitFor(() => expect(sockets.filter(({ closed }) => closed).length).toBe(40), { timeout: 20_000 });
  for (let no = 0; no < 5; no++) expect((await get(listener.url, "/health")).status).toBe(200);
  expect(unexpected).not.toHaveBeenCalled();
});

test("says that the gateway drains until its last call has ended, and closes after it", async () => {
  const held = Promise.withResolvers<void>();
  const stub = await startStubUpstream(async (received, response) => {
    await held.promise;
    await answerWith(OK)(received, response);
  });
  const { gateway, url, telemetryUrl } = await start({ upstreams: [httpUpstream(stub.url)], drainMs: 20_000 });
  await vi.waitFor(async () => expect((await get(telemetryUrl, "/ready")).status).toBe(200), { timeout: 20_000 });
  const call = callEcho(url);
  await vi.waitFor(() => expect(stub.received).toHaveLength(1), { timeout: 20_000 });
  const closed = gateway.close();
  const draining = await get(telemetryUrl, "/ready");
  expect([draining.status, JSON.parse(draining.text).status]).toEqual([503, "draining"]);
  held.resolve();
  expect((await call).status).toBe(200);
  await closed;
  await expect(get(telemetryUrl, "/ready")).rejects.toThrow();
});

test("is not there unless the configuration names its address", async () => {
  expect((await startTestGateway()).telemetryUrl).toBeUndefined();
});
