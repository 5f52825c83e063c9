import { request } from "undici";
import { describe, expect, test } from "vitest";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { answerWith, OK, startStubUpstream } from "../support/stub-upstream.ts";

async function get(
  url: URL,
  path: string,
  headers: Record<string, string> = {},
  method: "GET" | "POST" | "HEAD" = "GET",
) {
  const answer = await request(new URL(path, url), { method, headers });
  const text = await answer.body.text();
  return { status: answer.statusCode, headers: answer.headers, text };
}

test("health says that the process lives, and where its state is", async () => {
  const { url } = await startTestGateway();
  const { status, text } = await get(url, "/health");
  expect(status).toBe(200);
  expect(JSON.parse(text)).toEqual({ status: "ok", name: "test-gateway", version: "0.1.0", store: "memory" });
});

test("ready lists what is known of the upstreams", async () => {
  const { url } = await startTestGateway();
  const { status, text } = await get(url, "/ready?x=1");
  expect(status).toBe(200);
  expect(JSON.parse(text)).toEqual({ status: "ready", upstreams: [] });
});

test.each(["/", "/other", "/mcp/", "/mcp2", "/.well-known/oauth-protected-resource", "/metrics", "/__proto__"])(
  "%s is not there",
  async (path) => {
    const { url } = await startTestGateway();
    const { status, text } = await get(url, path);
    expect(status).toBe(404);
    expect(JSON.parse(text)).toMatchObject({
      jsonrpc: "2.0",
      error: { data: { "recourse/fault": { reason: "core/not_found", origin: { layer: "gateway" } } } },
    });
    const problem = await get(url, path, { accept: "application/problem+json" });
    expect(problem.headers["content-type"]).toBe("application/problem+json");
    expect(JSON.parse(problem.text)).toMatchObject({ status: 404, fault: { reason: "core/not_found" } });
  },
);

test("pages are read, not posted to", async () => {
  const { url } = await startTestGateway();
  const posted = await get(url, "/health", {}, "POST");
  expect(posted.status).toBe(405);
  expect(posted.headers["allow"]).toBe("GET, HEAD");
  const head = await get(url, "/health", {}, "HEAD");
  expect([head.status, head.text]).toEqual([200, ""]);
});

describe("to a Host that is not served", () => {
  const strange = { host: "evil.example" };

  async function start() {
    const stub = await startStubUpstream(answerWith(OK));
    return startTestGateway({
      upstreams: [httpUpstream(stub.url, { name: "secret-shop" })],
      telemetry: { otlp: undefined, prometheus: true, logLevel: "silent" },
    });
  }

  test("health and ready say only the state, since probes come by address", async () => {
    const { url } = await start();
    const health = await get(url, "/health", strange);
    expect([health.status, JSON.parse(health.text)]).toEqual([200, { status: "ok" }]);
    const ready = await get(url, "/ready", strange);
    expect(JSON.parse(ready.text)).toEqual({ status: expect.stringMatching(/^(ready|starting)$/) });
    expect((await get(url, "/ready")).text).toContain("secret-shop");
  });

  test("metrics are not shown", async () => {
    const { url } = await start();
    const refused = await get(url, "/metrics", strange);
    expect(refused.status).toBe(403);
    expect(JSON.parse(refused.text)).toMatchObject({
      error: { data: { "recourse/fault": { reason: "auth/access_denied" } } },
    });
    expect(refused.text).not.toContain("recourse_");
    const shown = await get(url, "/metrics");
    expect([shown.status, shown.text.includes("recourse_")]).toEqual([200, true]);
  });

  test("a page of another site learns no more", async () => {
    const { url } = await start();
    const headers = { origin: "https://evil.example" };
    expect((await get(url, "/metrics", headers)).status).toBe(403);
    expect((await get(url, "/ready", headers)).text).not.toContain("secret-shop");
  });
});
