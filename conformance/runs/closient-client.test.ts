// What the client kit does with answers of Closient's document, from servers that do not use Recourse.

import { McpServer } from "@modelcontextprotocol/server";
import { recourse } from "@recourse/core/client";
import { connectHttpPair } from "@recourse/test-kit/sdk-pairs";
import { describe, expect, test } from "vitest";

interface ErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
}

function errorObject(code: number, errorCode: string, retryable: boolean, more: object = {}): ErrorObject {
  const data = { status: 500, detail: "It was so", error_code: errorCode, retryable, ...more };
  return { code, message: "It was so", data };
}

/** Where servers of the document put the error object. */
const PLACES: Readonly<Record<string, (error: ErrorObject) => object>> = {
  "in the result": (error) => ({ content: [], error }),
  "in structuredContent": (error) => ({ content: [], structuredContent: { error } }),
  "as JSON text": (error) => ({ content: [{ type: "text", text: JSON.stringify({ error }) }] }),
};

interface Run {
  readonly repeatable?: boolean;
  readonly attempts?: number;
  /** How many calls fail before one succeeds. @default 1 */
  readonly failures?: number;
}

/** Calls a tool that fails with this result and then succeeds. Returns outcome, waits and the number of calls. */
async function run(result: object, call: Run = {}) {
  const { attempts = 3, failures = 1, ...callOptions } = call;
  let calls = 0;
  const waits: number[] = [];
  const pair = await connectHttpPair("v2 modern", () => {
    const server = new McpServer({ name: "gtin", version: "1.0.0" });
    server.registerTool(
      "look",
      {},
      () => (++calls <= failures ? result : { content: [{ type: "text", text: "{}" }] }) as never,
    );
    return server;
  });
  const sleep = async (ms: number) => void waits.push(ms);
  const mcp = recourse(pair.client as never, {
    retry: { policy: { attempts } },
    testing: { random: () => 0, clock: { sleep } },
  });
  const outcome = await mcp.call("look", {}, callOptions);
  await pair.close();
  return { outcome, waits, calls };
}

describe.each(Object.keys(PLACES))("an error object %s", (place) => {
  const put = (error: ErrorObject) => PLACES[place]?.(error) ?? {};

  test("is a failure that its code identifies, without reading its text", async () => {
    for (const [error, reason] of [
      [errorObject(-32200, "not_found", false), "core/not_found"],
      [errorObject(-32003, "rate_limited", true), "core/rate_limited"],
      [errorObject(-32300, "internal_error", true), "core/internal"],
    ] as const) {
      const { outcome } = await run(put(error), { attempts: 1 });
      const fault = outcome.ok ? undefined : outcome.fault;
      expect([fault?.reason, fault?.quote?.text]).toEqual([reason, "It was so"]);
    }
  });

  test("is repeated after retry_after, or else after 5 seconds, where that is safe", async () => {
    const stated = await run(put(errorObject(-32003, "rate_limited", true, { retry_after: 7 })), { repeatable: true });
    expect(stated).toMatchObject({ outcome: { ok: true }, waits: [7_000], calls: 2 });
    for (const [code, name] of [
      [-32003, "rate_limited"],
      [-32300, "internal_error"],
    ] as const) {
      const unstated = await run(put(errorObject(code, name, true)), { repeatable: true });
      expect(unstated).toMatchObject({ outcome: { ok: true }, waits: [5_000], calls: 2 });
    }
  });

  test("is repeated with growing waits where -32300 names none", async () => {
    const safe = { repeatable: true, attempts: 4, failures: 3 };
    const unstated = await run(put(errorObject(-32300, "internal_error", true)), safe);
    expect(unstated).toMatchObject({ outcome: { ok: true }, waits: [5_000, 10_000, 20_000], calls: 4 });
    const stated = await run(put(errorObject(-32300, "internal_error", true, { retry_after: 7 })), safe);
    expect(stated).toMatchObject({ outcome: { ok: true }, waits: [7_000, 7_000, 7_000], calls: 4 });
  });

  test("is not repeated where retryable is false, whatever its code", async () => {
    for (const code of [-32001, -32002, -32003, -32100, -32101, -32102, -32200, -32201, -32300]) {
      expect(await run(put(errorObject(code, "x", false)), { repeatable: true })).toMatchObject({
        waits: [],
        calls: 1,
      });
    }
  });
});

test.each([
  [-32050, "forbidden"],
  [-32150, "invalid_input"],
  [-32250, "precondition_failed"],
  [-32350, "internal"],
])("a new code %d breaks nothing: it is a failure of its range", async (code, kind) => {
  const { outcome } = await run({ content: [], error: errorObject(code, "something_new", false) });
  expect(outcome).toMatchObject({ ok: false, fault: { kind } });
});
