import { expect, it } from "vitest";
import type { LogText } from "./blocks.ts";
import { type LogEntry, readLogEntries, readLogValue } from "./entries.ts";

const ID = "01M7P3SK82NQKPZ0WYT6SH4YJZ";
const FAULT = {
  v: 1,
  kind: "unavailable",
  class: "dependency",
  reason: "core/unavailable",
  message: "It cannot be reached.",
  effect: "none",
  basis: "stated",
  recourse: [{ do: "stop" }],
  origin: { layer: "server" },
  incident: ID,
};
const LOG = [
  "2026-11-18T08:00:01Z [shop] [error] the query failed",
  "    at run (/app/run.js:1:2)",
  "",
  JSON.stringify({ level: 50, time: 1_795_000_000_000, fault: FAULT }),
  JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code: -32602, message: "Tool x not found" } }),
].join("\n");

async function allEntries(log: LogText): Promise<readonly LogEntry[]> {
  const entries: LogEntry[] = [];
  for await (const entry of readLogEntries(log)) entries.push(entry);
  return entries;
}

it("puts lines together that belong together, and reads each when it is asked to", async () => {
  const entries = await allEntries(LOG);
  expect(entries.map(({ line, lastLine, count }) => [line, lastLine, count])).toEqual([
    [1, 2, 2],
    [4, 4, 1],
    [5, 5, 1],
  ]);
  expect(entries.map((entry) => entry.readTime())).toEqual([
    "2026-11-18T08:00:01.000Z",
    new Date(1_795_000_000_000).toISOString(),
    undefined,
  ]);
  const contents = entries.map((entry) => entry.readContent());
  expect(contents.map(({ incidents }) => incidents.map(({ id }) => id))).toEqual([[], [ID], []]);
  expect(contents[2]?.failures).toMatchObject([{ channel: "error -32602", text: "Tool x not found" }]);
});

it("counts the empty lines of a document to its last line", async () => {
  const entries = await allEntries('{\n\n"a": 1\n}\nnext');
  expect(entries.map(({ line, lastLine, count }) => [line, lastLine, count])).toEqual([
    [1, 4, 3],
    [5, 5, 1],
  ]);
});

it("does not parse a line whose end is missing", async () => {
  async function* cutLine() {
    yield { text: JSON.stringify({ fault: FAULT }), cut: true };
  }
  const [entry] = await allEntries(cutLine());
  expect(entry?.readContent()).toEqual({ incidents: [], failures: [] });
});

it("reads a value that was parsed already", () => {
  expect(readLogValue({ fault: FAULT }).incidents).toMatchObject([{ id: ID, reason: "core/unavailable" }]);
  expect(readLogValue({ isError: true, content: [{ type: "text", text: "it is gone" }] }).failures).toMatchObject([
    { channel: "isError", text: "it is gone" },
  ]);
  for (const value of [undefined, null, "text", 1, [], {}])
    expect(readLogValue(value)).toEqual({ incidents: [], failures: [] });
});
