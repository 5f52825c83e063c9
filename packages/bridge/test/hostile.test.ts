// Attacks of hostile callers, documents and services. The tests look at what reached the service, and at a private service
// that nothing may reach.

import { closeAfterTest } from "@recourse/test-kit/fixtures";
import { holdTimers } from "@recourse/test-kit/held-timers";
import { answerJson, startUpstream, type TestUpstream, type UpstreamAnswer } from "@recourse/test-kit/loopback";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { apiKey, type Bridge, bearer, type CallOutcome, type NetworkOptions, openapi } from "../src/index.ts";
import {
  ADDRESSES,
  type AddressRow,
  ANSWERS,
  ARGUMENTS,
  dripping,
  NETWORK,
  REDIRECTS,
  type RedirectRow,
} from "./hostile-calls.ts";
import { DOCUMENT, get, OWN_HEADERS, parameter, patched, REJECTED, TRAPS } from "./hostile-documents.ts";

const KEY = "key_0123456789abcdef";
let upstream: TestUpstream;
/** A private service that must not be reached. */
let inner: TestUpstream;
let answer: UpstreamAnswer;

beforeAll(async () => {
  upstream = await startUpstream((hit, response) => answer(hit, response));
  inner = await startUpstream((_, response) => answerJson(response, 200, { secret: "of the inside" }));
});
afterEach(async () => {
  upstream.hits.length = 0;
  expect(inner.hits).toEqual([]);
});
afterAll(async () => {
  await upstream.close();
  await inner.close();
});

async function bridged(server: string, network: NetworkOptions, document: object | string = DOCUMENT): Promise<Bridge> {
  return closeAfterTest(await openapi(document, { server, network, credential: apiKey(KEY), sink: () => {} }));
}

describe("arguments", () => {
  test.each(ARGUMENTS)("%s", async (_, tool, args) => {
    answer = (_hit, response) => answerJson(response, 200, {});
    const bridge = await bridged(`${upstream.url}/api/v1`, { allowPrivate: true });
    const outcome = await bridge.call(tool, args);
    expect(outcome).toMatchObject({ ok: false, fault: { kind: "invalid_input", effect: "none" } });
    expect(upstream.hits).toEqual([]);
  });
});

describe("addresses", () => {
  test.each<AddressRow>(ADDRESSES)("%s", async (_, server, network = {}) => {
    const { port } = new URL(inner.url);
    const bridge = await bridged(server(port), network);
    expect(await bridge.call("getUser", { id: "1" })).toMatchObject({
      ok: false,
      fault: { kind: "unavailable", reason: "core/misconfigured", effect: "none", retry: { allowed: false } },
    });
  });

  test("may change between two requests: each connection is checked", async () => {
    answer = (_, response) => answerJson(response, 200, {}, { connection: "close" });
    const { port } = new URL(upstream.url);
    const answers = [["127.0.0.1"], ["10.0.0.1"]];
    const lookup = async () => answers.shift() ?? [];
    const bridge = await bridged(`http://changing.example:${port}`, { allowPrivate: ["127.0.0.1/32"], lookup });
    expect(await bridge.call("getUser", { id: "1" })).toMatchObject({ ok: true });
    expect(await bridge.call("getUser", { id: "1" })).toMatchObject({ fault: { reason: "core/misconfigured" } });
    expect(upstream.hits).toHaveLength(1);
  });
});

describe("redirects", () => {
  test.each<RedirectRow>(REDIRECTS)("%s", async (_, location, tool = "getUser") => {
    const to = location(inner.url);
    answer = (_hit, response) => response.writeHead(307, { location: to, refresh: `0; url=${inner.url}` }).end();
    const bridge = await bridged(`${upstream.url}/api/v1`, { allowPrivate: true });
    const outcome = await bridge.call(tool, { id: "1" });
    expect(outcome).toMatchObject({ ok: false, fault: { reason: "rest/unexpected_redirect" } });
    expect(JSON.stringify(outcome)).not.toContain(inner.url);
    expect(upstream.hits).toHaveLength(1);
  });
});

describe("answers", () => {
  const LATE = { ok: false, fault: { reason: "core/timeout", effect: "none" } };

  test.each(ANSWERS)("%s", async (_, given, reason) => {
    answer = given;
    const bridge = await bridged(upstream.url, NETWORK);
    expect(await bridge.call("getUser", { id: "1" })).toMatchObject({ ok: false, fault: { reason, effect: "none" } });
    expect(upstream.hits).toHaveLength(1);
  });

  test.each<[string, UpstreamAnswer]>([
    ["no head", () => {}],
    ["a drop at a time, and never an end", dripping("1")],
  ])("%s", async (_, given) => {
    using deadline = holdTimers(NETWORK.deadlineMs);
    answer = (hit, response) => {
      given(hit, response);
      setImmediate(() => deadline.fire());
    };
    const bridge = await bridged(upstream.url, NETWORK);
    expect(await bridge.call("getUser", { id: "1" })).toMatchObject(LATE);
    expect(upstream.hits).toHaveLength(1);
  });

  test("no body", async () => {
    answer = (_, response) => response.writeHead(200).flushHeaders();
    const bridge = await bridged(upstream.url, { ...NETWORK, bodyTimeoutMs: 50 });
    expect(await bridge.call("getUser", { id: "1" })).toMatchObject(LATE);
    expect(upstream.hits).toHaveLength(1);
  });
});

describe("documents that are rejected", () => {
  test.each(REJECTED)("%s", async (_, document, code) => {
    const refused = { name: "DocumentError", code };
    await expect(openapi(document, { server: upstream.url })).rejects.toMatchObject(refused);
  });
});

describe("operations that are skipped", () => {
  test.each(TRAPS)("%s", async (_, document) => {
    const bridge = await bridged(upstream.url, {}, document);
    expect(bridge.tools).toEqual([]);
    expect(bridge.report.skipped).toHaveLength(1);
  });
});

describe("parameters that a document may not make arguments", () => {
  test.each([...OWN_HEADERS, "api_key"])("%s", async (name) => {
    const place = name === "api_key" ? "query" : "header";
    const document = patched("/a", { ...get, parameters: [parameter(name, place)] });
    const bridge = await bridged(upstream.url, {}, document);
    expect(bridge.tools[0]?.inputSchema["properties"]).toEqual({});
  });

  test.each(["Host", "Content-Length", "Connection"])("nor a place of a credential: the header %s", async (name) => {
    const components = { securitySchemes: { key: { type: "apiKey", in: "header", name } } };
    const bridge = await bridged(upstream.url, { allowPrivate: true }, { ...patched("/a", get), components });
    expect(await bridge.call("trap")).toMatchObject({ fault: { reason: "core/misconfigured", effect: "none" } });
    expect(upstream.hits).toEqual([]);
  });
});

test("texts of a document for a model are visible, short and on one line", async () => {
  const description = `Reads.\u202e\u0007\n\n![x](https://evil.example/?q=1)<img src=x>${"y".repeat(100_000)}`;
  const bridge = await bridged(upstream.url, {}, patched("/a", { ...get, description }));
  const said = bridge.tools[0]?.description ?? "";
  expect(said.length).toBeLessThanOrEqual(1_000);
  expect(said).toMatch(/^[ -~…]+$/);
  expect(said).not.toContain("evil.example");
});

test("credentials stay out of every failure above", async () => {
  answer = (hit, response) =>
    answerJson(response, 400, { message: `bad ${hit.target}`, key: KEY, errors: [{ field: KEY }] });
  const outcomes: CallOutcome[] = [];
  for (const foreignText of ["hide", "quote"] as const) {
    const options = { server: upstream.url, network: { allowPrivate: true }, credential: bearer(KEY), foreignText };
    const bridge = closeAfterTest(await openapi({ ...DOCUMENT, security: [], components: {} }, options));
    outcomes.push(await bridge.call("getUser", { id: "1" }));
  }
  for (const outcome of outcomes) expect(JSON.stringify("fault" in outcome && outcome.fault)).not.toContain(KEY);
});
