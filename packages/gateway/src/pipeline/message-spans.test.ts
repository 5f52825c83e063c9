import { runs } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Span } from "../call/json-bytes.ts";
import type { Spans } from "../call/message.ts";
import { findSpans, findSpansInAny, findSpansInOrder } from "./message-spans.ts";

const SPACES = ["", " ", "\n", "\t \r\n"];

/** The parts of a text; a text that the scanner refuses fails the test. */
function partsOf(text: string): { spans: Spans; at: (span: Span | undefined) => unknown } {
  const bytes = Buffer.from(text);
  const found = findSpans(bytes, JSON.parse(text));
  if (typeof found === "string") throw new Error(`refused by its ${found}: ${text}`);
  return {
    spans: found,
    at: (span) => (span === undefined ? undefined : JSON.parse(bytes.toString("utf8", span.start, span.end))),
  };
}

/** Keys that need no escape: others are refused in the envelope. */
const key = fc.string({ unit: "binary" }).filter((text) => JSON.stringify(text) === `"${text}"`);

test("each span is the text of its member, whatever stands around it", () => {
  const meta = fc.dictionary(key, fc.jsonValue());
  const params = fc.record(
    { name: fc.string(), uri: fc.string(), arguments: fc.jsonValue(), _meta: meta, other: fc.jsonValue() },
    { requiredKeys: [] },
  );
  const message = fc.tuple(
    fc.record(
      { id: fc.string(), jsonrpc: fc.constantFrom("2.0"), method: fc.string(), params },
      { requiredKeys: ["method"] },
    ),
    fc.array(fc.constantFrom(...SPACES), { minLength: 4, maxLength: 4 }),
  );
  fc.assert(
    fc.property(message, ([value, [before = "", around = "", inside = "", after = ""]]) => {
      const body = JSON.stringify(value, null, inside.includes("\t") ? "\t" : inside.length);
      const { spans: found, at } = partsOf(`${before}${around}${body}${after}`);
      expect(at(found.id)).toEqual(value.id);
      const again = JSON.parse(body) as typeof value;
      expect(at(found.params)).toEqual(again.params);
      expect(at(found.arguments)).toEqual(again.params?.arguments);
      expect(at(found.meta)).toEqual(again.params?._meta);
      expect(found.metaMembers?.map(({ value: span }) => at(span))).toEqual(Object.values(again.params?._meta ?? {}));
    }),
    { numRuns: runs(500) },
  );
});

test("bytes that are no JSON at all end the scan without an error", () => {
  const noise = fc.array(
    fc.constantFrom("{", "}", "[", "]", '"', "\\", ":", ",", "1", "params", "_meta", " ", "\\u00"),
    {
      maxLength: 40,
    },
  );
  fc.assert(
    fc.property(noise, (pieces) => {
      expect(() => findSpans(Buffer.from(`{${pieces.join("")}`), {})).not.toThrow();
    }),
    { numRuns: runs(2_000) },
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(() => findSpans(Buffer.from(bytes), {})).not.toThrow();
    }),
    { numRuns: runs(500) },
  );
});

test.each([
  ["name", "tools/call", '{"name":"a","uri":"b"}', "a"],
  ["name", "prompts/get", '{"name":"a"}', "a"],
  ["uri", "resources/read", '{"name":"a","uri":"b"}', "b"],
  ["ref.name", "completion/complete", '{"ref":{"type":"ref/prompt","name":"p"},"name":"a"}', "p"],
  ["ref.uri", "completion/complete", '{"ref":{"type":"ref/resource","uri":"u"}}', "u"],
])("the target is params.%s for %s", (_, method, params, target) => {
  const { spans: found, at } = partsOf(`{"method":"${method}","params":${params}}`);
  expect(at(found.target)).toBe(target);
});

test.each([
  ["a repeated id", '{"id":1,"id":2}'],
  ["repeated params", '{"params":{},"params":{"name":"x"}}'],
  ["any repeated key of the envelope", '{"x":1,"x":1}'],
  ["a repeated name", '{"method":"tools/call","params":{"name":"a","name":"b"}}'],
  ["repeated arguments", '{"params":{"arguments":{},"arguments":{}}}'],
  ["a repeated member of _meta", '{"params":{"_meta":{"traceparent":"a","traceparent":"b"}}}'],
  ["a repeated name in a reference", '{"method":"completion/complete","params":{"ref":{"name":"a","name":"b"}}}'],
  ["an escaped key", '{"\\u0069d":1}'],
  ["an escaped key in params", '{"params":{"n\\u0061me":"a"}}'],
  ["an escaped key in _meta", '{"params":{"_meta":{"tr\\u0061ceparent":"a"}}}'],
])("%s is refused", (_, text) => {
  expect(findSpans(Buffer.from(text), JSON.parse(text))).toBe("key");
});

test("repeated and escaped keys within arguments are the business of the upstream", () => {
  const { spans: found } = partsOf('{"params":{"arguments":{"a":1,"a":2,"\\u0061":3}}}');
  expect(found.arguments).toEqual({ start: 23, end: 47 });
});

test.each([
  [64, "fits"],
  [65, "depth"],
])("nesting of %i %s", (depth, outcome) => {
  const inner = "[".repeat(depth - 2) + "]".repeat(depth - 2);
  const text = `{"params":{"arguments":${inner}}}`;
  const found = findSpans(Buffer.from(text), JSON.parse(text));
  expect(typeof found === "string" ? found : "fits").toBe(outcome);
});

test("strings end at the right quotation mark, also behind many backslashes", () => {
  for (let slashes = 0; slashes < 140; slashes++) {
    const value = `${"x".repeat(60)}${"\\".repeat(slashes)}"`;
    const { spans: found, at } = partsOf(JSON.stringify({ params: { arguments: value }, id: 7 }));
    expect(at(found.arguments)).toBe(value);
    expect(at(found.id)).toBe(7);
  }
});

/** Names that matter, that parsers reorder, that need escapes or more than a byte, and that objects inherit. */
const NAMES = [
  ...["jsonrpc", "id", "method", "params", "name", "uri", "taskId", "arguments", "_meta", "inputResponses", "ref"],
  ...[
    "7",
    "0",
    "-1",
    "__proto__",
    "constructor",
    "toString",
    "",
    "a b",
    'q"',
    "\\",
    "\n",
    "\u00e9",
    "\ud800",
    "\u{1f600}",
  ],
];
/** A text that may be no JSON: objects with keys in any order, also repeated and escaped, and white space between all. */
const { object: looseObject } = fc.letrec<{ value: string; object: string }>((tie) => {
  const space = fc.constantFrom("", "", "", ...SPACES);
  const escaped = (name: string) =>
    Array.from(name, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
  const name = fc.tuple(fc.constantFrom(...NAMES), fc.integer({ min: 0, max: 20 }), space, space);
  const written = name.map(([text, form, before, after]) => {
    if (form === 0) return `${before}"${escaped(text)}"${after}`;
    return `${before}${form === 1 ? `"${text}"` : JSON.stringify(text)}${after}`;
  });
  const scalar = fc.constantFrom(
    "1",
    "-0",
    "1e400",
    "12345678901234567890",
    "true",
    "null",
    '"x"',
    '"\\"]}"',
    '"\u00e9"',
  );
  const method = fc.constantFrom('"tools/call"', '"resources/read"', '"completion/complete"', '"tasks/get"');
  const deep = fc.integer({ min: 58, max: 66 }).map((depth) => "[".repeat(depth) + "]".repeat(depth));
  const list = fc.array(tie("value"), { maxLength: 2 }).map((all) => `[${all.join()}]`);
  return {
    value: fc.oneof({ depthSize: "small" }, scalar, method, deep, list, tie("object")),
    object: fc
      .tuple(fc.array(fc.tuple(written, space, tie("value")), { maxLength: 5 }), space)
      .map(
        ([members, after]) => `{${members.map(([key, before, value]) => `${key}:${before}${value}`).join()}${after}}`,
      ),
  };
});

/** Both ways of the scan agree about a text, or that in order declines it: false then. */
function agree(bytes: Buffer): boolean {
  let parsed: unknown;
  try {
    parsed = JSON.parse(bytes.toString());
  } catch {
    return false;
  }
  const found = findSpansInOrder(bytes, parsed);
  if (found !== undefined) expect(found).toEqual(findSpansInAny(bytes, parsed));
  return found !== undefined;
}

test("the scan in order gives the same as the one for any message, or nothing", () => {
  const part = fc.oneof({ weight: 5, arbitrary: looseObject }, { weight: 1, arbitrary: fc.json() });
  const member = fc.oneof(
    fc.constantFrom('"id":7', '"jsonrpc":"2.0"', '"method":"tools/call"', '"method":"resources/read"', '"id":"\u00e9"'),
    part.map((value) => `"params":${value}`),
    fc.tuple(part, part).map(([args, meta]) => `"params":{"name":"n","arguments":${args},"_meta":${meta}}`),
    fc.tuple(part, part).map(([ref, meta]) => `"params" : {"_meta":${meta},"uri":"u","ref":${ref}}`),
  );
  const once = fc.uniqueArray(member, { maxLength: 5, selector: (text) => text.slice(0, 5) });
  const repeated = fc.array(member, { maxLength: 5 });
  const message = fc.tuple(fc.oneof({ weight: 4, arbitrary: once }, repeated), fc.constantFrom(...SPACES));
  fc.assert(
    fc.property(message, ([members, space]) => {
      agree(Buffer.from(`${space}{${members.join(`${space},`)}${space}}${space}`));
    }),
    { numRuns: runs(10_000) },
  );
});

test("the same for a message of which any bytes are changed, left out or repeated", () => {
  const meta = '"_meta":{"progressToken":1,"io.modelcontextprotocol/protocolVersion":"2026-07-28","a":{}}';
  const text = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"n","arguments":{"a":[1,{"b":"c"}]},${meta}}}`;
  expect(agree(Buffer.from(text))).toBe(true);
  const sent = Buffer.from(text);
  const at = fc.nat(sent.length);
  const piece = fc.oneof(
    fc.constantFrom('"', "\\", "{", "}", "[", "]", ",", ":", " ", "1", "a", "\u00e9", '"id":1,', '"a":1,', '"1":1,'),
    fc.tuple(at, at).map(([one, other]) => text.slice(Math.min(one, other), Math.max(one, other))),
  );
  const change = fc.tuple(at, fc.integer({ min: 0, max: 12 }), piece);
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
      let bytes = sent;
      for (const [from, length, put] of changes)
        bytes = Buffer.concat([bytes.subarray(0, from), Buffer.from(put), bytes.subarray(from + length)]);
      agree(bytes);
    }),
    { numRuns: runs(5_000) },
  );
});

test.each([
  ["keys in another order than that of the parser", '{"params":{"b":1,"1":2}}'],
  ["a repeated key", '{"id":1,"params":{},"id":2}'],
  ["an escaped key", '{"\\u0069d":1,"params":{}}'],
  ["a key beyond ASCII", '{"params":{"\u00e9":1}}'],
  ["no params", '{"id":1}'],
  ["params that are a list", '{"params":[]}'],
  ["_meta that is no object", '{"params":{"_meta":1}}'],
  ["a completion", '{"method":"completion/complete","params":{}}'],
  ["answers to questions", '{"params":{"inputResponses":{}}}'],
  ["deep nesting", `{"params":{"a":${"[".repeat(63)}${"]".repeat(63)}}}`],
])("%s is left to the scan for any message", (_, text) => {
  expect(findSpansInOrder(Buffer.from(text), JSON.parse(text))).toBeUndefined();
});
