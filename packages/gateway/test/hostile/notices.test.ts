// What an upstream may tell a caller while it serves a call, and what it may not.
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { holdTime } from "../support/held-time.ts";
import { MODERN_META, modernHeaders, post } from "../support/post.ts";
import { OK, type StubAnswer, sendJson, startStubUpstream, tokenIn } from "../support/stub-upstream.ts";
import { KEY } from "./request.ts";
import { UPSTREAM_SECRET } from "./upstream.ts";

const CREDENTIAL = { kind: "bearer", token: UPSTREAM_SECRET } as const;
const note = (method: string, params: string) => `{"jsonrpc":"2.0","method":"${method}","params":${params}}`;
const progress = (token: string, more = "") =>
  note("notifications/progress", `{"progressToken":${token},"progress":1${more}}`);

/** Streams messages, then the answer. */
const streaming =
  (messages: (token: string) => readonly string[]): StubAnswer =>
  ({ id, text }, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const message of messages(tokenIn(text))) response.write(`data: ${message}\n\n`);
    response.end(`data: {"jsonrpc":"2.0","id":${id},"result":${OK}}\n\n`);
  };

/** Calls the tool of a stub through a gateway that knows a caller; gives all messages, the answer last. */
async function messagesFor(answer: StubAnswer, token: string | undefined = "7") {
  const stub = await startStubUpstream(answer);
  const key = { id: "k1", tenant: "acme", tools: ["*"], scopes: [], entitlements: [], dialect: undefined };
  const gateway = await startTestGateway({
    upstreams: [httpUpstream(stub.url, { credential: CREDENTIAL })],
    authentication: "required",
    keys: [{ ...key, sha256: createHash("sha256").update(KEY).digest("hex") }],
  });
  const asked = token === undefined ? "" : `,"progressToken":${token}`;
  const params = `{"name":"up__echo","arguments":{},"_meta":{${MODERN_META}${asked}}}`;
  const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;
  const headers = { ...modernHeaders("tools/call", "up__echo"), authorization: `Bearer ${KEY}` };
  const { text } = await post(gateway.url, body, headers);
  const data = text.startsWith("{") ? [text] : text.split("\n\n").flatMap((event) => event.split("data: ")[1] ?? []);
  return { messages: data.slice(0, -1), answer: data.at(-1) ?? "", sent: stub.received[0]?.text ?? "" };
}

const DROPPED = {
  "a changed list": note("notifications/tools/list_changed", "{}"),
  "a cancelled request": note("notifications/cancelled", '{"requestId":1}'),
  "a method that nobody knows": note("notifications/evil", "{}"),
  "a request for the end": note("notifications/initialized", "{}"),
  "the acknowledgement of a stream": note("notifications/subscriptions/acknowledged", "{}"),
  "progress with the token of the caller": progress("7"),
  "progress with the token of another call": progress('"aaaaaaaaaaaa-1"'),
  "progress without a token": note("notifications/progress", '{"progress":1}'),
  "params that are no object": note("notifications/message", "[1]"),
  "no JSON inside": note("notifications/message", '{"data":tru}'),
  "another version": note("notifications/message", "{}").replace("2.0", "1.0"),
  "more than 64 KiB": note("notifications/message", `{"level":"info","data":"${"x".repeat(66_000)}"}`),
};

test.each(Object.entries(DROPPED))("does not reach the caller: %s", async (_, message) => {
  const { messages, answer } = await messagesFor(streaming(() => [message]));
  expect(messages).toEqual([]);
  expect(answer).toContain('"text":"ok"');
});

test("progress with two tokens is dropped, whichever stands first", async () => {
  const { messages } = await messagesFor(
    streaming((token) => [
      progress(token, ',"progressToken":9'),
      progress("9", `,"progressToken":${token}`),
      `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token}},"params":{}}`,
    ]),
  );
  expect(messages).toEqual([]);
});

test("progress reaches the caller with its token, which the upstream never sees", async () => {
  const { messages, sent } = await messagesFor(
    streaming((token) => [progress(token), note("notifications/message", '{"level":"info","data":1e400}')]),
  );
  expect(messages).toEqual([progress("7"), note("notifications/message", '{"level":"info","data":1e400}')]);
  expect(sent).toMatch(/"progressToken":"[\w-]{12}-\d+"/);
});

test("who asked for no progress gets none", async () => {
  const { messages } = await messagesFor(
    streaming(() => [progress("null"), progress('"x"')]),
    undefined,
  );
  expect(messages).toEqual([]);
});

test("credentials are taken out of notifications: that of the gateway, and the caller's", async () => {
  const data = (text: string) => note("notifications/message", `{"level":"debug","data":"${text}"}`);
  const { messages } = await messagesFor(
    streaming((token) => [data(`sent Bearer ${UPSTREAM_SECRET}`), progress(token, `,"message":"key ${KEY}"`)]),
  );
  expect(messages).toEqual([data("sent Bearer [removed]"), progress("7", ',"message":"key [removed]"')]);
});

test("the gateway's credential is taken out of a success; the rest of it stays as it came", async () => {
  const result = (text: string) => `{"n":1e400,"content":[{"type":"text","text":"headers: ${text}"}]}`;
  const { answer } = await messagesFor(({ id }, response) =>
    sendJson(response, `{"jsonrpc":"2.0","id":${id},"result":${result(`Bearer ${UPSTREAM_SECRET}`)}}`),
  );
  expect(answer).toBe(`{"jsonrpc":"2.0","id":1,"result":${result("Bearer [removed]")}}`);
});

test("two thousand notifications in one call: a bounded number is passed, and the answer after them", async () => {
  holdTime();
  const many = Array.from({ length: 2_000 }, (_, at) => note("notifications/message", `{"level":"info","data":${at}}`));
  const { messages, answer } = await messagesFor(streaming(() => many));
  expect(answer).toContain('"text":"ok"');
  // 256 KiB at once, at 512 bytes for each, and 128 more in each second, of which none passes here.
  expect(messages.length).toBeGreaterThanOrEqual(512);
  expect(messages.length).toBeLessThan(600);
});
