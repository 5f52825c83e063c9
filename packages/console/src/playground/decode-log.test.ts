import { expect, test } from "vitest";
import { findFailures } from "./decode-log.ts";
import { EXAMPLE_TEXTS } from "./examples.ts";

test("lines of a log: failures with the same cause are one, the most frequent first", async () => {
  expect(await findFailures(EXAMPLE_TEXTS["Log line"])).toMatchObject([
    {
      count: 2,
      id: "core/timeout",
      line: 2,
      firstAt: "2026-11-18T08:00:04.730Z",
      lastAt: "2026-11-18T08:01:04.733Z",
      text: expect.stringContaining("Request timed out"),
    },
    { count: 1, id: "D1", line: 1, text: expect.stringContaining("spawn uvx ENOENT") },
  ]);
});

test("messages of one batch, and a success that reads like a failure", async () => {
  const answer = (id: number, rest: object) => ({ jsonrpc: "2.0", id, ...rest });
  const batch = [
    answer(1, { error: { code: -32601, message: "Method not found" } }),
    answer(2, { result: { content: [{ type: "text", text: '{"success":false,"error":"no stock"}' }] } }),
  ];
  const found = await findFailures(JSON.stringify(batch));
  expect(found.map(({ id }) => id)).toEqual(["protocol/method_not_found", undefined]);
  expect(found[1]?.title).toBe("A failure, sent as a success");
});

test.each(["JSON-RPC", "isError", "Stack"] as const)("the example %s is one failure", async (name) => {
  expect((await findFailures(EXAMPLE_TEXTS[name])).map(({ count }) => count)).toEqual([1]);
});
