import { expect, it } from "vitest";
import { withRequestState } from "./with-request-state.ts";

it.each([
  ['{"id":1,"result":{"resultType":"x"}}', undefined, '{"id":1,"result":{"requestState":"new","resultType":"x"}}'],
  [' { "result" : { } }', undefined, ' { "result" : { "requestState":"new"} }'],
  ['{"result":{"n":1e400,"requestState":"o\\u006cd"}}', "old", '{"result":{"n":1e400,"requestState":"new"}}'],
  ['{"result":{"requestState":7}}', undefined, '{"result":{"requestState":"new"}}'],
  [
    '{"result":{"requestState":"a","request\\u0053tate":"b"}}',
    "b",
    '{"result":{"requestState":"new","request\\u0053tate":"new"}}',
  ],
  [
    '{"result":{"inner":{"requestState":"a"}}}',
    undefined,
    '{"result":{"requestState":"new","inner":{"requestState":"a"}}}',
  ],
])("%s", (response, state, changed) => {
  const seen: unknown[] = [];
  const text = withRequestState(Buffer.from(response), (given) => {
    seen.push(given);
    return "new";
  }).toString();
  expect(text).toBe(changed);
  expect(seen).toEqual([state]);
});

it("leaves a response without a result as it is", () => {
  const response = Buffer.from('{"error":{}}');
  expect(withRequestState(response, () => "new")).toBe(response);
});
