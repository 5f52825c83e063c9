// The document of qaqnuz, statement by statement, on a running gateway: official clients and plain HTTP.
import { StreamableHTTPClientTransport as TransportV2 } from "@modelcontextprotocol/client";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { callWithRetry } from "@recourse/core/client";
import { qaqnuz } from "@recourse/core/dialects";
import { createSdkClient, ERAS, type Era } from "@recourse/test-kit/sdk-pairs";
import { findLeaks } from "@recourse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApiKey } from "../../src/auth/api-keys.ts";
import { sha256Hex } from "../../src/call/binding.ts";
import { testConfig } from "../support/config.ts";
import { holdTime, pass, passUntil } from "../support/held-time.ts";
import { CALLERS, CANARIES, type RunningGateway, startQaqnuzGateway, TEXTS } from "./running-gateway.ts";

interface Answer {
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startQaqnuzGateway();
});
afterAll(() => gateway[Symbol.asyncDispose]());

const limitsOf = (perSecond: number) => ({
  ...testConfig().limits,
  tools: [{ pattern: "shop__limited", rate: { perSecond, burst: 1 } }],
});

async function connect(version: Era, key: string = CALLERS.full, url: URL = gateway.url) {
  const options = { requestInit: { headers: { authorization: `Bearer ${key}` } } };
  const client = createSdkClient(version);
  await client.connect((version === "v1" ? new TransportV1(url, options) : new TransportV2(url, options)) as never);
  return {
    client,
    call: (name: string, args: Record<string, unknown> = {}) =>
      client.callTool({ name, arguments: args }) as Promise<unknown> as Promise<Answer>,
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** Everything of an answer but the id that tells incidents apart. */
const withoutIncident = (answer: Answer): string =>
  JSON.stringify(answer).replaceAll(/"recourse\/incident":"[0-9A-Z]{26}"/g, "");

describe.each(ERAS)("a client of the gateway, %s:", (version) => {
  it.each([
    ["shop__accident", "dependency", "A service that this call needs cannot be reached."],
    ["shop__stack", "terminal", "The tool reported a failure."],
    ["shop__provider", "terminal", "The tool reported a failure."],
    ["shop__hidden", "permission", "This tool is not available to you."],
    ["shop__scoped", "permission", "This tool is not available to you."],
    ["shop__entitled", "permission", "This tool is not available to you."],
    ["no_such_tool", "permission", "This tool is not available to you."],
    ["down__refund", "dependency", "The server could not be reached; the call was not sent."],
  ])("gets %s as one of five classes with one sentence: %s", async (name, group, sentence) => {
    await using caller = await connect(version);
    const answer = await caller.call(name);
    expect(answer).toMatchObject({ isError: true, content: [{ type: "text", text: sentence }] });
    expect(answer.content).toHaveLength(1);
    expect(answer._meta?.["recourse/error_class"]).toBe(group);
    expect(Object.keys(answer).sort()).toEqual(["_meta", "content", "isError"]);
  });

  it("learns from a validation failure what to fix, although the server's own text is hidden", async () => {
    await using caller = await connect(version);
    const before = gateway.runs("cancel_order");
    const wrong = await caller.call("shop__cancel_order", { quantity: 0 });
    expect(wrong._meta).toEqual({ "recourse/error_class": "validation" });
    expect(wrong.content[0]?.text).toBe(
      'Wrong arguments for the tool "shop__cancel_order": order_id is required (a string); quantity must be an integer of at least 1.',
    );
    expect(await caller.call("shop__cancel_order", { quantity: 0 })).toEqual(wrong);
    expect(gateway.runs("cancel_order")).toBe(before);
    const right = await caller.call("shop__cancel_order", { order_id: "7", quantity: 1 });
    expect(right).toMatchObject({ content: [{ text: "Order 7 is cancelled." }] });
    expect(gateway.runs("cancel_order")).toBe(before + 1);
  });

  it("reads nothing of what the server behind the gateway wrote", async () => {
    await using caller = await connect(version);
    for (const name of Object.keys(TEXTS)) {
      const answer = await caller.call(`shop__${name}`);
      expect(findLeaks(JSON.stringify(answer), [...CANARIES])).toEqual([]);
      expect(answer._meta?.["recourse/incident"]).toMatch(/^[0-9A-Z]{26}$/);
      expect(answer.content[0]?.text).not.toContain(String(answer._meta?.["recourse/incident"]));
    }
  });

  it("gets the same bytes for every tool that it cannot reach, and learns nothing from the list", async () => {
    await using full = await connect(version);
    await using narrow = await connect(version, CALLERS.narrow);
    const seen = new Set<string>();
    for (const name of ["no_such_tool", "shop__hidden", "shop__scoped", "shop__entitled"]) {
      seen.add(withoutIncident(await full.call(name, { quantity: "wrong" })));
    }
    for (const name of ["no_such_tool", "shop__cancel_order", "shop__hidden", "shop__refund"]) {
      seen.add(withoutIncident(await narrow.call(name, { quantity: "wrong" })));
    }
    expect([...seen]).toHaveLength(1);
    const listed = (await full.client.listTools()).tools.map(({ name }) => name);
    expect(listed).toContain("shop__cancel_order");
    for (const name of ["shop__hidden", "shop__scoped", "shop__entitled"]) expect(listed).not.toContain(name);
    const nothing = await narrow.client.listTools();
    expect(nothing.tools).toEqual([]);
    expect(JSON.stringify(nothing)).not.toMatch(/permission|disabled|denied|cancel_order/i);
  });
});

describe.each(ERAS)("every call has its envelope, %s:", (version) => {
  it("a success says that no class applies, and is otherwise what the server sent", async () => {
    await using caller = await connect(version);
    const done = await caller.call("shop__cancel_order", { order_id: "7", quantity: 1 });
    expect(done._meta?.["recourse/error_class"]).toBeNull();
    expect(qaqnuz.decode(done)).toBeUndefined();
    const more = await caller.call("shop__big_number");
    expect(more).toMatchObject({
      structuredContent: { n: 7 },
      _meta: { "shop/page": 1, "recourse/error_class": null },
    });
    const args = { order_id: "7", quantity: 1 };
    const result = await callWithRetry(caller.client, "shop__cancel_order", args, { dialect: qaqnuz });
    expect(result).toMatchObject({ content: [{ text: "Order 7 is cancelled." }] });
  });

  it("arguments that are too large or too deep are answers of the class validation", async () => {
    await using caller = await connect(version);
    const before = gateway.runs("cancel_order");
    const large = await caller.call("shop__cancel_order", { order_id: "x".repeat(5 * 1_024 * 1_024), quantity: 1 });
    expect(large).toMatchObject({ isError: true, _meta: { "recourse/error_class": "validation" } });
    expect(large.content[0]?.text).toMatch(/^The message is too large.*at most 4194304\.$/);
    const deep = Array.from({ length: 100 }).reduce<unknown>((inner) => [inner], 1);
    const nested = await caller.call("shop__cancel_order", { order_id: deep, quantity: 1 });
    expect(nested).toMatchObject({ isError: true, _meta: { "recourse/error_class": "validation" } });
    expect(nested.content[0]?.text).toMatch(/nested at most 64 levels deep/);
    expect(gateway.runs("cancel_order")).toBe(before);
  });

  it("a sentence of the server behind the gateway is not shown unless the operator wants it", async () => {
    await using caller = await connect(version);
    expect(JSON.stringify(await caller.call("shop__refuse"))).not.toMatch(/4242|Stripe/);
  });
});

it("the operator may show what a server says all the same", async () => {
  await using shown = await startQaqnuzGateway({}, {}, "public");
  await using caller = await connect("v1", CALLERS.full, shown.url);
  expect((await caller.call("shop__refuse")).content[0]?.text).toContain("was declined by Stripe");
});

describe("the hint for repetition", () => {
  it("is on the wire with a rate limit of the gateway, and is the true wait", async () => {
    holdTime();
    await using limited = await startQaqnuzGateway({ limits: limitsOf(2) });
    await using caller = await connect("v1", CALLERS.full, limited.url);
    await caller.call("shop__limited");
    const refused = await caller.call("shop__limited");
    expect(refused).toMatchObject({ isError: true, _meta: { "recourse/error_class": "retryable" } });
    expect(refused.content[0]?.text).toMatch(/rate limit/i);
    const hint = refused._meta?.["recourse/retry_hint"] as { retry_after_ms: number };
    expect(hint).toEqual({ retry_after_ms: 500, max_attempts: 2, backoff: "fixed", jitter: 0.2 });
    await pass(hint.retry_after_ms - 1);
    expect(await caller.call("shop__limited")).toMatchObject({ isError: true });
    await pass(1);
    expect((await caller.call("shop__limited")).isError).toBeUndefined();
  });

  it("is absent where the same call will not help", async () => {
    await using caller = await connect("v1");
    for (const name of ["shop__cancel_order", "shop__hidden", "shop__stack"]) {
      expect((await caller.call(name))._meta?.["recourse/retry_hint"]).toBeUndefined();
    }
  });

  it("makes the client kit wait and get the result", async () => {
    holdTime();
    await using limited = await startQaqnuzGateway({ limits: limitsOf(5) });
    await using caller = await connect("v1", CALLERS.full, limited.url);
    await caller.call("shop__limited");
    const beganMs = performance.now();
    const result = await passUntil(callWithRetry(caller.client, "shop__limited", {}, { dialect: qaqnuz }));
    expect(performance.now() - beganMs).toBeGreaterThanOrEqual(200);
    expect(result).toMatchObject({ content: [{ text: "done" }] });
    expect(limited.runs("limited")).toBe(2);
  });
});

describe("a call that a person or a policy decides about", () => {
  const operator = createApiKey().key;
  const start = () =>
    startQaqnuzGateway({
      approvals: { tools: ["shop__refund"], denied: ["shop__wipe"], expiresMs: 900_000, link: undefined },
      admin: {
        listen: { host: "127.0.0.1", port: 0 },
        keys: [{ id: "ann", sha256: sha256Hex(operator), role: "approver" }],
      },
    });

  it("needs an approval: permission without a hint, until a person has approved it, once", async () => {
    await using decided = await start();
    await using caller = await connect("v1", CALLERS.full, decided.url);
    const asked = await caller.call("shop__refund");
    expect(asked).toMatchObject({ isError: true, _meta: { "recourse/error_class": "permission" } });
    expect(asked._meta?.["recourse/retry_hint"]).toBeUndefined();
    expect(asked.content[0]?.text).toMatch(/^A person has to approve this call first, by [-\dT:.Z]+\.$/);
    const admin = async (path: string, body?: object) => {
      const response = await fetch(new URL(`/admin/v1${path}`, decided.adminUrl), {
        headers: { authorization: `Bearer ${operator}`, "content-type": "application/json" },
        ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
      });
      return (await response.json()) as { readonly items: readonly { readonly id: string; readonly tool: string }[] };
    };
    const { items } = await admin("/approvals?state=pending");
    expect(items).toMatchObject([{ tool: "shop__refund" }]);
    // Only the operator sees the id.
    expect(JSON.stringify(asked)).not.toContain(items[0]?.id);
    expect(decided.runs("refund")).toBe(0);
    await admin(`/approvals/${items[0]?.id}/decision`, { approve: true });
    expect(await caller.call("shop__refund")).toMatchObject({ content: [{ text: "done" }] });
    expect(await caller.call("shop__refund")).toMatchObject({ isError: true });
    expect(decided.runs("refund")).toBe(1);
  });

  it("is denied by a policy: permission, and it never runs", async () => {
    await using decided = await start();
    await using caller = await connect("v1", CALLERS.full, decided.url);
    const denied = callWithRetry(caller.client, "shop__wipe", {}, { dialect: qaqnuz });
    await expect(denied).rejects.toThrow("call_tool shop__wipe failed: ");
    expect((await caller.call("shop__wipe"))._meta).toEqual({ "recourse/error_class": "permission" });
    expect(decided.runs("wipe")).toBe(0);
  });
});

describe("a call that will fail again", () => {
  it.each(["stack", "provider"])("is sent once: %s", async (name) => {
    await using caller = await connect("v1");
    const before = gateway.runs(name);
    const call = callWithRetry(caller.client, `shop__${name}`, {}, { dialect: qaqnuz });
    await expect(call).rejects.toThrow(`call_tool shop__${name} failed: The tool reported a failure.`);
    expect(gateway.runs(name)).toBe(before + 1);
  });
});

describe("a key that is not accepted", () => {
  const HEADERS = {
    unknown: `Bearer ${createApiKey().key}`,
    changed: `Bearer ${CALLERS.full.slice(0, -1)}`,
    otherScheme: "Basic cXo6bGl2ZQ==",
    malformed: "Bearer",
    missing: undefined,
  };

  it("gets the same bytes as any other, with status 401 and no reason", async () => {
    const seen = new Set<string>();
    for (const authorization of Object.values(HEADERS)) {
      const response = await fetch(gateway.url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...(authorization !== undefined && { authorization }),
        },
        body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"shop__refund","arguments":{}}}',
      });
      const headers = [...response.headers].filter(([name]) => !["date", "connection", "keep-alive"].includes(name));
      seen.add(JSON.stringify([response.status, response.statusText, headers, await response.text()]));
    }
    expect(seen.size).toBe(1);
    const [status, statusText, , text] = JSON.parse([...seen].join());
    expect([status, statusText]).toEqual([401, "Unauthorized"]);
    expect(text).not.toMatch(/revoked|expired|unknown|malformed|missing|incident/i);
    expect(qaqnuz.decode({ status, headers: {}, body: text })).toMatchObject({ reason: "auth/unauthorized" });
  });
});
