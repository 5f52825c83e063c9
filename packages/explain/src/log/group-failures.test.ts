import { expect, it } from "vitest";
import { type CountedFault, groupFailures } from "./group-failures.ts";

const REQUEST = JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "find" } });
const ANSWER = JSON.stringify({ jsonrpc: "2.0", id: 7, error: { code: -32602, message: "Tool find not found" } });
const LOG = [
  "2026-11-18T08:00:01Z [error] MCP error -32001: Request timed out",
  "2026-11-18T08:00:02Z [info] listening",
  "2026-11-18T08:00:03Z [error] MCP error -32001: Request timed out",
  "    at Timeout.run (/app/run.js:1:2)",
  REQUEST,
  ANSWER,
].join("\r\n");

it("groups failures with the same cause, the most frequent first", async () => {
  const tally = await groupFailures(LOG);
  expect(tally).toMatchObject({ lines: 6, understood: 5, failures: 3, messages: 2, ungrouped: 0 });
  expect(tally.groups).toMatchObject([
    { count: 2, line: 1, lastLine: 1, firstAt: "2026-11-18T08:00:01.000Z", lastAt: "2026-11-18T08:00:03.000Z" },
    { count: 1, line: 6, lastLine: 6, tools: { find: 1 }, channels: ["error -32602"] },
  ]);
});

it("tells of each fault with its message and request, and how much was read", async () => {
  const faults: CountedFault[] = [];
  const lines: number[] = [];
  await groupFailures(LOG, {
    onFault: (fault) => faults.push(fault),
    onProgress: (progress) => lines.push(progress.lines),
  });
  expect(faults.map(({ method, tool, body }) => [method, tool, body?.["id"]])).toEqual([
    [undefined, undefined, undefined],
    [undefined, undefined, undefined],
    ["tools/call", "find", 7],
  ]);
  expect(lines).toEqual([1, 2, 4, 5, 6]);
});

it("finds nothing in an empty text", async () => {
  expect(await groupFailures("")).toMatchObject({ lines: 0, failures: 0, groups: [] });
});
