import { runs } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { scanSse } from "./sse.ts";

const RESULT = '{"jsonrpc":"2.0","id":7,"result":{}}';

function scanned(text: string, cut = text.length) {
  const scan = scanSse();
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += Math.max(1, cut)) scan.feed(bytes.subarray(at, at + Math.max(1, cut)));
  return { hasId: scan.hasId(), isAnswered: scan.isAnswered() };
}

describe("an answer", () => {
  test.each([
    ["a result", `data: ${RESULT}\n\n`],
    ["an error", 'data: {"jsonrpc":"2.0","id":"a","error":{"code":-32603,"message":"no","data":1}}\n\n'],
    ["a result on two lines", 'data: {"jsonrpc":"2.0","id":7,\ndata: "result":{}}\n\n'],
    ["a message by name", `event: message\ndata: ${RESULT}\n\n`],
    ["one that others follow", `data: ${RESULT}\n\ndata: {"method":"notifications/x","params":{"error":1}}\n\n`],
    ["returns for line breaks", `data: ${RESULT}\r\r: c`],
    ["an event too long to hold", `data: ${"x".repeat(70_000)}`],
  ])("%s", (_name, text) => {
    expect(scanned(text).isAnswered).toBe(true);
  });
});

describe("no answer", () => {
  test.each([
    ["nothing", ""],
    ["a comment", ": ping\n\n"],
    ["a notification", 'data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"result":1}}\n\n'],
    ["a request of the server", 'data: {"jsonrpc":"2.0","id":1,"method":"ping","params":{"error":1}}\n\n'],
    ["an event that was not finished", `data: ${RESULT}\n`],
    ["another kind of event", `event: endpoint\ndata: ${RESULT}\n\n`],
    ["broken JSON", `data: ${RESULT.slice(0, -1)}\n\n`],
    ["an error without an id", 'data: {"jsonrpc":"2.0","error":{"code":-32700,"message":"no"}}\n\n'],
    ["an envelope that the clients reject", 'data: {"jsonrpc":"2.0","id":7,"result":{},"_meta":{}}\n\n'],
  ])("%s", (_name, text) => {
    expect(scanned(text).isAnswered).toBe(false);
  });
});

describe("an id to resume from", () => {
  test.each([
    ["of an event that others follow", "id: 1\ndata:\n\ndata: y\n\n", true],
    ["none, when an event has no data", "id: 1\n\n", false],
    ["none, when the id is empty", "id:\ndata: x\n\n", false],
    ["none, when the event was not finished", "id: 1\ndata: x\n", false],
    ["none, when the id holds a zero", "id: 1\0\ndata: x\n\n", false],
  ])("%s", (_name, text, hasId) => {
    expect(scanned(text).hasId).toBe(hasId);
  });
});

test("what follows the answer is not read, in one piece or in many", () => {
  const text = `data: ${RESULT}\n\ndata: ${RESULT}\n\nid: a\ndata: late\n\n:\n`;
  expect(scanned(text)).toEqual({ hasId: false, isAnswered: true });
  expect(scanned(text, 1)).toEqual({ hasId: false, isAnswered: true });
});

test("bytes that are given away later are still known", () => {
  const scan = scanSse();
  const [begin, end] = [new TextEncoder().encode(`data: ${RESULT.slice(0, 20)}`), `${RESULT.slice(20)}\n\n`];
  scan.feed(begin);
  begin.fill(0);
  scan.feed(new TextEncoder().encode(end));
  expect(scan.isAnswered()).toBe(true);
});

test("where the bytes are cut changes nothing", () => {
  const line = fc.constantFrom("data: é🙂", `data: ${RESULT}`, "id: a", "id: b", "event: x", "data", "", "", ": c");
  const end = fc.constantFrom("\n", "\r\n", "\r");
  fc.assert(
    fc.property(fc.array(fc.tuple(line, end)), fc.integer({ min: 1, max: 9 }), (lines, cut) => {
      const text = lines.map(([text, end]) => text + end).join("");
      const whole = scanned(`${text}:\n`);
      expect(scanned(`${text}:\n`, cut)).toEqual(whole);
    }),
    { numRuns: runs() },
  );
});
