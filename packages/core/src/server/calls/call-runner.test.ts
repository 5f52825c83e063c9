import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import * as z from "zod";
import { http, onx } from "../../dialects/index.ts";
import { FaultError } from "../../fault/error.ts";
import { readFault } from "../../fault/read.ts";
import { defineReasons } from "../../reasons/define.ts";
import { fail } from "../../reasons/fail.ts";
import { timeout } from "../../reasons/library/core.ts";
import { guard } from "../guard.ts";
import type { GuardOptions } from "../options.ts";

// What the author of a tool says about it counts, however the call fails.

const never = () => new Promise<never>(() => {});
const FAILURES = {
  late: { run: never, reason: "tool/timeout", move: "retry" },
  throws: { run: () => Promise.reject(new TypeError("x")), reason: "core/internal", move: "stop" },
  breaks_its_schema: {
    run: async () => ({ content: [], structuredContent: { n: "one" } }),
    reason: "tool/output_invalid",
    move: "stop",
  },
  returns_nothing: { run: async () => undefined, reason: "tool/output_invalid", move: "stop" },
  returns_a_bigint: {
    run: async () => ({ content: [], structuredContent: { n: 1, big: 1n } }),
    reason: "tool/result_unsendable",
    move: "stop",
  },
} as const;

async function faultOf(name: keyof typeof FAILURES, readOnlyHint: boolean) {
  const server = guard(new McpServer({ name: "s", version: "1" }), { sink: () => {}, deadlineMs: 30 });
  const config = { annotations: { readOnlyHint }, outputSchema: z.looseObject({ n: z.number() }) };
  server.registerTool(name, config, FAILURES[name].run as never);
  const client = new Client({ name: "c", version: "1" });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(here), client.connect(there)]);
  const { _meta } = await client.callTool({ name });
  await client.close();
  return readFault(_meta?.["recourse/fault"]);
}

test.each(Object.entries(FAILURES))("%s: a tool that only reads changed nothing", async (name, { reason, move }) => {
  const fault = await faultOf(name as keyof typeof FAILURES, true);
  expect(fault).toMatchObject({ reason, effect: "none", recourse: [{ do: move }] });
});

test.each(Object.entries(FAILURES))("%s: any other tool may have changed something", async (name, { reason }) => {
  expect(await faultOf(name as keyof typeof FAILURES, false)).toMatchObject({ reason, effect: "possible" });
});

const shop = defineReasons("shop", {
  closed: { kind: "unavailable", text: "The shop is closed." },
  charged: { kind: "unavailable", text: "The shop is closed.", details: { effect: "possible" } },
});

/** What a guarded tool that throws answers. */
async function answerTo(
  thrown: unknown,
  {
    readOnlyHint = true,
    idempotentHint = false,
    ...options
  }: GuardOptions & { readOnlyHint?: boolean; idempotentHint?: boolean } = {},
) {
  const server = guard(new McpServer({ name: "s", version: "1" }), { sink: () => {}, ...options });
  server.registerTool("read", { annotations: { readOnlyHint, idempotentHint } }, () => Promise.reject(thrown));
  const client = new Client({ name: "c", version: "1" });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(here), client.connect(there)]);
  const result = await client.callTool({ name: "read" });
  await client.close();
  return result as typeof result & { content: [{ text: string }]; error?: unknown };
}

test.each([
  ["a library reason", () => timeout()],
  ["a template", () => fail.unavailable`The shop is closed.`],
  ["a reason of your own", () => shop.closed()],
  ["an error around such a fault", () => new Error("x", { cause: fail.unavailable`The shop is closed.` })],
])("a fault that states no effect has none in a tool that only reads: %s", async (_what, make) => {
  const { _meta, content } = await answerTo(make());
  expect(readFault(_meta?.["recourse/fault"])).toMatchObject({ effect: "none", recourse: [{ do: "retry" }] });
  expect(content[0].text).not.toContain("may have taken effect");
  const { _meta: writes } = await answerTo(make(), { readOnlyHint: false });
  expect(readFault(writes?.["recourse/fault"])?.effect).toBe("possible");
});

test.each([
  ["in a call", () => timeout({}, { effect: "possible" })],
  ["in a template", () => fail.unavailable({ effect: "possible" })`The shop is closed.`],
  ["in the definition of the reason", () => shop.charged()],
  ["behind another error", () => new Error("x", { cause: shop.charged() })],
])("an effect that the author states stands: %s", async (_where, make) => {
  const { _meta } = await answerTo(make());
  expect(readFault(_meta?.["recourse/fault"])?.effect).toBe("possible");
});

test.each([
  ["a time-out", () => timeout(), 3002],
  ["an outage", () => fail.unavailable`The shop is closed.`, 4002],
])("%s in a tool that only reads has onX's own retryable code", async (_what, make, code) => {
  expect((await answerTo(make(), { dialect: onx })).error).toMatchObject({ code, retryable: true });
  const writes = await answerTo(make(), { dialect: onx, readOnlyHint: false });
  expect(writes.error).toMatchObject({ code: 4001, retryable: false });
});

test.each([
  ["a time-out", () => timeout(), 3002],
  ["an outage", () => fail.unavailable`The shop is closed.`, 4002],
])("%s in a tool that may be repeated is repeated, though something may have changed", async (_what, make, code) => {
  const repeatable = { readOnlyHint: false, idempotentHint: true };
  const { _meta } = await answerTo(make(), repeatable);
  expect(_meta?.["recourse/fault"]).toMatchObject({ effect: "possible", recourse: [{ do: "retry" }] });
  expect((await answerTo(make(), { dialect: onx, ...repeatable })).error).toMatchObject({ code, retryable: true });
});

test.each([
  ["an effect", () => timeout({}, { effect: "possible" })],
  ["a move", () => timeout({}, { recourse: [{ do: "ask_user" }] })],
  ["that a retry is of no use", () => timeout({}, { retry: { allowed: false } })],
])(
  "what an author states about the failure counts more than that the tool may be repeated: %s",
  async (_what, make) => {
    const { error } = await answerTo(make(), { dialect: onx, readOnlyHint: false, idempotentHint: true });
    expect(error).toMatchObject({ code: 4001, retryable: false });
  },
);

test("the reply of a service does not know what the tool does, so the author's word about the tool counts", async () => {
  const fault = http.decode({ status: 503, headers: { "retry-after": "1" } }, { httpMethod: "GET" });
  if (fault === undefined) throw new Error("a 503 is a failure");
  const server = guard(new McpServer({ name: "s", version: "1" }), { sink: () => {} });
  server.registerTool("read", { annotations: { readOnlyHint: true } }, () => Promise.reject(new FaultError(fault)));
  const client = new Client({ name: "c", version: "1" });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(here), client.connect(there)]);
  const { _meta } = await client.callTool({ name: "read" });
  await client.close();
  expect(readFault(_meta?.["recourse/fault"])).toMatchObject({ kind: "unavailable", effect: "none", basis: "mapped" });
});

test.each([
  ["changed nothing when its handler throws", new Error("x"), "none"],
  ["changed nothing when its author states no effect", timeout(), "none"],
  ["changed what its author states", timeout({}, { effect: "possible" }), "possible"],
])("a resource that cannot be read %s", async (_what, thrown, effect) => {
  const server = guard(new McpServer({ name: "s", version: "1" }), { sink: () => {} });
  server.registerResource("r", "shop://prices", {}, () => Promise.reject(thrown));
  const client = new Client({ name: "c", version: "1" });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(here), client.connect(there)]);
  const error = await client.readResource({ uri: "shop://prices" }).catch((thrown: unknown) => thrown);
  await client.close();
  const { data } = error as { data: Readonly<Record<string, unknown>> };
  expect(readFault(data["recourse/fault"])).toMatchObject({ effect });
});
