// What a guarded server with the dialect of qaqnuz answers, as official clients and plain HTTP see it.
import { StreamableHTTPClientTransport as TransportV2 } from "@modelcontextprotocol/client";
import type { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { type AnyServer, connectPair, createSdkClient, ERAS, type Era } from "@recourse/test-kit/sdk-pairs";
import { findLeaks, leaks } from "@recourse/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callWithRetry } from "../../packages/core/src/client/index.ts";
import { qaqnuz } from "../../packages/core/src/dialects/index.ts";
import { registerSecrets } from "../../packages/core/src/index.ts";
import { tool } from "../../packages/core/src/reasons/index.ts";
import { guard } from "../../packages/core/src/server/index.ts";
import { type Gateway, KEYS, startGateway } from "./qaqnuz-gateway.ts";

interface Answer {
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** A connected client of the SDK, and the last body that it received. */
async function connect(url: URL, { key = KEYS.full as string, version = "v1" as Era } = {}) {
  let body: Promise<string> = Promise.resolve("");
  let posts = 0;
  const recording: typeof fetch = async (...args) => {
    const response = await fetch(...args);
    if (args[1]?.method === "POST") {
      posts += 1;
      body = response
        .clone()
        .text()
        .catch(() => "");
    }
    return response;
  };
  const options = { fetch: recording, requestInit: { headers: { authorization: key } } };
  const client = createSdkClient(version);
  await client.connect((version === "v1" ? new TransportV1(url, options) : new TransportV2(url, options)) as never);
  return {
    client,
    call: (name: string, args: Record<string, unknown> = {}) =>
      client.callTool({ name, arguments: args }) as Promise<unknown> as Promise<Answer>,
    body: () => body,
    /** Shows another key from now on. */
    use(next: string): void {
      options.requestInit.headers.authorization = next;
    },
    posts: () => posts,
    [Symbol.asyncDispose]: () => client.close(),
  };
}

const HINT = { retry_after_ms: 1_000, max_attempts: 1, backoff: "fixed", jitter: 0.2 };
let gateway: Gateway;
let accident: unknown = new Error("oops");
beforeAll(async () => {
  gateway = await startGateway(() => accident);
});
afterAll(() => gateway[Symbol.asyncDispose]());

describe.each(ERAS)("a client, %s:", (version) => {
  test.each([
    ["policy_denied", "permission", "Your policy does not allow this call."],
    ["scope_missing", "permission", 'The token lacks a scope that this call needs: "orders:write".'],
    ["not_entitled", "permission", "Your plan does not include exports."],
    ["needs_approval", "permission", "A person has to approve this call first."],
    ["wrong_values", "validation", "The end lies before the start."],
    ["rate_limited", "retryable", "The rate limit of 60 per 1 minute is reached."],
    ["slow_down", "retryable", "Rate limit: Slow down."],
    ["busy", "retryable", "The service is too busy at the moment."],
    ["provider_failed", "dependency", "A service that this call needs has failed."],
    ["provider_away", "dependency", "A service that this call needs cannot be reached."],
    ["already_shipped", "terminal", "Order 7 was shipped."],
    ["no_such_order", "terminal", "There is no order 9."],
    ["key_revoked_meanwhile", "permission", "Unauthorized"],
    ["accident", "terminal", "The call failed because of an internal error."],
    ["throws_null", "terminal", "The call failed because of an internal error."],
  ])("gets %s as one of five classes with one sentence: %s", async (name, group, sentence) => {
    await using caller = await connect(gateway.url, { version });
    const answer = await caller.call(name);
    expect(answer).toMatchObject({ isError: true, content: [{ type: "text", text: sentence }] });
    expect(answer.content).toHaveLength(1);
    expect(answer._meta?.["recourse/error_class"]).toBe(group);
    expect(Object.keys(answer).sort()).toEqual(["_meta", "content", "isError"]);
  });

  test("gets a hint with retryable and dependency only, although every failure has advice", async () => {
    await using caller = await connect(gateway.url, { version });
    const hints: Record<string, unknown> = {};
    const names = ["rate_limited", "busy", "provider_failed", "slow_down", "provider_away"];
    const never = [
      "policy_denied",
      "scope_missing",
      "needs_approval",
      "wrong_values",
      "already_shipped",
      "no_such_order",
    ];
    for (const name of [...names, ...never]) hints[name] = (await caller.call(name))._meta?.["recourse/retry_hint"];
    expect(hints).toEqual({
      ...Object.fromEntries([...names, ...never].map((name) => [name, undefined])),
      rate_limited: HINT,
      slow_down: { retry_after_ms: 2_000, max_attempts: 2, backoff: "fixed", jitter: 0.2 },
      busy: HINT,
      provider_failed: HINT,
    });
  });

  test("learns from a validation failure what to fix", async () => {
    await using caller = await connect(gateway.url, { version });
    const wrong = await caller.call("cancel_order", { quantity: 0, reason: "stok" });
    expect(wrong._meta?.["recourse/error_class"]).toBe("validation");
    expect(wrong.content[0]?.text).toBe(
      'Wrong arguments for the tool "cancel_order": order_id is required (a string); quantity must be an integer of at least 1; reason must be one of customer, stock (did you mean "stock"?).',
    );
    const again = await caller.call("cancel_order", { quantity: 0, reason: "stok" });
    expect(again).toEqual(wrong);
    const right = await caller.call("cancel_order", { order_id: "7", quantity: 1 });
    expect(right).toMatchObject({ content: [{ text: "Order 7 is cancelled." }] });
    expect(right.isError).toBeUndefined();
  });

  test("gets the envelope with a success too: no class applies", async () => {
    await using caller = await connect(gateway.url, { version });
    const done = await caller.call("cancel_order", { order_id: "7", quantity: 1 });
    expect(done._meta?.["recourse/error_class"]).toBeNull();
    expect(qaqnuz.decode(done)).toBeUndefined();
  });

  test("gets an answer for arguments that are too large or deep", async () => {
    await using caller = await connect(gateway.url, { version });
    const large = await caller.call("cancel_order", { order_id: "x".repeat(5 * 1_024 * 1_024), quantity: 1 });
    expect(large).toMatchObject({ isError: true, _meta: { "recourse/error_class": "validation" } });
    const deep = Array.from({ length: 2_000 }).reduce<unknown>((inner) => [inner], 1);
    const nested = await caller.call("cancel_order", { order_id: deep, quantity: 1 });
    expect(nested).toMatchObject({ isError: true, _meta: { "recourse/error_class": "validation" } });
  });

  test("reads no text that a provider wrote for callers of its own, unless the author says so", async () => {
    await using caller = await connect(gateway.url, { version });
    // What http-errors, Koa and Express call exposed.
    accident = Object.assign(new Error("Card 4242 was declined"), { status: 402, statusCode: 402, expose: true });
    expect(JSON.stringify(await caller.call("accident"))).not.toContain("4242");
    expect(gateway.incidents.at(-1)?.cause).toMatchObject({ message: "Card 4242 was declined" });
  });

  test("gets an answer for every call: nothing is thrown across the boundary", async () => {
    await using caller = await connect(gateway.url, { version });
    const cyclic: Record<string, unknown> = {};
    cyclic["self"] = cyclic;
    for (const thrown of [null, undefined, 7, "text", Symbol("s"), cyclic, new AggregateError([]), () => 1]) {
      accident = thrown;
      await expect(caller.call("accident")).resolves.toMatchObject({ isError: true });
    }
    await expect(caller.call("no_such_tool")).resolves.toMatchObject({ isError: true });
    await expect(caller.call("cancel_order")).resolves.toMatchObject({ isError: true });
  });

  test("reads nothing of what a handler threw, and no id in the sentence", async () => {
    await using caller = await connect(gateway.url, { version });
    const registered = "tr0ub4dor-and-3-of-this-test";
    registerSecrets(registered);
    const planted = {
      secret: registered,
      password: "postgres://app:hunter2@db.internal:5432/prod",
      person: "Ada Lovelace <ada@example.com>, 4111 1111 1111 1111",
      provider: 'Stripe: {"error":{"code":"card_declined","request_id":"req_8fG2k"}}',
      stack: "at charge (/srv/gateway/dist/charge.js:14:9)",
      internalId: "tenant 5e0b1a52-8d2c-4c3e-9a55-0b6a2f7b9d10",
    };
    const canaries = [
      registered,
      "hunter2",
      "db.internal",
      "ada@example.com",
      "4111",
      "req_8fG2k",
      "charge.js",
      "5e0b1a52",
    ];
    const before = gateway.incidents.length;
    for (const text of Object.values(planted)) {
      accident = Object.assign(new Error(text), { detail: text, response: { data: text } });
      const answer = await caller.call("accident");
      const body = await caller.body();
      expect(answer.content[0]?.text).toBe("The call failed because of an internal error.");
      expect(findLeaks(body, canaries)).toEqual([]);
      const incident = gateway.incidents.at(-1);
      expect(incident?.fault.incident).toMatch(/^[0-9A-Z]{26}$/);
      // The id is data of its own, for programs and operators.
      expect(answer._meta?.["recourse/incident"]).toBe(incident?.fault.incident);
    }
    expect(gateway.incidents.length).toBe(before + Object.keys(planted).length);
  });

  test("gets the same bytes for every tool that it cannot reach, and learns nothing from the list", async () => {
    const withoutIds = (body: string) => body.replaceAll(/"id":\d+/g, '"id":0');
    const bodies = new Set<string>();
    await using full = await connect(gateway.url, { version });
    for (const name of ["no_such_tool", "disabled", "refused_later"]) {
      const answer = await full.call(name);
      expect(answer).toMatchObject({ isError: true, content: [{ text: "This tool is not available to you." }] });
      expect(answer._meta).toMatchObject({ "recourse/error_class": "permission" });
      bodies.add(withoutIds(await full.body()));
    }
    await using narrow = await connect(gateway.url, { version, key: KEYS.narrow });
    for (const name of ["no_such_tool", "cancel_order", "disabled"]) {
      await narrow.call(name, { quantity: "wrong" });
      bodies.add(withoutIds(await narrow.body()));
    }
    expect([...bodies]).toHaveLength(1);
    const { tools } = await full.client.listTools();
    expect(tools.map(({ name }) => name)).not.toContain("disabled");
    expect(await narrow.client.listTools()).toMatchObject({ tools: [] });
    expect(await narrow.body()).not.toMatch(/permission|disabled|denied|cancel_order/i);
  });
});

test("a server of version 1 also gives the same bytes for every tool that cannot be reached", async () => {
  const pair = await connectPair("v1", (bare) => {
    const server = guard(bare as never, { dialect: qaqnuz }) as AnyServer;
    server.registerTool("disabled", {}, () => ({ content: [] })).disable();
    server.registerTool("refused_later", {}, () => {
      throw tool.unreachable();
    });
    return server;
  });
  const results = new Set<string>();
  for (const name of ["no_such_tool", "disabled", "refused_later"]) {
    await pair.client.callTool({ name });
    results.add(JSON.stringify((pair.take().message as { result: unknown }).result));
  }
  await pair.close();
  expect([...results]).toEqual([
    '{"_meta":{"recourse/error_class":"permission"},"content":[{"type":"text","text":"This tool is not available to you."}],"isError":true}',
  ]);
});

test("no leak of the corpus is in an answer", async () => {
  await using caller = await connect(gateway.url);
  const bodies: string[] = [];
  for (const { text } of leaks.filter((_, index) => index % 10 === 0)) {
    accident = new Error(text);
    await caller.call("accident");
    bodies.push(await caller.body());
  }
  const alike = bodies.map((body) => body.replaceAll(/"id":\d+|"recourse\/incident":"[0-9A-Z]{26}"/g, ""));
  expect(new Set(alike).size).toBe(1);
});

test("every refused key gets the same bytes, with status 401 and no reason", async () => {
  const { full, narrow, ...refused } = KEYS;
  const seen = new Set<string>();
  for (const key of Object.values(refused)) {
    const response = await fetch(gateway.url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...(key !== undefined && { authorization: key }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "busy", arguments: {} } }),
    });
    const headers = [...response.headers].filter(([name]) => !["date", "connection", "keep-alive"].includes(name));
    seen.add(JSON.stringify([response.status, response.statusText, headers, await response.text()]));
  }
  expect(seen.size).toBe(1);
  const [status, statusText, , text] = JSON.parse([...seen].join());
  expect([status, statusText]).toEqual([401, "Unauthorized"]);
  expect(text).not.toMatch(/revoked|expired|unknown|malformed|missing|incident/i);
  expect(qaqnuz.decode({ status, headers: {}, body: text })).toMatchObject({ reason: "auth/unauthorized" });
  for (const key of [full, narrow]) await (await connect(gateway.url, { key }))[Symbol.asyncDispose]();
});

test.each(ERAS)(
  "%s: callWithRetry ends with the same message for every refused key, after one request",
  async (version) => {
    const messages = new Set<string>();
    for (const key of [KEYS.unknown, KEYS.revoked, KEYS.expired, KEYS.otherScheme, KEYS.malformed]) {
      await using caller = await connect(gateway.url, { version });
      caller.use(key);
      const before = caller.posts();
      const call = callWithRetry(caller.client, "busy", {}, { dialect: qaqnuz, repeatable: true });
      messages.add(
        await call.then(
          () => "it succeeded",
          (thrown: Error) => thrown.message,
        ),
      );
      expect(caller.posts()).toBe(before + 1);
    }
    expect([...messages]).toEqual(["call_tool busy failed: Unauthorized"]);
  },
);

/** The document's pattern in our own words: it knows only the flag and the text. How long it backs off is noted, not waited. */
async function searchTheText(
  client: ClientV1,
  call: { name: string; arguments: Record<string, unknown> },
  { attempts, stepMs }: { attempts: number; stepMs: number },
) {
  const sentences: string[] = [];
  const pauses: number[] = [];
  while (sentences.length < attempts) {
    const result = (await client.callTool(call)) as unknown as Answer;
    if (result.isError !== true) return { result, sentences, pauses };
    sentences.push(result.content[0]?.text ?? "");
    if (!/rate limit/i.test(sentences.at(-1) ?? "")) break;
    pauses.push(stepMs * sentences.length);
  }
  return { error: new Error(`call_tool ${call.name} failed: ${sentences.at(-1)}`), sentences, pauses };
}

test("a client that only searches the text backs off at a rate limit and at nothing else", async () => {
  await using caller = await connect(gateway.url);
  const run = (name: string) =>
    searchTheText(caller.client as ClientV1, { name, arguments: {} }, { attempts: 3, stepMs: 500 });
  for (const name of ["rate_limited", "slow_down"]) {
    const { error, sentences, pauses } = await run(name);
    expect(sentences).toHaveLength(3);
    expect(pauses).toEqual([500, 1_000, 1_500]);
    expect(error?.message).toMatch(new RegExp(`^call_tool ${name} failed: .*rate limit`, "i"));
  }
  for (const name of [
    "wrong_values",
    "policy_denied",
    "needs_approval",
    "already_shipped",
    "accident",
    "no_such_tool",
  ]) {
    const { sentences, pauses } = await run(name);
    expect(sentences).toHaveLength(1);
    expect(pauses).toEqual([]);
  }
});
