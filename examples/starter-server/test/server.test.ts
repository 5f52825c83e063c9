import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { readFault, registerSecrets } from "@recourse/faults";
import { recourse } from "@recourse/faults/client";
import { type Incident, stderrSink } from "@recourse/faults/server";
import { expectNoLeak, leaks } from "@recourse/testing";
import { startDemoApi } from "../src/demo-api.ts";
import { createServer } from "../src/server.ts";
import { ShopApi } from "../src/shop-api.ts";

const incidents: Incident[] = [];
const open: Client[] = [];

afterEach(async () => {
  incidents.length = 0;
  for (const client of open.splice(0)) await client.close();
});

/** A client of a server in the same process. `approves` is what the person answers; without it nobody can be asked. */
async function connect({ api, approves }: { readonly api?: ShopApi; readonly approves?: boolean } = {}) {
  const server = createServer({
    api: api ?? new ShopApi(await startDemoApi()),
    sink: (incident) => void incidents.push(incident),
  });
  const client = new Client(
    { name: "test", version: "0.1.0" },
    { capabilities: approves === undefined ? {} : { elicitation: {} } },
  );
  if (approves !== undefined) {
    client.setRequestHandler("elicitation/create", async () => ({ action: "accept", content: { approve: approves } }));
  }
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  open.push(client);
  return client;
}

test("a success is a text", async () => {
  const client = await connect();
  const { content } = await client.callTool({ name: "get_order", arguments: { order: 7 } });
  assert.deepEqual(content, [{ type: "text", text: "Order 7: a lamp for 42.00 euros, shipped." }]);
});

test("a reason of ours is a fault that a program can read, and the model too", async () => {
  const client = await connect();
  const { content, _meta } = await client.callTool({ name: "get_order", arguments: { order: 404 } });
  const fault = readFault(_meta?.["recourse/fault"]);
  assert.equal(fault?.reason, "orders/not_found");
  assert.equal(fault?.effect, "none");
  const text = "There is no order 404. Call again with a different name or id.";
  assert.deepEqual(content, [{ type: "text", text }]);
  assert.equal(incidents.length, 0, "a caller's mistake is no incident");
});

test("wrong arguments are named", async () => {
  const outcome = await recourse(await connect()).call("get_order", { order: "seven" });
  assert.equal(!outcome.ok && outcome.fault.issues?.[0]?.pointer, "/order");
});

test("an outage while reading is retried, after the wait that the API asks for", async () => {
  const outcome = await recourse(await connect()).call("track_parcel", { order: 7 });
  assert.ok(outcome.ok);
  assert.equal(outcome.tried?.attempts, 2);
  assert.ok((outcome.tried?.elapsedMs ?? 0) >= 1_000);
  assert.equal(incidents[0]?.fault.kind, "unavailable", "the operator hears of the outage");
});

test("a refund whose answer is lost is not repeated", async () => {
  const mcp = recourse(await connect());
  const outcome = await mcp.call("refund_order", { order: 9 });
  assert.ok(!outcome.ok);
  assert.equal(outcome.fault.effect, "possible");
  assert.equal(outcome.fault.recourse[0].do, "refresh");
  const after = await mcp.call("refund_order", { order: 9 });
  assert.equal(!after.ok && after.fault.reason, "orders/already_refunded");
});

test("the same idempotency key is the same call", async () => {
  const mcp = recourse(await connect());
  const refund = () => mcp.call("refund_order", { order: 7 }, { idempotencyKey: "refund-of-order-7" });
  const [first, again] = [await refund(), await refund()];
  assert.ok(first.ok && again.ok);
  assert.deepEqual(again.result.content, first.result.content);
});

test("a large refund is made if a person approves it", async () => {
  const outcome = await recourse(await connect({ approves: true })).call("refund_order", { order: 8 });
  assert.ok(outcome.ok);
});

test("a large refund is not made if a person declines it", async () => {
  const mcp = recourse(await connect({ approves: false }));
  const outcome = await mcp.call("refund_order", { order: 8 });
  assert.equal(!outcome.ok && outcome.fault.reason, "orders/refund_declined");
  const order = await mcp.call("get_order", { order: 8 });
  assert.match(JSON.stringify(order), /open/);
});

test("nothing of what the API throws reaches the caller, and the operator gets it", async () => {
  for (const leak of leaks.slice(0, 50)) {
    const api = new ShopApi({ url: "http://127.0.0.1", key: "unused" });
    api.get = async () => Promise.reject(new Error(leak.text));
    const result = await (await connect({ api })).callTool({ name: "get_order", arguments: { order: 7 } });
    expectNoLeak(result, leak.canaries);
  }
  assert.equal(incidents.length, 50);
});

test("a registered secret reaches neither the caller nor the log", async () => {
  const key = "four-plain-words-here";
  const unregister = registerSecrets(key);
  const api = new ShopApi({ url: "http://127.0.0.1", key });
  api.get = async () => Promise.reject(new Error(`refused: ${key}`));
  const result = await (await connect({ api })).callTool({ name: "get_order", arguments: { order: 7 } });
  const log: string[] = [];
  for (const incident of incidents) stderrSink({ write: (text) => log.push(text) })(incident);
  unregister();
  assert.equal(log.length, 1);
  expectNoLeak({ result, log }, [key]);
});
