import { runs } from "@recourse/test-kit/runs";
import { expectCost } from "@recourse/test-kit/yardstick";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { SseReader, type SseReaderOptions } from "./sse.ts";

interface ReadEvent {
  readonly data: string;
  readonly type: string;
  readonly id: string | undefined;
}

/** The events in some chunks, and how often one was too long. */
function readEvents(chunks: readonly (string | Uint8Array)[], options: Pick<SseReaderOptions, "maxBytes"> = {}) {
  const events: ReadEvent[] = [];
  let tooLong = 0;
  const reader = new SseReader({
    ...options,
    onEvent: ({ data, type, id }) => events.push({ data: Buffer.from(data).toString(), type, id }),
    onTooLong: () => {
      tooLong += 1;
    },
  });
  for (const chunk of chunks) reader.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
  return { events, tooLong };
}

const dataIn = (...chunks: readonly string[]) => readEvents(chunks).events.map(({ data }) => data);

/** The rules of the standard, on a whole text. */
function reference(text: string): ReadEvent[] {
  const events: ReadEvent[] = [];
  let data: string[] = [];
  let type = "";
  let id: string | undefined;
  const lines = text.replace(/^\u{feff}/u, "").split(/\r\n|\n|\r/);
  // What follows the last line break is no line yet.
  for (const line of lines.slice(0, -1)) {
    const [, field = "", value = ""] = /^([^:]*)(?:: ?([\s\S]*))?$/.exec(line) ?? [];
    if (line === "") {
      if (data.length > 0) events.push({ data: data.join("\n"), type: type === "" ? "message" : type, id });
      data = [];
      type = "";
      id = undefined;
    } else if (field === "data") data.push(value);
    else if (field === "event") type = value;
    else if (field === "id") id = value;
  }
  return events;
}

describe("events", () => {
  it.each([
    ["a message", 'data: {"a":1}\n\n', ['{"a":1}']],
    ["its type by name", "event: message\ndata: x\n\n", ["x"]],
    ["lines of data", "data: a\ndata:b\ndata\ndata:  c\n\n", ["a\nb\n\n c"]],
    ["comments, ids and times", ": hello\nid: 1\nretry: 10\ndata: x\n\n", ["x"]],
    ["an id alone", "id: 1\n\n", []],
    ["CR and CRLF", "data: a\r\rdata: b\r\n\r\ndata: c\n\n", ["a", "b", "c"]],
    ["a mark of the encoding", "\ufeffdata: x\n\n", ["x"]],
    ["an end that is missing", "data: x\n", []],
    ["fields that only begin alike", "dataset: x\ndat: y\ndata: z\n\n", ["z"]],
  ])("%s", (_name, text, data) => {
    expect(dataIn(text)).toEqual(data);
    expect(reference(text).map((event) => event.data)).toEqual(data);
  });

  it("have a type, and the id that they name themselves", () => {
    expect(readEvents(["event: ping\nid: 1\ndata: x\n\ndata: y\n\nevent:\nid: 2\0\nid\ndata: z\n\n"]).events).toEqual([
      { data: "x", type: "ping", id: "1" },
      { data: "y", type: "message", id: undefined },
      { data: "z", type: "message", id: "" },
    ]);
    expect(readEvents(["id: 1\0\ndata: x\n\n"]).events).toEqual([{ data: "x", type: "message", id: undefined }]);
  });

  it("come at once, and no byte of them stays", () => {
    const seen: string[] = [];
    const reader = new SseReader({ onEvent: ({ data }) => seen.push(Buffer.from(data).toString()) });
    reader.push(Buffer.from("data: one\n\ndata: tw"));
    expect(seen).toEqual(["one"]);
    expect(reader.heldBytes).toBe("data: tw".length);
    reader.push(Buffer.from("o\n\n"));
    expect(seen).toEqual(["one", "two"]);
    expect(reader.heldBytes).toBe(0);
    expect(reader.lines).toBe(4);
  });

  it("are not copied if they came in one piece", () => {
    const chunk = Buffer.from("event: message\ndata: one\n\n");
    new SseReader({ onEvent: ({ data }) => expect(data.buffer).toBe(chunk.buffer) }).push(chunk);
    expect.assertions(1);
  });
});

describe("an event that is too long", () => {
  test("is dropped as it arrives, and the next one is read", () => {
    const pieces = ["data: ", ...Array<string>(1_000).fill("x".repeat(10))];
    pieces.push("\n", "data: still dropped\n", "\r\n", "data: next\n\n");
    pieces.push(...Array<string>(1_000).fill("data: many lines\n"), "\ndata: last\r", "\n\n");
    const { events, tooLong } = readEvents(pieces, { maxBytes: 100 });
    expect(events.map(({ data }) => data)).toEqual(["next", "last"]);
    expect(tooLong).toBe(2);
  });

  test("is reported before it ends, and holds nothing", () => {
    let tooLong = 0;
    const onTooLong = () => {
      tooLong += 1;
    };
    const reader = new SseReader({ maxBytes: 8, onEvent: () => {}, onTooLong });
    reader.push(Buffer.from("data: 12"));
    expect(tooLong).toBe(0);
    reader.push(Buffer.from("3"));
    expect(tooLong).toBe(1);
    reader.push(Buffer.from("45678901234567890"));
    expect(reader.heldBytes).toBe(0);
  });
});

test("a long line costs time by its length, however many pieces it comes in", async () => {
  const piece = Buffer.from("x".repeat(100));
  const readLine = (pieces: number) => {
    let length = 0;
    const reader = new SseReader({
      onEvent: ({ data }) => {
        length = data.length;
      },
    });
    reader.push(Buffer.from("data:"));
    for (let turn = 0; turn < pieces; turn++) reader.push(piece);
    reader.push(Buffer.from("\n\n"));
    expect(length).toBe(pieces * piece.length);
  };
  // Ten times the pieces; were all of the line copied for each, they would cost a hundred times as much.
  await expectCost({ work: () => readLine(40_000), yardstick: () => readLine(4_000), atMost: 40 });
});

const PARTS = [
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
];
const streamText = fc.array(fc.constantFrom(...PARTS), { maxLength: 30 }).map((parts) => parts.join(""));
const cutPlaces = fc.array(fc.nat({ max: 200 }), { maxLength: 12 });

function cutBytes(whole: string, cuts: readonly number[]): Uint8Array[] {
  const bytes = Buffer.from(whole);
  const at = [0, ...cuts.filter((cut) => cut < bytes.length).sort((one, other) => one - other), bytes.length];
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end));
}

it("gives the events of the standard, wherever the stream is cut", () => {
  fc.assert(
    fc.property(streamText, cutPlaces, (whole, cuts) => {
      expect(readEvents(cutBytes(whole, cuts)).events).toEqual(reference(whole));
    }),
    { numRuns: runs(2_000) },
  );
});

it("drops the same events, wherever the stream is cut", () => {
  fc.assert(
    fc.property(streamText, cutPlaces, fc.nat(40), (whole, cuts, maxBytes) => {
      expect(readEvents(cutBytes(whole, cuts), { maxBytes })).toEqual(readEvents([whole], { maxBytes }));
    }),
    { numRuns: runs(2_000) },
  );
});
