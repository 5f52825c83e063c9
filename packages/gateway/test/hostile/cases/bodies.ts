// Bodies that are not JSON, not UTF-8, or not what a parser likes.
import type { Hostile, OutcomeName } from "../outcomes.ts";
import { message, request } from "../request.ts";

const GOOD = message();
const utf16 = (text: string) => Buffer.from(text, "utf16le");
/** A good call with bytes in a text of its arguments. */
const withBytes = (hex: string) => {
  const [before = "", after = ""] = message({ args: '{"text":"@"}' }).split("@");
  return Buffer.concat([Buffer.from(before), Buffer.from(hex, "hex"), Buffer.from(after)]);
};
const nested = (depth: number, open = "[", close = "]") => `${open.repeat(depth)}1${close.repeat(depth)}`;

const BODIES: readonly (readonly [name: string, body: string | Buffer, expect: OutcomeName])[] = [
  ["nothing", "", "not json"],
  ["white space", " \r\n\t ", "not json"],
  ["one brace", "{", "not json"],
  ["the wrong brace", "}", "not json"],
  ["a word", "hello", "not json"],
  ["single quotes", "{'jsonrpc':'2.0'}", "not json"],
  ["a comma too much", '{"jsonrpc":"2.0",}', "not json"],
  ["a comment", `/* x */${GOOD}`, "not json"],
  ["NaN", message({ args: '{"x":NaN}' }), "not json"],
  ["Infinity", message({ args: '{"x":Infinity}' }), "not json"],
  ["a number in hex", message({ args: '{"x":0x10}' }), "not json"],
  ["a number with a leading zero", message({ args: '{"x":01}' }), "not json"],
  ["a number with a plus sign", message({ args: '{"x":+1}' }), "not json"],
  ["an escape that JSON does not have", message({ args: '{"x":"\\x41"}' }), "not json"],
  ["half an escape", message({ args: '{"x":"\\u00"}' }), "not json"],
  ["a control character in a text", message({ args: '{"x":"a\u0001b"}' }), "not json"],
  ["a line feed in a text", message({ args: '{"x":"a\nb"}' }), "not json"],
  ["a zero byte after the message", `${GOOD}\0`, "not json"],
  ["a zero byte before the message", `\0${GOOD}`, "not json"],
  ["two messages", `${GOOD}${GOOD}`, "not json"],
  ["two messages in lines", `${GOOD}\n${GOOD}`, "not json"],
  ["a word after the message", `${GOOD} x`, "not json"],
  ["XML", '<?xml version="1.0"?><methodCall/>', "not json"],
  ["XML with an entity", '<!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]><x>&y;</x>', "not json"],
  ["a form", "jsonrpc=2.0&id=1&method=tools%2Fcall", "not json"],
  ["an event", `event: message\ndata: ${GOOD}\n\n`, "not json"],
  ["a header of LSP", `Content-Length: ${GOOD.length}\r\n\r\n${GOOD}`, "not json"],
  ["a text that never ends", `{"jsonrpc":"${"a".repeat(10_000)}`, "not json"],
  ["only opening brackets", "[".repeat(100_000), "invalid request"],
  ["only opening braces", '{"a":'.repeat(100_000), "invalid request"],
  ["a byte order mark", `\ufeff${GOOD}`, "not json"],
  ["UTF-16", utf16(GOOD), "not json"],
  ["UTF-16 with a byte order mark", Buffer.concat([Buffer.from("fffe", "hex"), utf16(GOOD)]), "not utf-8"],
  ["a lone continuation byte", withBytes("80"), "not utf-8"],
  ["half a character", withBytes("c3"), "not utf-8"],
  ["an overlong slash", withBytes("c0af"), "not utf-8"],
  ["an overlong zero", withBytes("c080"), "not utf-8"],
  ["a surrogate as bytes", withBytes("eda080"), "not utf-8"],
  ["a character above the last", withBytes("f4908080"), "not utf-8"],
  ["five bytes for one character", withBytes("f888808080"), "not utf-8"],
  ["byte ff", withBytes("ff"), "not utf-8"],
  ["Latin-1", withBytes("e4f6fc"), "not utf-8"],
  ["only bytes ff", Buffer.alloc(1_000, 0xff), "not utf-8"],
  ["gzip", Buffer.from("1f8b0800000000000003", "hex"), "not utf-8"],
  ["null", "null", "invalid request"],
  ["true", "true", "invalid request"],
  ["a number", "17", "invalid request"],
  ["a text", '"tools/call"', "invalid request"],
  ["an empty list", "[]", "invalid request"],
  ["a batch of one", `[${GOOD}]`, "invalid request"],
  ["a batch of two", `[${GOOD},${GOOD}]`, "invalid request"],
  ["a batch of 1,000", `[${Array.from({ length: 1_000 }, () => GOOD).join(",")}]`, "invalid request"],
  ["an empty object", "{}", "invalid request"],
  ["a list 65 deep", message({ args: nested(65, '{"a":', "}") }), "invalid request"],
  ["lists 100 deep", message({ args: `{"a":${nested(100)}}` }), "invalid request"],
  ["lists 5,000 deep", message({ args: `{"a":${nested(5_000)}}` }), "invalid request"],
  ["objects 5,000 deep in _meta", message({ meta: `{"a":${nested(5_000, '{"a":', "}")}}` }), "invalid request"],
  ["lists 5,000 deep beside the message", message({ more: `,"x":${nested(5_000)}` }), "invalid request"],
  ["lists 50 deep", message({ args: `{"a":${nested(50)}}` }), "served"],
  ["a number above the largest", message({ args: '{"x":1e400}' }), "served"],
  ["a number of 100,000 digits", message({ args: `{"x":${"9".repeat(100_000)}}` }), "served"],
  ["half a surrogate pair as an escape", message({ args: '{"x":"\\ud800"}' }), "served"],
  ["a zero character as an escape", message({ args: '{"x":"\\u0000"}' }), "served"],
  [
    "20,000 members",
    message({ args: `{${Array.from({ length: 20_000 }, (_, at) => `"k${at}":${at}`).join(",")}}` }),
    "served",
  ],
  ["a text of 2 MB", message({ args: `{"x":"${"x".repeat(2_000_000)}"}` }), "served"],
  ["white space of 1 MB around the message", `${" ".repeat(500_000)}${GOOD}${"\n".repeat(500_000)}`, "served"],
  [
    "arguments that are named like members of every object",
    message({ args: '{"__proto__":{"x":1},"constructor":{"prototype":{}},"toString":1}' }),
    "served",
  ],
  ["a repeated member in the arguments", message({ args: '{"x":1,"x":2}' }), "served"],
];

export const BODIES_CASES: readonly Hostile[] = BODIES.map(([name, body, expect]) => ({
  name: `body: ${name}`,
  send: [request({ body })],
  expect,
}));
