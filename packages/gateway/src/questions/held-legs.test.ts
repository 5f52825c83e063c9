import { expect, it } from "vitest";
import type { RequestMessage } from "../call/message.ts";
import { encodeAsks, forLeg, withResponseId } from "./held-legs.ts";

it("asks with the params as they came", () => {
  const asks = [
    { key: "q1", method: "elicitation/create", params: Buffer.from('{"n":1e400,"message":"é"}') },
    { key: 'q"2', method: "roots/list", params: Buffer.from("{}") },
  ];
  const text = encodeAsks('"a\\u0062"', asks, 'h1."x').toString();
  expect(text).toBe(
    '{"jsonrpc":"2.0","id":"a\\u0062","result":{"resultType":"input_required","inputRequests":{' +
      '"q1":{"method":"elicitation/create","params":{"n":1e400,"message":"é"}},' +
      '"q\\"2":{"method":"roots/list","params":{}}},"requestState":"h1.\\"x"}}',
  );
});

it.each([
  ['{"jsonrpc":"2.0","id":1,"result":{"id":1,"n":1e400}}', '{"jsonrpc":"2.0","id":"z","result":{"id":1,"n":1e400}}'],
  [' { "id" : "a" ,"result":{}}', ' { "id" : "z" ,"result":{}}'],
])("gives a response another id: %s", (response, changed) => {
  expect(withResponseId(Buffer.from(response), '"z"').toString()).toBe(changed);
});

const asking = (meta: RequestMessage["meta"]) => ({ meta }) as RequestMessage;
const PROGRESS = '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1e2,"progressToken":"old"}}';

it("gives progress the token of the call that waits", () => {
  expect(forLeg(Buffer.from(PROGRESS), asking({ progressToken: 7 }))?.toString()).toBe(PROGRESS.replace('"old"', "7"));
});

it.each([undefined, {}, { progressToken: {} }])("drops progress where that call has no token: %j", (meta) => {
  expect(forLeg(Buffer.from(PROGRESS), asking(meta))).toBeUndefined();
});

it("leaves other notifications as they are", () => {
  const message = Buffer.from('{"jsonrpc":"2.0","method":"notifications/message","params":{"progressToken":1}}');
  expect(forLeg(message, asking({ progressToken: 7 }))).toBe(message);
});
