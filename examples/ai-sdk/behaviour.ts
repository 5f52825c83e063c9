// What holds with Recourse in every framework. Each agent hands in how it runs a script of tool calls.
import assert from "node:assert/strict";
import { test } from "node:test";
import { PNG, SECRET, type Shop, startShop } from "./shop.ts";

export interface ToolCall {
  readonly name: string;
  readonly args: Record<string, unknown>;
}

export interface Run {
  readonly url: string;
  /** The tool calls of each turn of the model. */
  readonly turns: readonly (readonly ToolCall[])[];
  readonly signal?: AbortSignal;
  readonly deadlineMs?: number;
}

export interface Ran {
  /** What the model was given for each of its calls, in the framework's own form. */
  readonly told: readonly unknown[];
  /** The final answer of the run. */
  readonly answer: unknown;
}

export interface Forms {
  /** A text for the model. */
  text(value: string): unknown;
  /** A failure for the model. */
  failure(value: string): unknown;
  /** The parts of the order's picture. */
  picture(parts: { readonly texts: readonly string[]; readonly png: string }): unknown;
}

const LOST =
  "The connection was lost before the answer came. The call may have taken effect. " +
  "Check the current state before repeating the call.";

const NOT_FOUND =
  "What the call asked for was not found. Quote from the server: “There is no order 9.” " +
  "Call again with a different name or id.";

const NO_QUESTIONS =
  'The client did not declare the capability that this request needs: "elicitation". Do not repeat this call.';

export function testWithRecourse(run: (one: Run) => Promise<Ran>, forms: Forms): void {
  async function once(name: string, args: Record<string, unknown>, more: Partial<Run> = {}) {
    await using shop = await startShop();
    const { told, answer } = await run({ url: shop.url, turns: [[{ name, args }]], ...more });
    assert.equal(told.length, 1);
    assert.equal(answer, "Done.");
    return { told: told[0], shop };
  }

  test("a failure is told once, as our sentence, and the run goes on", async () => {
    const { told, shop } = await once("find", { order: 9 });
    assert.deepEqual(told, forms.failure(NOT_FOUND));
    assert.equal(shop.calls["find"], 1);
  });

  test("a secret in a thrown error does not reach the model", async () => {
    const { told } = await once("ship", { order: 7 });
    assert.ok(!JSON.stringify(told).includes(SECRET));
    assert.match(
      JSON.stringify(told),
      /The call may have taken effect\. Check the current state before repeating the call\./,
    );
  });

  test("a rate limit is waited for by the engine, and the model never hears of it", async () => {
    const { told, shop } = await once("search", {});
    assert.deepEqual(told, forms.text("Orders 7 and 8."));
    assert.equal(shop.calls["search"], 2);
  });

  test("a charge whose answer is lost is made once, and the model is told to look first", async () => {
    const { told, shop } = await once("charge", { amount: 5 });
    assert.deepEqual(told, forms.failure(LOST));
    assert.equal(shop.calls["charge"], 1);
    assert.deepEqual(shop.charges, [5]);
  });

  test("text, image, link and structured content are kept", async () => {
    const { told } = await once("picture", { order: 7 });
    const texts = ["Order 7:", "[resource_link shop://orders/7]", '{"state":"open"}'];
    assert.deepEqual(told, forms.picture({ texts, png: PNG }));
  });

  test("a question to the user that nobody can ask is told", async () => {
    const { told } = await once("refund", {});
    assert.deepEqual(told, forms.failure(NO_QUESTIONS));
  });

  test("the deadline ends a call that takes too long", async () => {
    const { told } = await once("slow", {}, { deadlineMs: 400 });
    // The server knows the deadline, too, and may be the first to say so.
    const late =
      /in time \(limit: \d+ ms\)\. The call may have taken effect\. Check the current state before repeating/;
    assert.match(JSON.stringify(told), late);
  });

  test("calls at the same time each get their own answer", async () => {
    await using shop = await startShop();
    const turn = [
      { name: "find", args: { order: 9 } },
      { name: "search", args: {} },
      { name: "charge", args: { amount: 5 } },
    ];
    const { told, answer } = await run({ url: shop.url, turns: [turn] });
    assert.deepEqual(told, [forms.failure(NOT_FOUND), forms.text("Orders 7 and 8."), forms.failure(LOST)]);
    assert.deepEqual(shop.calls, { find: 1, search: 2, charge: 1 });
    assert.equal(answer, "Done.");
  });

  test("an abort of the run ends the call at the server", async () => {
    await using shop = await startShop();
    const abort = new AbortController();
    const running = run({ url: shop.url, turns: [[{ name: "slow", args: {} }]], signal: abort.signal }).catch(
      (error: unknown) => error,
    );
    await until(() => shop.calls["slow"] === 1);
    abort.abort();
    await running;
    await until(() => shop.aborted === 1);
  });
}

/** Waits for a condition. */
async function until(condition: () => boolean): Promise<void> {
  const end = Date.now() + 30_000;
  while (!condition()) {
    if (Date.now() > end) throw new Error("waited for 30 s");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Runs one call at a server with or without the guard, through the framework's own MCP client. */
export async function measured<T>(
  guarded: boolean,
  runAt: (shop: Shop) => Promise<T>,
): Promise<{ readonly ran: T; readonly shop: Shop }> {
  await using shop = await startShop({ guarded });
  return { ran: await runAt(shop), shop };
}
