// Servers can answer anything, and a saved recording can hold anything: a check must judge it, and never throw.

import { type JsonObject, NEWEST_REVISIONS } from "@recourse/core/wire";
import { runs } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { PROBE_CHECKS } from "../src/checks/catalogue.ts";
import { type RecordedAnswer, type RecordedExchange, STIMULI, type StimulusName } from "../src/recording/recording.ts";
import { exchangeOf, OVER_HTTP, viewOf } from "./support/make-recording.ts";

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.constantFrom("", "MCP error -32602: ", "at f (/a/b.js:1:2)", "{", "\u001b[31m\u202e", "x".repeat(5000), "\ud800"),
);
const value = fc.jsonValue({ maxDepth: 3 });
const object = fc.dictionary(fc.oneof(fc.constantFrom("name", "code", "message", "data", "type", "text"), text), value);
const odd = <T>(one: fc.Arbitrary<T>) => fc.oneof({ weight: 3, arbitrary: one }, { weight: 1, arbitrary: value });

const part = odd(fc.record({ type: fc.constantFrom("text", "image"), text: odd(text) }));
const result = fc.record(
  {
    isError: odd(fc.boolean()),
    content: odd(fc.array(part, { maxLength: 3 })),
    structuredContent: value,
    _meta: value,
  },
  { requiredKeys: [] },
);
const error = fc.record(
  { code: odd(fc.integer({ min: -32_800, max: 300 })), message: odd(text), data: value },
  { requiredKeys: [] },
);
const message = fc.record({ id: value, result: odd(result), error: odd(error) }, { requiredKeys: [] });
const http = fc.record({
  status: fc.constantFrom(200, 202, 400, 401, 403, 404, 405, 415, 429, 500, 503),
  headers: fc.dictionary(fc.constantFrom("content-type", "retry-after", "www-authenticate", "connection"), text),
  streamed: fc.boolean(),
});
const arrived = { ms: fc.nat(9000), text, bytes: fc.nat(10_000) };

const answer = fc.oneof(
  fc.record(
    { kind: fc.constant("message"), message, ...arrived, http },
    { requiredKeys: ["kind", "message", "ms", "text", "bytes"] },
  ),
  fc.record({ kind: fc.constant("body"), ...arrived, http }, { requiredKeys: ["kind", "ms", "text", "bytes"] }),
  fc.record({ kind: fc.constant("silent"), ms: fc.nat(9000), strays: fc.array(object, { maxLength: 2 }) }),
  fc.record({ kind: fc.constant("closed"), ms: fc.nat(9000), exitCode: fc.option(fc.nat(255)), stderr: text }),
  fc.record({ kind: fc.constant("inconclusive"), ms: fc.nat(9000), because: text }),
) as fc.Arbitrary<RecordedAnswer>;

const wrong = fc.array(
  fc.record({ field: text, rule: fc.constantFrom("type", "missing", "enum", "range", "extra-key"), schema: object }),
  { maxLength: 3 },
);
const VARIANTS = [
  "first",
  "second",
  "type",
  "type-again",
  "missing",
  "enum",
  "bait",
  "extra-key",
  "cut",
  "put",
  "none",
  "itself",
  "next",
];
const exchange: fc.Arbitrary<RecordedExchange> = fc
  .record({
    stimulus: fc.constantFrom(...(Object.keys(STIMULI) as StimulusName[])),
    variant: fc.constantFrom(...VARIANTS),
    tool: fc.constantFrom("a", "b", "", "__proto__"),
    params: object,
    answer,
    wrong,
  })
  .map(({ stimulus, answer: given, ...rest }) => exchangeOf(stimulus, given, { ...rest, wrong: rest.wrong as never }));

const tool = fc.record({
  name: odd(fc.constantFrom("a", "b")),
  inputSchema: value,
  outputSchema: object,
  description: odd(text),
});
const view = fc
  .record({
    exchanges: fc.array(exchange, { maxLength: 12 }),
    revision: fc.constantFrom(...NEWEST_REVISIONS),
    tools: fc.array(tool, { maxLength: 3 }) as fc.Arbitrary<JsonObject[]>,
    capabilities: object,
    strayLines: fc.array(text, { maxLength: 2 }),
    target: fc.constantFrom(OVER_HTTP, { command: ["node", "", "/srv/"] }, { url: "not a url" }),
  })
  .map(({ exchanges, ...rest }) => viewOf(exchanges, rest));

it("judges any recording, with a bounded sentence and real evidence", () => {
  fc.assert(
    fc.property(view, (one) => {
      const ids = new Set(one.era.exchanges.map(({ id }) => id));
      for (const check of PROBE_CHECKS) {
        const verdict = check.run(one);
        if (verdict.state !== "fail") continue;
        expect(verdict.message.length, check.id).toBeLessThan(500);
        expect(verdict.message, check.id).not.toMatch(/[\p{Cc}\u202e]/u);
        expect(
          verdict.evidence.filter((id) => !ids.has(id)),
          check.id,
        ).toStrictEqual([]);
      }
    }),
    { numRuns: runs(300) },
  );
});
