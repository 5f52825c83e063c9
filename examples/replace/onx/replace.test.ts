// A server as onX's document describes it, before and after the move, over real HTTP.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { inspect } from "node:util";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { recourse } from "@recourse/faults/client";
import type { Incident } from "@recourse/faults/server";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { after } from "./after.ts";
import { before } from "./before.ts";
import { Shop } from "./shop.ts";

interface Handler {
  fetch(request: Request): Promise<Response>;
}

interface Answer {
  readonly error?: { readonly code: number };
  readonly result: {
    readonly _meta?: Readonly<Record<string, unknown>>;
    readonly isError?: boolean;
    readonly content: readonly { readonly text: string }[];
    readonly error?: { readonly code: number; readonly message: string; readonly retryable: boolean };
  };
}

const shop = new Shop();
const incidents: Incident[] = [];
const SERVERS = { before: before(shop), after: after(shop, (incident) => incidents.push(incident)) };
beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => {}));

/** Serves a handler on a port of this machine. */
async function listen(handler: Handler): Promise<string> {
  const server = createServer(async (incoming, outgoing) => {
    const headers = Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]);
    const body = incoming.method === "POST" ? { body: await text(incoming) } : {};
    const url = `http://127.0.0.1${incoming.url}`;
    const response = await handler.fetch(new Request(url, { method: incoming.method ?? "GET", headers, ...body }));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function ask(handler: Handler, name: string, args: object): Promise<Answer> {
  const response = await fetch(await listen(handler), {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }),
  });
  const [json = "{}"] = /\{.*\}/.exec(await response.text()) ?? [];
  return JSON.parse(json) as Answer;
}

/** What the document promises, for both servers. */
const PROMISED = [
  ["get_order", { order_id: "ORD-9" }, { code: 4001, retryable: false, details: { originalError: "ORDER_NOT_FOUND" } }],
  ["get_order", {}, { code: 2002, retryable: false, details: { field: "order_id" } }],
  ["get_order", { order_id: "9" }, { code: 2003, retryable: false, details: { field: "order_id" } }],
  ["place_order", { order: { sku: 5 } }, { code: 2001, retryable: false, details: { field: "order.sku" } }],
  ["place_order", { order: { sku: "CHAIR" } }, { code: 4001, details: { originalError: "OUT_OF_STOCK" } }],
  ["get_order", { order_id: "ORD-5" }, { code: 4002, retryable: true }],
] as const;

describe.each(["before", "after"] as const)("%s", (which) => {
  test.each(PROMISED)("the document holds: %s %j", async (tool, args, error) => {
    const { result } = await ask(SERVERS[which], tool, args);
    expect(result).toMatchObject({ isError: true, error });
    expect(result.error?.message).not.toBe("");
  });

  test("a success has no error", async () => {
    const { result } = await ask(SERVERS[which], "get_order", { order_id: "ORD-1" });
    expect(result.content[0]?.text).toBe('{"id":"ORD-1","status":"open"}');
    expect(result).not.toHaveProperty("error");
  });
});

test("the text of the database no longer leaves the server, and the operator finds it under an incident", async () => {
  const lamp = { order: { sku: "LAMP" } };
  expect(JSON.stringify(await ask(SERVERS.before, "place_order", lamp))).toContain("db-7.internal");
  incidents.splice(0);
  const answer = await ask(SERVERS.after, "place_order", lamp);
  expect(answer.result.error).toMatchObject({ code: 4001, retryable: false });
  expect(JSON.stringify(answer)).not.toContain("db-7.internal");
  expect(inspect(incidents)).toContain("db-7.internal");
  const incident = incidents[0]?.fault.incident;
  expect(answer.result.content[0]?.text).toContain(incident);
  expect(answer.result._meta?.["recourse/incident"]).toBe(incident);
  expect(JSON.stringify(answer.result.error)).not.toContain(incident);
});

test.each([
  ["LAMP", 4001, false],
  // Its connection was refused, so nothing was placed, and the same call may be repeated.
  ["TABLE", 4002, true],
])("an identifier for every failure goes with the code that made it: %s", async (sku, code, retryable) => {
  const args = { order: { sku } };
  const was = (await ask(SERVERS.before, "place_order", args)).result.error;
  expect(was).toMatchObject({ code: 4001, details: { originalError: "PLACEMENT_FAILED" } });
  const { error } = (await ask(SERVERS.after, "place_order", args)).result;
  expect(error).toMatchObject({ code, retryable, details: { suggestion: expect.any(String) } });
  expect(error).not.toHaveProperty("details.originalError");
});

test("a tool that does not exist is a result", async () => {
  const was = await ask(SERVERS.before, "steal_order", {});
  expect([was.error?.code, was.result]).toEqual([-32602, undefined]);
  const { result, error } = await ask(SERVERS.after, "steal_order", {});
  expect(error).toBeUndefined();
  expect(result).toMatchObject({ isError: true, error: { code: 3004, retryable: false } });
});

test("an order whose reply was lost is no longer called safe to retry", async () => {
  const sofa = { order: { sku: "SOFA" } };
  expect((await ask(SERVERS.before, "place_order", sofa)).result.error).toEqual({
    code: 3002,
    message: "Operation timed out",
    retryable: true,
  });
  const { result } = await ask(SERVERS.after, "place_order", sofa);
  expect(result.error).toMatchObject({
    code: 4001,
    retryable: false,
    details: { suggestion: "The call may have taken effect. Check the current state before repeating the call." },
  });
});

test("a client that retries as the document says no longer places it three times", async () => {
  const placedBy = async (handler: Handler) => {
    const { placed } = shop;
    for (let attempt = 1; attempt <= 3; attempt++) {
      const { result } = await ask(handler, "place_order", { order: { sku: "SOFA" } });
      if (result.error?.retryable !== true) break;
    }
    return shop.placed - placed;
  };
  expect([await placedBy(SERVERS.before), await placedBy(SERVERS.after)]).toEqual([3, 1]);
});

test("a client of Recourse reads the kind behind the general code, and places it once", async () => {
  const client = new Client({ name: "agent", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(await listen(SERVERS.after))));
  onTestFinished(() => client.close());
  const { placed } = shop;
  const outcome = await recourse(client).call("place_order", { order: { sku: "SOFA" } });
  expect(outcome).toMatchObject({ ok: false, fault: { kind: "timeout", effect: "possible" } });
  expect(shop.placed).toBe(placed + 1);
});

test("the model reads what to do", async () => {
  const read = async (handler: Handler, tool: string, args: object) =>
    (await ask(handler, tool, args)).result.content[0]?.text;
  const missing = { order_id: "ORD-9" };
  expect(await read(SERVERS.before, "get_order", missing)).toBe("Order not found");
  expect(await read(SERVERS.after, "get_order", missing)).toBe(
    'Order "ORD-9" does not exist. Call again with a different name or id.',
  );
});

test("the page shows parts of these files", () => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
  const code = read("before.ts") + read("after.ts");
  const blocks = [...read("../../../docs/replace/onx.md").matchAll(/^```ts\n(.*?)^```/gms)].map(
    ([, block = ""]) => block,
  );
  expect(blocks.length).toBeGreaterThan(2);
  for (const block of blocks) expect(code).toContain(block);
});
