// Closient's document, sentence by sentence.

import { closient } from "@recourse/dialects/closient";
import type { AnyReason } from "@recourse/faults";
import { auth, core, tool } from "@recourse/faults/reasons";
import { tokenBuckets } from "@recourse/reference-shared";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { gtin } from "../src/reasons.ts";
import { listTools, OBSERVERS, observe, observeRest, postCall } from "./support/observers.ts";
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

/** The codes of the document's table "Common errors per tool". -32102 is added within its range, and the tool for claims. */
const CODES_PER_TOOL = {
  ping: [],
  validate_gtin: [],
  resolve_gtin: [-32101, -32200],
  lookup_product: [-32101],
  generate_qr_url: [-32002, -32101, -32102],
  claim_gtin: [-32002, -32101, -32200, -32201],
} as const;

test("every tool declares the codes that the document lists for it", async () => {
  const { tools } = await listTools(environment.url);
  const codes = tools.map(({ name, _meta }) => {
    const declared = (_meta?.["recourse/declares"] ?? []) as readonly string[];
    return [name, [...new Set(declared.map(codeOf))].toSorted((a, b) => b - a)];
  });
  expect(Object.fromEntries(codes)).toEqual(CODES_PER_TOOL);
});

/** The code that a declared reason is written as. */
function codeOf(id: string): number {
  const [domain = "", name = ""] = id.split("/");
  const reason = ({ auth, core, tool, gtin } as Record<string, Record<string, AnyReason>>)[domain]?.[name];
  const wire = closient.encode((reason as typeof core.not_found).fault()) as { result: { error: { code: number } } };
  return wire.result.error.code;
}

describe("wrong arguments", () => {
  test.each([
    [{}, "required", 'Wrong arguments for the tool "resolve_gtin": gtin is required (a string).'],
    [{ gtin: 614141123452 }, "type", 'Wrong arguments for the tool "resolve_gtin": gtin must be a string.'],
    [
      { gtin: "00614141123453" },
      "format",
      "gtin is not a valid GTIN. The last digit is not the check digit of those before it.",
    ],
    [
      { gtin: "2112345678900" },
      "custom",
      "02112345678900 is a number for use inside one company or region, so it must not stand in a public link: " +
        "gtin must be the GTIN of a product that is sold publicly.",
    ],
  ])("%j are named in the text, in detail and in errors[]", async (args, code, sentence) => {
    const { message } = await observe("v2 modern", environment.url, { tool: "resolve_gtin", args });
    expect(message.result?.error).toMatchObject({
      code: -32101,
      data: { detail: sentence, errors: [{ pointer: "#/gtin", code }] },
    });
    expect(message.result?.content?.[0]?.text).toMatch(/ Correct (?:the arguments|gtin) and call again\.$/);
    expect(message.result?.content?.[0]?.text?.startsWith(sentence)).toBe(true);
  });

  test("that do not go together are named, too", async () => {
    const token = await environment.token(["qr:generate"]);
    const args = { gtin: "09520123456788", lot: "L1", third_party_serial: "T1" };
    const { message } = await observe("plain HTTP", environment.url, { tool: "generate_qr_url", args, token });
    expect(message.result?.error).toMatchObject({
      code: -32102,
      data: { detail: expect.stringContaining(": third_party_serial must be the only qualifier.") },
    });
  });
});

test.each([{ name: "resolve_gtin", arguments: [] }, { arguments: {} }])(
  "a malformed request is -32100 in a result: %j",
  async (params) => {
    const headers = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
    };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    const text = await (await fetch(`${environment.url}/mcp`, { method: "POST", headers, body })).text();
    const message = JSON.parse(text.slice(text.indexOf("{"))) as Record<string, unknown>;
    expect(message).toMatchObject({
      jsonrpc: "2.0",
      result: { isError: true, error: { code: -32100, data: { error_code: "bad_request", status: 400 } } },
    });
  },
);

test("a product without a default link says one thing to do", async () => {
  const args = { gtin: "09521234543213" };
  const { message } = await observe("plain HTTP", environment.url, { tool: "resolve_gtin", args });
  expect(message.result?.content?.[0]?.text).toBe(
    'GTIN 09521234543213 is known, but it has no default link; its link types are: "gs1:recallStatus". Use a value from that list.',
  );
});

describe("an unexpected server error", () => {
  const toolCall = { tool: "lookup_product", args: { gtin: "09520123456788" } };

  test("is -32300 with its incident as instance, over MCP and REST; its text agrees with retryable", async () => {
    await environment.database.query("alter table product rename column brand to trademark");
    const before = environment.incidents.length;
    const { message } = await observe("plain HTTP", environment.url, toolCall);
    const rest = await observeRest(environment.url, toolCall);
    await environment.database.query("alter table product rename column trademark to brand");
    const { error, content } = message.result ?? {};
    expect(error).toMatchObject({ code: -32300, data: { retryable: true, status: 500 } });
    expect(error?.data).not.toHaveProperty("retry_after");
    expect(content?.[0]?.text).toContain("Repeat this call in 5 seconds.");
    const instances = [error?.data["instance"], rest.body["instance"]];
    expect(environment.incidents.slice(before).map(({ fault }) => fault.incident)).toEqual(instances);
    expect(content?.[0]?.text).toContain(`give incident ${instances[0]}.`);
    expect(closient.decode(message)?.incident).toBe(instances[0]);
  });

  test("is an incident, a rate limit is not, over MCP and REST", async () => {
    environment.limiter = tokenBuckets({ calls: 1, windowMs: 60_000, now: () => 0 });
    await observeRest(environment.url, toolCall);
    const before = environment.incidents.length;
    const { message } = await observe("plain HTTP", environment.url, toolCall);
    const rest = await observeRest(environment.url, toolCall);
    expect(message.result?.error).toMatchObject({ code: -32003, data: { retryable: true, retry_after: 60 } });
    expect(rest.body).toMatchObject({ error_code: "rate_limited", retryable: true, retry_after: 60 });
    expect([message.result?.error?.data, rest.body].filter((data) => data !== undefined && "instance" in data)).toEqual(
      [],
    );
    expect(environment.incidents).toHaveLength(before);
  });
});

test.each(OBSERVERS)("a success is the tool's payload, without an error: %s", async (observer) => {
  const toolCall = { tool: "lookup_product", args: { gtin: "09520123456788" } };
  const { message } = await observe(observer, environment.url, toolCall);
  const rest = await observeRest(environment.url, toolCall);
  expect(message.result?.structuredContent).toEqual(rest.body);
  expect(JSON.parse(message.result?.content?.[0]?.text ?? "")).toEqual(rest.body);
  expect(message.result).not.toHaveProperty("error");
});

test("the MCP server speaks JSON-RPC 2.0, and offers the operations of the REST API", async () => {
  const { tools } = await listTools(environment.url);
  expect(tools.map(({ name }) => name)).toEqual(Object.keys(CODES_PER_TOOL));
  const token = await environment.token(["qr:generate", "gtin:claim"]);
  for (const { name } of tools) {
    const toolCall = { tool: name, args: name === "ping" ? {} : { gtin: "09520123456788" }, token };
    const message: unknown = await (await postCall(new URL("/mcp", environment.url), toolCall)).json();
    expect(message).toMatchObject({ jsonrpc: "2.0", id: 1, result: { structuredContent: {} } });
    expect((await observeRest(environment.url, toolCall)).status).toBe(200);
  }
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
