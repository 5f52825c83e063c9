// The system's document, sentence by sentence.

import { tokenBuckets } from "@recourse/reference-ground";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { OBSERVERS, observe } from "./support/observers.ts";
import { createWorld } from "./support/world.ts";

const NOW = Date.parse("2026-04-26T02:34:56Z");
const world = await createWorld({ publicUrl: "https://closient.com", now: () => NOW });
afterAll(() => world.close());
const generous = world.limiter;
afterEach(() => {
  world.limiter = generous;
  world.cable.plug();
});

/** As the document prints it. */
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
  const { message } = await observe(observer, world.url, { tool: "resolve_gtin", args: { gtin: "00614141123452" } });
  expect(message.result?.error).toEqual(PRINTED);
});

test("its example is the body of the REST API, too", async () => {
  const answer = await fetch(`${world.url}/v1/gtin/00614141123452/resolve`);
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
  expect(await answer.json()).toEqual(PRINTED.data);
});

describe("ping and validate_gtin have no way to fail", () => {
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

  test.each(OBSERVERS)("whatever is sent, however often, by whomever, without a database: %s", async (observer) => {
    world.cable.pull();
    world.limiter = tokenBuckets({ calls: 1, windowMs: 60_000, now: () => 0 });
    for (const gtin of GARBAGE) {
      const asking = { args: gtin === undefined ? {} : { gtin }, token: "not.a.token" };
      const judged = await observe(observer, world.url, { tool: "validate_gtin", ...asking });
      expect(judged.message.result?.structuredContent).toMatchObject({ valid: false });
      expect(judged.message.result).not.toHaveProperty("error");
      expect(judged.message.result?.isError).not.toBe(true);
    }
    const pinged = await observe(observer, world.url, { tool: "ping", args: { any: "thing" }, token: "not.a.token" });
    expect(pinged.message.result?.structuredContent).toMatchObject({ status: "ok" });
  });

  test("arguments may be missing altogether", async () => {
    const headers = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
    };
    for (const name of ["ping", "validate_gtin"]) {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name } });
      const text = await (await fetch(`${world.url}/mcp`, { method: "POST", headers, body })).text();
      expect(text).toContain('"structuredContent"');
      expect(text).not.toContain('"isError":true');
    }
  });
});

test.each(OBSERVERS)("a product that is missing is found: false, and no error: %s", async (observer) => {
  const { message } = await observe(observer, world.url, { tool: "lookup_product", args: { gtin: "00614141123452" } });
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
  const answer = await fetch(`${world.url}/mcp`, { method: "POST", headers, body });
  expect(answer.status).toBe(status);
  await answer.body?.cancel();
});

describe("the wire of a request", () => {
  const asking = { tool: "resolve_gtin", args: { gtin: "00614141123452" } };

  test.each(OBSERVERS)("can be named in its _meta: %s", async (observer) => {
    const meta = { "recourse/dialect": "mcp" };
    const { message } = await observe(observer, world.url, { ...asking, meta });
    expect(message.result).not.toHaveProperty("error");
    expect(message.result?._meta?.["recourse/fault"]).toMatchObject({ reason: "gtin/not_found", class: "terminal" });
  });

  test("in its address, and _meta goes before that", async () => {
    const byAddress = await observe("plain HTTP", world.url, { ...asking, dialect: "mcp" });
    expect(byAddress.message.result?._meta).toHaveProperty(["recourse/fault"]);
    const meta = { "recourse/dialect": "closient" };
    const both = await observe("plain HTTP", world.url, { ...asking, dialect: "mcp", meta });
    expect(both.message.result?.error?.code).toBe(-32200);
  });

  test("an unknown one is not an error", async () => {
    const { message } = await observe("plain HTTP", world.url, { ...asking, dialect: "klingon" });
    expect(message.result?.error?.code).toBe(-32200);
  });
});

test("a link that is asked for is given, and a choice of several with all of them", async () => {
  const args = { gtin: "09520123456788", link_type: "gs1:instructions" };
  const { message } = await observe("v2 modern", world.url, { tool: "resolve_gtin", args });
  expect(message.result?.structuredContent).toMatchObject({
    url: "https://products.example.com/oats/stove",
    alternatives: [{ url: "https://products.example.com/oats/microwave" }],
  });
});

test("whoever has the scope gets a link under the server's own address, and its code", async () => {
  const token = await world.token(["qr:generate"]);
  const args = { gtin: "9520123456788", lot: "A/1" };
  const { message } = await observe("v2 modern", world.url, { tool: "generate_qr_url", args, token });
  expect(message.result?.structuredContent).toMatchObject({
    url: "https://closient.com/01/09520123456788/10/A%2F1",
    svg: expect.stringMatching(/^<\?xml.*<svg /),
  });
});
