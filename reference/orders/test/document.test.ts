// The statements of onX's document, each seen on the running server: over plain HTTP, and by clients.
import { inspect } from "node:util";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { onx } from "@recourse/dialects/onx";
import { type Fault, render } from "@recourse/faults";
import { type RecourseOptions, recourse } from "@recourse/faults/client";
import pg from "pg";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { ADAPTER_NAMES, type AdapterName } from "../src/mcp/start.ts";
import { ORDERS_PER_MINUTE } from "../src/postgres/place-order.ts";
import { ORDER, place } from "./failures/failure.ts";
import { observe } from "./support/observers.ts";
import { createTestEnvironment } from "./support/test-environment.ts";

// Statements that run out of time do so in an environment that gives them little.
const [environment, hurried] = await Promise.all([
  createTestEnvironment(),
  createTestEnvironment({ statementTimeoutMs: 200 }),
]);
afterAll(() => Promise.all([environment.close(), hurried.close()]));
const { database } = environment;

const ask = (adapter: AdapterName, tool: string, args: object, { server } = environment) =>
  observe("plain HTTP", server.url, { adapter, tool, args: { ...args } });

/** A lock in the hurried environment that makes placing orders of a customer take longer than a statement may. */
async function holdCustomer(email: string): Promise<void> {
  const other = new pg.Client({ connectionString: hurried.database.url });
  await other.connect();
  onTestFinished(() => other.end());
  await other.query("begin");
  await other.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [email]);
}

const ordersOf = async (email: string) =>
  (await database.query("select count(*)::int as count from customer_order where customer_email = $1", [email]))[0];

describe.each(ADAPTER_NAMES)("the server over %s", (adapter) => {
  test("answers a success with the result of the tool, without an error", async () => {
    const { result, error } = await ask(adapter, "get_order", ORDER);
    expect(error).toBeUndefined();
    expect(result).toMatchObject({ structuredContent: { id: "ORD-1001" } });
    expect(result).not.toHaveProperty("error");
    expect(result?.isError).not.toBe(true);
  });

  test("answers a failed tool with a successful response whose result has the error object", async () => {
    const { result, error } = await ask(adapter, "get_order", { order_id: "ORD-9999" });
    expect(error).toBeUndefined();
    expect(result?.error).toEqual({
      code: 4001,
      message: 'Order "ORD-9999" does not exist.',
      retryable: false,
      details: {
        suggestion: "Call again with a different name or id.",
        context: { order: "ORD-9999" },
        originalError: "ORDER_NOT_FOUND",
      },
    });
  });

  test("names the first wrong argument as a dotted path, and prefers the specific code", async () => {
    const { result } = await ask(adapter, "place_order", place({ customer: { email: "x" } }).args);
    expect(result?.error).toMatchObject({
      code: 2003,
      retryable: false,
      details: { field: "customer.email", reason: "format" },
    });
  });

  test("names the wait of a rate limit", async () => {
    const email = `wait-${adapter}@example.com`;
    const order = place({ customer: { email } }).args;
    for (let placed = 0; placed < ORDERS_PER_MINUTE; placed++) await ask(adapter, "place_order", order);
    const { result } = await ask(adapter, "place_order", order);
    expect(result?.error).toMatchObject({ code: 3001, retryable: true, details: { originalError: "TOO_MANY_ORDERS" } });
    expect(result?.error?.details).toHaveProperty("context.retryAfterMs", expect.any(Number));
    expect(result?.error?.details?.["suggestion"]).toMatch(/^Repeat this call in (?:\d+ seconds|1 minute)\.$/);
  });

  test("never calls a write safe to retry that may have taken effect", async () => {
    const email = `slow-${adapter}@example.com`;
    await holdCustomer(email);
    const { result } = await ask(adapter, "place_order", place({ customer: { email } }).args, hurried);
    const said = {
      // The transaction was undone, so nothing changed.
      postgres: { code: 3002, retryable: true, details: { suggestion: "Repeat this call in a moment." } },
      // The service did not say whether it placed the order.
      rest: {
        code: 4001,
        retryable: false,
        details: {
          suggestion: "The call may have taken effect. Check the current state before repeating the call.",
        },
      },
    };
    expect(result?.error).toMatchObject(said[adapter]);
    expect(onx.decode({ result })).toMatchObject({
      kind: "timeout",
      effect: { postgres: "none", rest: "possible" }[adapter],
    });
  });

  test("logs the internal cause apart, and sends a sanitised message", async () => {
    await database.query("alter table order_line rename column price_cents to price");
    onTestFinished(async () => {
      await database.query("alter table order_line rename column price to price_cents");
    });
    environment.incidents.splice(0);
    const { result } = await ask(adapter, "get_order", ORDER);
    expect(result?.error).toMatchObject({ code: 4001 });
    expect(JSON.stringify(result)).not.toContain("price_cents");
    expect(inspect(environment.incidents, { depth: 8 })).toContain({ postgres: "price_cents", rest: "500" }[adapter]);
  });
});

/** A client of the kit, and the waits that it made. The random number is the largest, so each wait is the longest. */
async function clientOf(
  adapter: AdapterName,
  options: Omit<RecourseOptions<Client>, "inputRequired"> = {},
  { server } = environment,
) {
  const client = new Client({ name: "agent", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(`/${adapter}`, server.url)));
  onTestFinished(() => client.close());
  const waits: number[] = [];
  const sleep = async (ms: number) => {
    waits.push(ms);
  };
  return { kit: recourse(client, { ...options, testing: { clock: { sleep }, ...options.testing } }), waits };
}

describe("the client kit", () => {
  const away = (): void => {
    environment.databaseProxy.disconnect();
    onTestFinished(() => environment.databaseProxy.reconnect());
  };

  test("repeats retryable: true with exponential back-off", async () => {
    away();
    const { kit, waits } = await clientOf("postgres", { testing: { random: () => 0.999 } });
    const outcome = await kit.call("get_order", ORDER);
    expect(outcome).toMatchObject({ ok: false, fault: { kind: "unavailable", tried: { attempts: 3 } } });
    const [first = 0, second = 0] = waits;
    expect(waits).toHaveLength(2);
    expect(second / first).toBeCloseTo(2, 1);
  });

  test("repeats retryable: true with jitter", async () => {
    away();
    const seen = new Set<number>();
    for (const random of [0.1, 0.5, 0.9]) {
      const { kit, waits } = await clientOf("postgres", { testing: { random: () => random } });
      await kit.call("get_order", ORDER);
      seen.add(waits[0] ?? 0);
    }
    expect(seen.size).toBe(3);
  });

  test("repeats a write too where the server says that nothing was changed", async () => {
    away();
    const { kit, waits } = await clientOf("postgres");
    const { tool, args } = place({ customer: { email: "kit-away@example.com" } });
    const outcome = await kit.call(tool, args);
    expect(outcome).toMatchObject({
      ok: false,
      fault: { effect: "none", tried: { attempts: 3, stopped: "attempts" } },
    });
    expect(waits).toHaveLength(2);
    expect(await ordersOf("kit-away@example.com")).toEqual({ count: 0 });
  });

  test("waits as long as the server asks", async () => {
    const email = "kit-limit@example.com";
    const { tool, args } = place({ customer: { email } });
    for (let placed = 0; placed < ORDERS_PER_MINUTE; placed++) await ask("postgres", tool, args);
    const { kit, waits } = await clientOf("postgres", {
      deadlineMs: 600_000,
      retry: { policy: { maxWaitMs: 300_000 } },
    });
    await kit.call(tool, args);
    expect(waits[0]).toBeGreaterThan(30_000);
  });

  test.each([
    ["an identifier", "get_order", { order_id: "ORD-9999" }, "not_found"],
    ["a wrong argument", "get_order", { order_id: "1001" }, "invalid_input"],
    ["a state", "cancel_order", { order_id: "ORD-1002" }, "precondition_failed"],
    ["a tool without a backend", "track_shipment", ORDER, "unsupported"],
  ])("does not repeat retryable: false: %s", async (_, tool, args, kind) => {
    const { kit, waits } = await clientOf("postgres");
    expect(await kit.call(tool, args)).toMatchObject({ ok: false, fault: { kind } });
    expect(waits).toEqual([]);
  });

  test("does not repeat a write that may have taken effect, and says what to check", async () => {
    const email = "kit-slow@example.com";
    await holdCustomer(email);
    const { kit, waits } = await clientOf("rest", {}, hurried);
    const { tool, args } = place({ customer: { email } });
    const outcome = await kit.call(tool, args);
    expect(outcome).toMatchObject({ ok: false, fault: { kind: "timeout", effect: "possible" } });
    expect(waits).toEqual([]);
    const { fault } = outcome as { readonly fault: Fault };
    expect(render(fault, { for: "model" })).toContain("The call may have taken effect. Check the current state");
  });

  test("repeats it for a caller who knows that it is safe", async () => {
    const email = "kit-repeatable@example.com";
    await holdCustomer(email);
    const { kit, waits } = await clientOf("rest", {}, hurried);
    const { tool, args } = place({ customer: { email } });
    expect(await kit.call(tool, args, { repeatable: true })).toMatchObject({ ok: false, fault: { kind: "timeout" } });
    expect(waits).toHaveLength(2);
  });
});
