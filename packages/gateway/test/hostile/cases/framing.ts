// Where a body begins and ends: lengths, chunks, and requests hidden in other requests.
import type { Hostile, OutcomeName } from "../outcomes.ts";
import { chunk, chunked, LAST_CHUNK, message, type RequestParts, request } from "../request.ts";

const GOOD = message();
const HIDDEN = "GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
const half = Math.floor(GOOD.length / 2);

const LENGTHS: readonly (readonly [value: string, expect: OutcomeName])[] = [
  ["-1", "not http"],
  ["+5", "not http"],
  ["0x10", "not http"],
  ["1e3", "not http"],
  ["5 5", "not http"],
  ["5,5", "not http"],
  ["", "not http"],
  ["five", "not http"],
  ["99999999999999999999999", "not http"],
  ["18446744073709551616", "not http"],
  ["4194305", "too large"],
  ["999999999999", "too large"],
];

const ENCODINGS: readonly (readonly [value: string, expect: OutcomeName])[] = [
  ["identity", "not http"],
  ["xchunked", "not http"],
  ["chunked, identity", "not http"],
  ["identity, gzip", "not http"],
  ["chunked, chunked", "not http"],
  ["\u000bchunked", "not http"],
];

const FRAMES: readonly (readonly [name: string, parts: RequestParts, expect: OutcomeName])[] = [
  [
    "a length and chunks",
    { headers: { "Transfer-Encoding": "chunked", "Content-Length": "4" }, body: `${chunk(GOOD)}${LAST_CHUNK}` },
    "not http",
  ],
  [
    "chunks and a second encoding",
    { ...chunked(chunk(GOOD), LAST_CHUNK), lines: ["Transfer-Encoding: identity"] },
    "not http",
  ],
  ["two lengths that differ", { lines: ["Content-Length: 3"] }, "not http"],
  ["two lengths that agree", { lines: [`Content-Length: ${GOOD.length}`] }, "not http"],
  ["a length with a hidden space", { headers: { "Content-Length ": "3" } }, "not http"],
  [
    "chunks in lower and upper case",
    { ...chunked(chunk(GOOD), LAST_CHUNK), headers: { "Transfer-Encoding": "CHUNKED" } },
    "served",
  ],
  ["a chunk of size zz", chunked("zz\r\nabc\r\n", LAST_CHUNK), "broken body"],
  ["a chunk of size -1", chunked("-1\r\nabc\r\n", LAST_CHUNK), "broken body"],
  ["a chunk of size 0x5", chunked("0x5\r\nabcde\r\n", LAST_CHUNK), "broken body"],
  ["a chunk size above 64 bits", chunked("ffffffffffffffffff\r\nabc\r\n", LAST_CHUNK), "broken body"],
  ["a chunk longer than its size", chunked("2\r\nabcdef\r\n", LAST_CHUNK), "broken body"],
  ["a chunk without its end", chunked("3\r\nabc3\r\nabc\r\n", LAST_CHUNK), "broken body"],
  ["a chunk size that ends with a line feed only", chunked("3\nabc\r\n", LAST_CHUNK), "broken body"],
  ["a chunk size with a space", chunked("3 \r\nabc\r\n", LAST_CHUNK), "broken body"],
  ["a chunk extension of 20 KB", chunked(`3;${"x".repeat(20_000)}\r\nabc\r\n`, LAST_CHUNK), "broken body"],
  ["no chunk but the last", chunked(LAST_CHUNK), "not json"],
  ["one chunk for each byte", chunked(...[...GOOD].map((byte) => chunk(byte)), LAST_CHUNK), "served"],
  ["a chunk extension", chunked(`${GOOD.length.toString(16)};a="b"\r\n${GOOD}\r\n`, LAST_CHUNK), "served"],
  [
    "trailers that look like headers",
    chunked(chunk(GOOD), "0\r\nAuthorization: Bearer x\r\nContent-Length: 3\r\n\r\n"),
    "broken body",
  ],
  ["5 MB in chunks", chunked(chunk("x".repeat(5_000_000)), LAST_CHUNK), "too large"],
  ["HTTP/1.0 with a length", { line: "POST /mcp HTTP/1.0" }, "served"],
  ["HTTP/1.0 with chunks", { ...chunked(chunk(GOOD), LAST_CHUNK), line: "POST /mcp HTTP/1.0" }, "served"],
  ["no length and no chunks", { length: false, body: "" }, "not json"],
  ["GET with a body", { line: "GET /mcp HTTP/1.1" }, "wrong method"],
];

export const FRAMING: readonly Hostile[] = [
  ...LENGTHS.map(([value, expect]) => ({
    name: `a length of ${value === "" ? "nothing" : value}`,
    send: [request({ headers: { "Content-Length": value } })],
    expect,
    ...(expect === "not http" && { ending: "end" as const }),
  })),
  ...ENCODINGS.map(([value, expect]) => ({
    name: `transfer encoding ${value}`,
    send: [request({ headers: { "Transfer-Encoding": value }, length: false, body: `${chunk(GOOD)}${LAST_CHUNK}` })],
    expect,
    ending: "end" as const,
  })),
  ...FRAMES.map(([name, parts, expect]) => ({
    name,
    send: [request(parts)],
    expect,
    ...((expect === "not http" || expect === "broken body") && { ending: "end" as const }),
  })),
  { name: "a request inside of a body", send: [request({ body: HIDDEN })], expect: "not json" },
  { name: "a request inside of a chunk", send: [request(chunked(chunk(HIDDEN), LAST_CHUNK))], expect: "not json" },
  {
    name: "a request that chunks would end and the length does not",
    send: [request({ headers: { "Transfer-Encoding": "chunked" }, body: `${LAST_CHUNK}${HIDDEN}` })],
    expect: "not http",
    ending: "end",
  },
  { name: "two requests at once", send: [Buffer.concat([request(), request()])], expect: "served", answers: 2 },
  {
    name: "twenty requests at once",
    send: [Buffer.concat(Array.from({ length: 20 }, () => request()))],
    expect: "served",
    answers: 20,
  },
  { name: "a request in two parts", send: [request().subarray(0, 100), request().subarray(100)], expect: "served" },
  { name: "a request byte by byte", send: [...request()].map((byte) => Buffer.of(byte)), expect: "served" },
  { name: "empty lines before a request", send: ["\r\n\r\n", request()], expect: "served" },
  {
    name: "less body than announced, then the end",
    send: [request({ headers: { "Content-Length": "5000" } })],
    expect: "broken body",
    ending: "end",
  },
  {
    name: "less body than announced, then a reset",
    send: [request({ headers: { "Content-Length": "5000" } })],
    expect: "closed",
    ending: "reset",
  },
  {
    name: "chunks without the last, then the end",
    send: [request(chunked(chunk(GOOD)))],
    expect: "broken body",
    ending: "end",
  },
  {
    name: "half a chunk, then a reset",
    send: [request(chunked(chunk(GOOD).slice(0, half)))],
    expect: "closed",
    ending: "reset",
  },
  { name: "a request line, then the end", send: ["POST /mcp HTTP/1.1\r\n"], expect: "not http", ending: "end" },
  { name: "half a head, then a reset", send: [request().subarray(0, 60)], expect: "closed", ending: "reset" },
  { name: "nothing, then the end", send: [], expect: "closed", ending: "end" },
  { name: "nothing, then a reset", send: [], expect: "closed", ending: "reset" },
  { name: "a whole request, then a reset", send: [request()], expect: "closed", ending: "reset" },
  { name: "a whole request, then the end", send: [request()], expect: "served or closed", ending: "end" },
];
