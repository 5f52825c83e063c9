// Closient's document, sentence by sentence.

import { tokenBuckets } from "@recourse/reference-shared";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { OBSERVERS, observe } from "./support/observers.ts";
import { createTestEnvironment } from "./support/test-environment.ts";

const NOW = Date.parse("2026-04-26T02:34:56Z");
const environment = await createTestEnvironment({ publicUrl: "https://closient.com", now: () => NOW });
afterAll(() => environment.close());
const generous = environment.limiter;
afterEach(() => {
  environment.limiter = generous;
  environment.proxy.reconnect();
});

/** The example of the document. */
const PRINTED = {
  code: -32200,
  message: "Not Found",
  data: {
    type: "https://closient.com/docs/errors/not_found",
    title: "Not Found",
    status: 404,
    detail: "No product found for GTIN 00614141123452",
    error_code: "not_found",
    retryable: false,
    timestamp: "2026-04-26T02:34:56+00:00",
  },
};

test.each(OBSERVERS)("its example, member by member: %s", async (observer) => {
  const { message } = await observe(observer, environment.url, {
    tool: "resolve_gtin",
    args: { gtin: "00614141123452" },
  });
  expect(message.result?.error).toEqual(PRINTED);
});

test("its example is the body of the REST API, too", async () => {
  const answer = await fetch(`${environment.url}/v1/gtin/00614141123452/resolve`);
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
  expect(await answer.json()).toEqual(PRINTED.data);
});

describe("ping and validate_gtin never fail", () => {
  const GARBAGE: readonly unknown[] = [
    undefined,
    null,
    0,
    614141123452,
    true,
    "",
    "x",
    [],
    {},
    ["1"],
    { a: 1 },
    "٠٠",
    "\0",
  ];

  test.each(OBSERVERS)("with any argument, any token, above the limit and without a database: %s", async (observer) => {
    environment.proxy.disconnect();
    environment.limiter = tokenBuckets({ calls: 1, windowMs: 60_000, now: () => 0 });
    for (const gtin of GARBAGE) {
      const toolCall = { args: gtin === undefined ? {} : { gtin }, token: "not.a.token" };
      const judged = await observe(observer, environment.url, { tool: "validate_gtin", ...toolCall });
      expect(judged.message.result?.structuredContent).toMatchObject({ valid: false });
      expect(judged.message.result).not.toHaveProperty("error");
      expect(judged.message.result?.isError).not.toBe(true);
    }
    const pinged = await observe(observer, environment.url, {
      tool: "ping",
      args: { any: "thing" },
      token: "not.a.token",
    });
    expect(pinged.message.result?.structuredContent).toMatchObject({ status: "ok" });
  });

  test("arguments may be missing", async () => {
    const headers = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
    };
    for (const name of ["ping", "validate_gtin"]) {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name } });
      const text = await (await fetch(`${environment.url}/mcp`, { method: "POST", headers, body })).text();
      expect(text).toContain('"structuredContent"');
      expect(text).not.toContain('"isError":true');
    }
  });
});

test.each(OBSERVERS)("a missing product is found: false, and not an error: %s", async (observer) => {
  const { message } = await observe(observer, environment.url, {
    tool: "lookup_product",
    args: { gtin: "00614141123452" },
  });
  expect(message.result?.structuredContent).toEqual({ found: false, gtin: "00614141123452" });
  expect(message.result).not.toHaveProperty("error");
});

test.each([
  ["https://closient.com", 200],
  ["http://localhost:3000", 200],
  ["https://evil.example.com", 403],
  ["null", 403],
])("a page of %s gets %d", async (origin, status) => {
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream", origin };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "ping" } });
  const answer = await fetch(`${environment.url}/mcp`, { method: "POST", headers, body });
  expect(answer.status).toBe(status);
  await answer.body?.cancel();
});

describe("the dialect of a request", () => {
  const toolCall = { tool: "resolve_gtin", args: { gtin: "00614141123452" } };

  test.each(OBSERVERS)("can be selected in _meta: %s", async (observer) => {
    const meta = { "recourse/dialect": "mcp" };
    const { message } = await observe(observer, environment.url, { ...toolCall, meta });
    expect(message.result).not.toHaveProperty("error");
    expect(message.result?._meta?.["recourse/fault"]).toMatchObject({ reason: "gtin/not_found", class: "terminal" });
  });

  test("can be selected in the address; _meta overrides it", async () => {
    const byAddress = await observe("plain HTTP", environment.url, { ...toolCall, dialect: "mcp" });
    expect(byAddress.message.result?._meta).toHaveProperty(["recourse/fault"]);
    const meta = { "recourse/dialect": "closient" };
    const both = await observe("plain HTTP", environment.url, { ...toolCall, dialect: "mcp", meta });
    expect(both.message.result?.error?.code).toBe(-32200);
  });

  test("an unknown dialect is not an error", async () => {
    const { message } = await observe("plain HTTP", environment.url, { ...toolCall, dialect: "klingon" });
    expect(message.result?.error?.code).toBe(-32200);
  });
});

test("resolve_gtin returns the link of a type, and all alternatives", async () => {
  const args = { gtin: "09520123456788", link_type: "gs1:instructions" };
  const { message } = await observe("v2 modern", environment.url, { tool: "resolve_gtin", args });
  expect(message.result?.structuredContent).toMatchObject({
    url: "https://products.example.com/oats/stove",
    alternatives: [{ url: "https://products.example.com/oats/microwave" }],
  });
});

test("generate_qr_url returns a link at the server's own address, and its QR code", async () => {
  const token = await environment.token(["qr:generate"]);
  const args = { gtin: "9520123456788", lot: "A/1" };
  const { message } = await observe("v2 modern", environment.url, { tool: "generate_qr_url", args, token });
  expect(message.result?.structuredContent).toMatchObject({
    url: "https://closient.com/01/09520123456788/10/A%2F1",
    svg: expect.stringMatching(/^<\?xml.*<svg /),
  });
});
