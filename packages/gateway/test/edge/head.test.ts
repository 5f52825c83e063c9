import { request } from "undici";
import { expect, test } from "vitest";
import { startTestGateway } from "../support/gateway.ts";
import { post } from "../support/post.ts";
import { PING } from "../support/raw-socket.ts";

const JSON_TYPE = { "content-type": "application/json" };

test.each(["GET", "PUT", "DELETE", "PATCH", "OPTIONS"] as const)(
  "%s without a session is not served, and says what is",
  async (method) => {
    const gateway = await startTestGateway();
    const answer = await request(gateway.url, { method });
    expect(answer.statusCode).toBe(405);
    expect(answer.headers["allow"]).toBe("POST, GET, DELETE");
    const body = (await answer.body.json()) as Record<string, unknown>;
    expect(body).toMatchObject({
      jsonrpc: "2.0",
      error: {
        code: -32603,
        message: "This address accepts only POST.",
        data: {
          "recourse/fault": { reason: "protocol/http_method", origin: { layer: "gateway", name: "test-gateway" } },
        },
      },
    });
    expect(body).not.toHaveProperty("id");
  },
);

test.each([
  [undefined, 415],
  ["text/plain", 415],
  ["application/x-www-form-urlencoded", 415],
  ["application/json5", 415],
  ["application/json", 200],
  ["Application/JSON; charset=utf-8", 200],
])("content type %s gets %i", async (type, status) => {
  const gateway = await startTestGateway();
  const answer = await post(gateway.url, PING, type === undefined ? {} : { "content-type": type });
  expect(answer.status).toBe(status);
  if (status === 415)
    expect(answer.json().error?.data).toMatchObject({ "recourse/fault": { reason: "content/invalid_type" } });
});

test("an announced size over the limit is refused before the body is sent", async () => {
  const gateway = await startTestGateway({ maxRequestBytes: 1_000 });
  const answer = await post(gateway.url, " ".repeat(1_001), JSON_TYPE);
  expect(answer.status).toBe(413);
  expect(answer.json().error?.data).toMatchObject({
    "recourse/fault": { reason: "content/message_too_large", params: { maxSize: 1_000, actualSize: 1_001 } },
  });
  expect((await post(gateway.url, PING.padEnd(1_000), JSON_TYPE)).status).toBe(200);
});

test.each([
  ["evil.example", undefined, 403],
  ["localhost:1234", undefined, 200],
  ["[::1]", undefined, 200],
  ["127.0.0.1, evil.example", undefined, 403],
  ["127.0.0.1", "https://evil.example", 403],
  ["127.0.0.1", "null", 403],
  ["127.0.0.1", "http://localhost:6274", 200],
])("by default Host %s with Origin %s gets %i at a loopback address", async (host, origin, status) => {
  const gateway = await startTestGateway();
  const answer = await post(gateway.url, PING, { ...JSON_TYPE, host, ...(origin !== undefined && { origin }) });
  expect(answer.status).toBe(status);
  if (status === 403)
    expect(answer.json().error?.data).toMatchObject({ "recourse/fault": { reason: "auth/access_denied" } });
});

test("hosts and origins of the configuration count", async () => {
  const gateway = await startTestGateway({ hosts: ["mcp.example.com"], origins: ["https://app.example.com"] });
  const send = (host: string, origin?: string) =>
    post(gateway.url, PING, { ...JSON_TYPE, host, ...(origin !== undefined && { origin }) });
  expect((await send("mcp.example.com")).status).toBe(200);
  expect((await send("127.0.0.1")).status).toBe(403);
  expect((await send("mcp.example.com", "https://app.example.com")).status).toBe(200);
  expect((await send("mcp.example.com", "https://other.example.com")).status).toBe(403);
});

test("an address that calls too often gets the true wait", async () => {
  const gateway = await startTestGateway({
    limits: {
      address: { perSecond: 0.5, burst: 2 },
      key: undefined,
      tenant: undefined,
      cost: undefined,
      tools: [],
      mode: "leased",
    },
  });
  const statuses = [];
  for (let i = 0; i < 2; i++) statuses.push((await post(gateway.url, PING)).status);
  expect(statuses).toEqual([200, 200]);
  const refused = await post(gateway.url, PING);
  expect(refused.status).toBe(429);
  expect(refused.headers["retry-after"]).toBe("2");
  expect(refused.json().error?.data).toMatchObject({
    "recourse/fault": { reason: "core/rate_limited", effect: "none", limits: [{ policy: "address", quota: 2 }] },
  });
});

test("who prefers problem documents gets one", async () => {
  const gateway = await startTestGateway();
  const answer = await post(gateway.url, PING, { accept: "application/problem+json" });
  expect(answer.status).toBe(415);
  expect(answer.headers["content-type"]).toBe("application/problem+json");
  expect(answer.json()).toMatchObject({
    status: 415,
    title: "Invalid arguments",
    fault: { reason: "content/invalid_type" },
  });
});

test("refused credentials are one constant answer without a request id", async () => {
  const gateway = await startTestGateway({
    authentication: "required",
    publicUrl: "https://mcp.example.com",
    jwt: {
      issuer: "https://issuer.example.com",
      audience: "https://mcp.example.com",
      jwksUrl: "http://127.0.0.1:9/jwks",
      tenantClaim: "tenant",
      tools: ["*"],
      dialect: undefined,
    },
  });
  const none = await post(gateway.url, PING, JSON_TYPE);
  const wrong = await post(gateway.url, PING, { ...JSON_TYPE, authorization: "Bearer wrong" });
  for (const answer of [none, wrong]) {
    expect(answer.status).toBe(401);
    expect(answer.headers["www-authenticate"]).toBe(
      'Bearer resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp"',
    );
    expect(answer.text).toBe(none.text);
  }
  expect(none.json()).not.toHaveProperty("id");
  expect(none.text).not.toContain('"at"');
});
