import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../../faults/test/runs.ts";
import { SseSplitter } from "./sse.ts";

function split(...chunks: (string | Buffer)[]): string[] {
  const messages: string[] = [];
  const splitter = new SseSplitter((data) => messages.push(data.toString()));
  for (const chunk of chunks) splitter.push(Buffer.from(chunk));
  return messages;
}

/** The rules of the standard, on a whole text. */
function reference(text: string): string[] {
  const messages: string[] = [];
  let data: string[] = [];
  let type = "";
  const lines = text.replace(/^\u{feff}/u, "").split(/\r\n|\n|\r/);
  // What follows the last line break is no line yet.
  for (const line of lines.slice(0, -1)) {
    const [, field = "", value = ""] = /^([^:]*)(?:: ?([\s\S]*))?$/.exec(line) ?? [];
    if (line === "") {
      if (data.length > 0 && (type === "" || type === "message")) messages.push(data.join("\n"));
      data = [];
      type = "";
    } else if (field === "data") data.push(value);
    else if (field === "event") type = value;
  }
  return messages;
}

describe("events", () => {
  it.each([
    ["a message", 'data: {"a":1}\n\n', ['{"a":1}']],
    ["its type by name", "event: message\ndata: x\n\n", ["x"]],
    ["another type", "event: ping\ndata: x\n\ndata: y\n\n", ["y"]],
    ["lines of data", "data: a\ndata:b\ndata\ndata:  c\n\n", ["a\nb\n\n c"]],
    ["comments, ids and times", ": hello\nid: 1\nretry: 10\ndata: x\n\n", ["x"]],
    ["an id alone", "id: 1\n\n", []],
    ["CR and CRLF", "data: a\r\rdata: b\r\n\r\ndata: c\n\n", ["a", "b", "c"]],
    ["a mark of the encoding", "\ufeffdata: x\n\n", ["x"]],
    ["an end that is missing", "data: x\n", []],
    ["fields that only begin alike", "dataset: x\ndat: y\ndata: z\n\n", ["z"]],
  ])("%s", (_name, text, messages) => {
    expect(split(text)).toEqual(messages);
    expect(reference(text)).toEqual(messages);
  });

  it("come at once, and no byte of them stays", () => {
    const seen: string[] = [];
    const splitter = new SseSplitter((data) => seen.push(data.toString()));
    splitter.push(Buffer.from("data: one\n\ndata: tw"));
    expect(seen).toEqual(["one"]);
    expect(splitter.heldBytes).toBe("data: tw".length);
    splitter.push(Buffer.from("o\n\n"));
    expect(seen).toEqual(["one", "two"]);
    expect(splitter.heldBytes).toBe(0);
  });
});

it("gives the messages of the standard, wherever the stream is cut", () => {
  const part = fc.constantFrom(
    "data",
    "data: ",
    "data:",
    "event: message",
    "event:x",
    ": c",
    "id: 4",
    "\n",
    "\r",
    "\r\n",
    "\n\n",
    "ä€😀",
    '{"a":"b"}',
    " ",
    ":",
    "\u{feff}",
  );
  const text = fc.array(part, { maxLength: 30 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, fc.array(fc.nat({ max: 200 }), { maxLength: 12 }), (whole, cuts) => {
      const bytes = Buffer.from(whole);
      const at = [0, ...cuts.filter((cut) => cut < bytes.length).sort((one, other) => one - other), bytes.length];
      const chunks = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
      expect(split(...chunks)).toEqual(reference(whole));
    }),
    { numRuns: runs(2_000) },
  );
});
