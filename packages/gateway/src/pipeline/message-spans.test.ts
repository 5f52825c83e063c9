import { runs } from "@recourse/test-kit/runs";
import type { Span } from "@recourse/wire";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Spans } from "../call/message.ts";
import { findSpans } from "./message-spans.ts";

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
