// Idempotency keys: the server says that its tools honour them, so that a client repeats a call whose reply was lost.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { recourse } from "@recourse/faults/client";
import { afterAll, describe, expect, test } from "vitest";
import { ADAPTER_NAMES, type AdapterName, startServer } from "../src/mcp/start.ts";
import { lossyProxy } from "./support/lossy-proxy.ts";
import { createTestEnvironment, KEY } from "./support/test-environment.ts";

const environment = await createTestEnvironment();
const service = await lossyProxy(environment.service.url);
const server = await startServer({
  host: "127.0.0.1",
  port: 0,
  databaseUrl: environment.database.url,
  service: { url: service.url, key: KEY },
  sink: () => {},
});
const front = await lossyProxy(server.url);
afterAll(async () => {
  await front.close();
  await server.close();
  await service.close();
  await environment.close();
});

async function connected(adapter: AdapterName) {
  const client = new Client({ name: "agent", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(`/${adapter}`, front.url)));
  return client;
}

/** Places an order of this customer with the client kit. */
async function place(adapter: AdapterName, email: string, options: { readonly idempotencyKey?: string }) {
  const client = await connected(adapter);
  const wanted = { customer: { email }, items: [{ sku: "DESK-3", quantity: 1 }], deliver_to: { country: "HK" } };
  const outcome = await recourse(client).call("place_order", wanted, options);
  await client.close();
  return outcome;
}

const ordersOf = async (email: string) =>
  (
    await environment.database.query("select count(*)::int as n from customer_order where customer_email = $1", [email])
  )[0]?.["n"];

describe.each(ADAPTER_NAMES)("over %s", (adapter) => {
  test("the server says that keys are honoured", async () => {
    const client = await connected(adapter);
    expect(client.getServerCapabilities()?.extensions?.["io.github.recourse-mcp/faults"]).toMatchObject({ keys: true });
    await client.close();
  });

  test("with a key, a call whose reply is lost is repeated, and one order exists", async () => {
    const email = `keyed-${adapter}@example.com`;
    front.loseReplyTo(email);
    const outcome = await place(adapter, email, { idempotencyKey: email });
    expect(outcome).toMatchObject({ ok: true, tried: { attempts: 2 } });
    expect(await ordersOf(email)).toBe(1);
  });

  test("without a key it is not repeated", async () => {
    const email = `unkeyed-${adapter}@example.com`;
    front.loseReplyTo(email);
    const outcome = await place(adapter, email, {});
    expect(outcome).toMatchObject({
      ok: false,
      fault: { effect: "possible", tried: { attempts: 1, stopped: "unsafe" } },
    });
    expect(await ordersOf(email)).toBe(1);
  });
});

test("with a key, an order whose reply the service lost is placed again, and one order exists", async () => {
  const email = "behind@example.com";
  service.loseReplyTo(email);
  const outcome = await place("rest", email, { idempotencyKey: email });
  expect(outcome).toMatchObject({ ok: true });
  expect(await ordersOf(email)).toBe(1);
});
