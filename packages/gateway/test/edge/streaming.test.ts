import { once } from "node:events";
import { request } from "undici";
import { expect, test } from "vitest";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { callEcho, MODERN_META, modernHeaders, post } from "../support/post.ts";
import { OK, sendJson, startStubUpstream, tokenIn } from "../support/stub-upstream.ts";

const progressWith = (token: string) =>
  `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":1e400}}`;
const PROGRESS = progressWith("7");
const BODY = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"up__echo","arguments":{},"_meta":{${MODERN_META},"progressToken":7}}}`;

/** A stub that sends notifications, and the answer when it is released. */
async function progressing(answer: (id: string) => string) {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const stub = await startStubUpstream(async ({ id, text }, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`event: message\ndata: ${progressWith(tokenIn(text))}\n\n`);
    await released;
    response.end(`event: message\ndata: ${answer(id)}\n\n`);
  });
  return { stub, release };
}

test("notifications come before the answer, at once and as they were sent", async () => {
  const { stub, release } = await progressing((id) => `{"jsonrpc":"2.0","id":${id},"result":${OK}}`);
  const gateway = await startTestGateway({ upstreams: [httpUpstream(stub.url)] });
  const answer = await request(gateway.url, {
    method: "POST",
    headers: modernHeaders("tools/call", "up__echo"),
    body: BODY,
  });
  expect(answer.headers["content-type"]).toBe("text/event-stream");
  let text = "";
  answer.body.on("data", (piece: Buffer) => {
    text += piece.toString();
  });
  await expect.poll(() => text).toBe(`event: message\ndata: ${PROGRESS}\n\n`);
  release();
  await once(answer.body, "end");
  expect(text).toBe(
    `event: message\ndata: ${PROGRESS}\n\nevent: message\ndata: {"jsonrpc":"2.0","id":1,"result":${OK}}\n\n`,
  );
});

test("a failure after notifications is an event too", async () => {
  const failed = '{"resultType":"complete","content":[{"type":"text","text":"no"}],"isError":true}';
  const { stub, release } = await progressing((id) => `{"jsonrpc":"2.0","id":${id},"result":${failed}}`);
  release();
  const gateway = await startTestGateway({ upstreams: [httpUpstream(stub.url)] });
  const answer = await post(gateway.url, BODY, modernHeaders("tools/call", "up__echo"));
  const [, last = ""] = answer.text.trimEnd().split("\n\n");
  expect(JSON.parse(last.replace(/^event: message\ndata: /, ""))).toMatchObject({ id: 1, result: { isError: true } });
});

test("who does not read events gets the answer alone", async () => {
  const { stub, release } = await progressing((id) => `{"jsonrpc":"2.0","id":${id},"result":${OK}}`);
  release();
  const gateway = await startTestGateway({ upstreams: [httpUpstream(stub.url)] });
  const headers = { ...modernHeaders("tools/call", "up__echo"), accept: "application/json" };
  const answer = await post(gateway.url, BODY, headers);
  expect(answer.headers["content-type"]).toBe("application/json");
  expect(answer.text).toBe(`{"jsonrpc":"2.0","id":1,"result":${OK}}`);
});

test("a caller that goes away ends the call upstream", async () => {
  let isGone = false;
  const stub = await startStubUpstream(async ({ incoming }, response) => {
    incoming.socket.once("close", () => {
      isGone = true;
    });
    await once(response, "close");
  });
  const gateway = await startTestGateway({ upstreams: [httpUpstream(stub.url)] });
  const leave = new AbortController();
  const answer = request(gateway.url, {
    method: "POST",
    headers: modernHeaders("tools/call", "up__echo"),
    body: BODY,
    signal: leave.signal,
  });
  answer.catch(() => {});
  await expect.poll(() => stub.received.length).toBe(1);
  leave.abort();
  await expect.poll(() => isGone).toBe(true);
});

test("a caller of the older era cancels by a notification", async () => {
  let isGone = false;
  const stub = await startStubUpstream(async (_, response) => {
    await once(response, "close");
    isGone = true;
  });
  const gateway = await startTestGateway({ upstreams: [httpUpstream(stub.url)] });
  const call = post(gateway.url, '{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"up__echo"}}');
  await expect.poll(() => stub.received.length).toBe(1);
  const cancelled = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}';
  expect((await post(gateway.url, cancelled)).status).toBe(202);
  await expect.poll(() => isGone).toBe(true);
  expect((await call).json()).toMatchObject({ id: 9, result: { isError: true } });
});

test("a caller that reads nothing costs a bounded amount of memory, and loses no answer", async () => {
  const line = `event: message\ndata: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"${"x".repeat(50_000)}"}}\n\n`;
  let sent = 0;
  const stub = await startStubUpstream(async ({ id }, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (; sent < 20; sent++) {
      if (!response.write(line)) await once(response, "drain");
    }
    response.end(`event: message\ndata: {"jsonrpc":"2.0","id":${id},"result":${OK}}\n\n`);
  });
  const gateway = await startTestGateway({ upstreams: [httpUpstream(stub.url)] });
  const answer = await request(gateway.url, {
    method: "POST",
    headers: modernHeaders("tools/call", "up__echo"),
    body: BODY,
  });
  // Nothing is read until the upstream has sent everything.
  await expect.poll(() => sent).toBe(20);
  const text = await answer.body.text();
  expect(text.endsWith(`data: {"jsonrpc":"2.0","id":1,"result":${OK}}\n\n`)).toBe(true);
  expect(text.length).toBeLessThan(20 * line.length);
});

test("line breaks in an answer do not break the event", async () => {
  const stub = await startStubUpstream(({ id }, response) =>
    sendJson(response, `{\r\n"jsonrpc":"2.0",\n"id":${id},"result":${OK}}`),
  );
  const gateway = await startTestGateway({ upstreams: [httpUpstream(stub.url)] });
  const answer = await callEcho(gateway.url);
  expect(answer.text).toBe(`{\r\n"jsonrpc":"2.0",\n"id":1,"result":${OK}}`);
});
