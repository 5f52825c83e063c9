import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../../../test/runs.ts";
import { callRefIn } from "./call-ref.ts";

const request = (params: object) => JSON.stringify({ method: "tools/call", params, jsonrpc: "2.0", id: 7 });

test("the mark of a request is read, whatever its arguments and its key hold", () => {
  const refs = fc.record({ id: fc.string(), attempt: fc.integer({ min: 1 }) });
  const marks = fc.record({ key: fc.string(), deadlineMs: fc.nat() }, { requiredKeys: [] });
  const args = fc.dictionary(
    fc.string(),
    fc.oneof(fc.jsonValue(), fc.constant({ _meta: { "recourse/call": { id: "x" } } })),
  );
  fc.assert(
    fc.property(refs, marks, args, (ref, rest, given) => {
      const body = request({ arguments: given, _meta: { other: 1, "recourse/call": { ...rest, ...ref } } });
      expect(callRefIn(body)).toEqual(ref);
    }),
    { numRuns: runs() },
  );
});

test("the mark of another call in the arguments is not the request's own", () => {
  const other = { _meta: { "recourse/call": { id: "other", attempt: 9 } } };
  const own = { "recourse/call": { id: "own", attempt: 1 } };
  expect(callRefIn(request({ arguments: other, _meta: own }))).toEqual({ id: "own", attempt: 1 });
});

test.each([
  ["no mark", request({ name: "work" })],
  ["no id", request({ _meta: { "recourse/call": { attempt: 1 } } })],
  ["an attempt that is no number", request({ _meta: { "recourse/call": { id: "a", attempt: "1" } } })],
  ["a text that talks of the mark", request({ arguments: { text: '"recourse/call":{"id":"a","attempt":1}' } })],
  ["no JSON", '"recourse/call":{'],
])("a body with %s belongs to no call", (_name, body) => {
  expect(callRefIn(body)).toBeUndefined();
});
