import { expect, it } from "vitest";
import type { ServerAnswer, ServerRequest } from "../call/server-request.ts";
import { findEnvelope } from "./message.ts";
import { MAX_QUESTION_BYTES, ServerRequests, type ServerRequestsOptions } from "./server-requests.ts";

/** Requests whose answers the test gives. */
function requestsOf(more: Partial<ServerRequestsOptions> = {}) {
  const replies: string[] = [];
  const asked: { request: ServerRequest; signal: AbortSignal; answer(given: ServerAnswer): void }[] = [];
  const requests = new ServerRequests({
    ask(request, signal) {
      const { promise, resolve } = Promise.withResolvers<ServerAnswer>();
      asked.push({ request, signal, answer: resolve });
      return promise;
    },
    reply: (message) => void replies.push(message.toString()),
    maxOpen: 2,
    ...more,
  });
  const take = (text: string) => {
    const message = Buffer.from(text);
    const envelope = findEnvelope(message);
    if (envelope === undefined) throw new Error("no envelope");
    requests.take(message, envelope);
  };
  return { requests, replies, asked, take };
}

const RESULT = { result: Buffer.from('{ "n": 12345678901234567890 }') };
const cancel = (id: string) =>
  Buffer.from(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`);
const tick = () => new Promise(setImmediate);

it("asks with the params as they came, and answers with the id as it came", async () => {
  const { take, asked, replies } = requestsOf();
  take('{"jsonrpc":"2.0","id": 1.0 ,"method":"elicitation\\u002fcreate","params": {"n":1e400, "m":0.10} }');
  expect(asked[0]?.request.method).toBe("elicitation/create");
  expect(asked[0]?.request.params?.toString()).toBe('{"n":1e400, "m":0.10}');
  asked[0]?.answer(RESULT);
  await tick();
  expect(replies).toEqual(['{"jsonrpc":"2.0","id":1.0,"result":{ "n": 12345678901234567890 }}']);
});

it("passes errors back, and requests without params on", async () => {
  const { take, asked, replies } = requestsOf();
  take('{"jsonrpc":"2.0","id":"a\\"b","method":"roots/list"}');
  expect(asked[0]?.request.params).toBeUndefined();
  asked[0]?.answer({ error: Buffer.from('{"code":-1,"message":"no"}') });
  await tick();
  expect(replies).toEqual(['{"jsonrpc":"2.0","id":"a\\"b","error":{"code":-1,"message":"no"}}']);
});

it("answers a ping at once", () => {
  const { take, asked, replies } = requestsOf();
  take('{"jsonrpc":"2.0","id":7,"method":"ping"}');
  expect([asked.length, replies]).toEqual([0, ['{"jsonrpc":"2.0","id":7,"result":{}}']]);
});

it.each([
  ["params that are no object", '{"id":1,"method":"x","params":[]}', -32_602],
  ["params that are no JSON", '{"id":1,"method":"x","params":{"a":nope}}', -32_602],
  ["params that two parsers read differently", '{"id":1,"method":"x","params":{},"params":{"a":1}}', -32_602],
  ["a method that is no text", '{"id":1,"method":5}', -32_602],
  ["a request that is too long", `{"id":1,"method":"x","params":{"a":"${"x".repeat(MAX_QUESTION_BYTES)}"}}`, -32_602],
])("refuses %s", (_what, text, code) => {
  const { take, asked, replies } = requestsOf();
  take(text);
  expect(asked).toEqual([]);
  expect(replies.map((reply) => JSON.parse(reply))).toMatchObject([{ id: 1, error: { code } }]);
});

it.each(["null", "true", "{}", `"${"i".repeat(1_100)}"`])("drops a request with the id %.20s", (id) => {
  const { take, asked, replies } = requestsOf();
  take(`{"id":${id},"method":"roots/list"}`);
  expect([asked, replies]).toEqual([[], []]);
});

it("refuses a second request with the id of an open one, also in another spelling, and more than may be open", async () => {
  const { take, asked, replies } = requestsOf();
  take('{"id":"a","method":"x"}');
  take('{"id":"\\u0061","method":"y"}');
  take('{"id":"b","method":"x"}');
  take('{"id":"c","method":"x"}');
  expect(asked).toHaveLength(2);
  expect(replies.map((reply) => JSON.parse(reply).error.code)).toEqual([-32_602, -32_601]);
  asked[0]?.answer(RESULT);
  await tick();
  take('{"id":"a","method":"z"}');
  expect(asked).toHaveLength(3);
});

it("a request that is withdrawn is not answered, and its id is free", async () => {
  const { take, asked, replies, requests } = requestsOf();
  take('{"id":1,"method":"x"}');
  expect(requests.withdraw(cancel("2"))).toBe(false);
  expect(requests.withdraw(Buffer.from('{"method":"notifications/message","params":{"requestId":1}}'))).toBe(false);
  expect(requests.withdraw(cancel("1.0"))).toBe(true);
  expect(asked[0]?.signal.aborted).toBe(true);
  take('{"id":1,"method":"y"}');
  asked[0]?.answer(RESULT);
  await tick();
  expect([replies, requests.size]).toEqual([[], 1]);
  asked[1]?.answer(RESULT);
  await tick();
  expect(replies).toHaveLength(1);
});

it("at the end nothing is answered any more", async () => {
  const { take, asked, replies, requests } = requestsOf();
  take('{"id":1,"method":"x"}');
  requests.end();
  expect(asked[0]?.signal.aborted).toBe(true);
  asked[0]?.answer(RESULT);
  take('{"id":2,"method":"ping"}');
  await tick();
  expect(replies).toEqual([]);
});

it("a server that does not read its answers gets no more than a bound of them at a time", () => {
  let sent = 0;
  const { take } = requestsOf({
    reply: () => {
      sent += 1;
      return new Promise<void>(() => {});
    },
  });
  for (let id = 0; id < 1_000; id++) take(`{"id":${id},"method":"ping"}`);
  expect(sent).toBe(64);
});

it("what cannot be asked is answered all the same", async () => {
  const { take, replies } = requestsOf({ ask: () => Promise.reject(new Error("secret")) });
  take('{"id":1,"method":"x"}');
  await tick();
  expect(replies[0]).toMatch(/-32603/);
  expect(replies[0]).not.toContain("secret");
});
