import { connect } from "node:net";
import { expect, test } from "vitest";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { PING, rawConnection, rawPost } from "../support/raw-socket.ts";
import { answerWith, OK, startStubUpstream } from "../support/stub-upstream.ts";

const CHUNKED = { "content-length": "", "transfer-encoding": "chunked" };

/** The head of a request whose body comes in chunks. */
function chunkedHead(): string {
  return rawPost("", CHUNKED).replace("content-length: \r\n", "");
}

test("a body that is announced too large is answered, and the connection serves the next request", async () => {
  const gateway = await startTestGateway({ maxRequestBytes: 1_000 });
  const connection = await rawConnection(gateway.url);
  connection.write(rawPost("x".repeat(200_000)));
  expect((await connection.next()).status).toBe(413);
  connection.write(rawPost(PING));
  expect((await connection.next()).status).toBe(200);
});

test("a chunked body over the limit is answered while it still comes, and the connection serves the next request", async () => {
  const gateway = await startTestGateway({ maxRequestBytes: 1_000 });
  const connection = await rawConnection(gateway.url);
  connection.write(chunkedHead());
  const chunk = `800\r\n${"x".repeat(2_048)}\r\n`;
  connection.write(chunk);
  expect((await connection.next()).status).toBe(413);
  connection.write(`${chunk}0\r\n\r\n${rawPost(PING)}`);
  expect((await connection.next()).status).toBe(200);
});

test("a refused sender that never stops loses its connection", async () => {
  const gateway = await startTestGateway({ maxRequestBytes: 1_000 });
  const connection = await rawConnection(gateway.url);
  connection.write(rawPost("x".repeat(10), { "content-length": "5000" }));
  expect((await connection.next()).status).toBe(413);
  await expect.poll(() => connection.isEnded()).toBe(true);
});

test("a body that comes too slowly gets 408, and its connection ends", async () => {
  const gateway = await startTestGateway({}, { bodyTimeoutMs: 100 });
  const connection = await rawConnection(gateway.url);
  connection.write(rawPost("{", { "content-length": "100" }));
  const answer = await connection.next();
  expect(answer.status).toBe(408);
  expect(answer.head).toMatch(/connection: close/i);
  expect(JSON.parse(answer.body)).toMatchObject({
    error: { data: { "recourse/fault": { reason: "core/timeout", effect: "none" } } },
  });
  await expect.poll(() => connection.isEnded()).toBe(true);
});

test("a body that breaks off harms nobody else", async () => {
  const gateway = await startTestGateway();
  const broken = connect(Number(gateway.url.port), gateway.url.hostname);
  broken.on("error", () => {});
  await new Promise<void>((resolve) => broken.once("connect", resolve));
  await new Promise<void>((resolve) =>
    broken.write(rawPost("{", { "content-length": "100" }), () => {
      broken.resetAndDestroy();
      resolve();
    }),
  );
  const connection = await rawConnection(gateway.url);
  connection.write(rawPost(PING));
  expect((await connection.next()).status).toBe(200);
});

test("requests that follow each other at once are answered in their order", async () => {
  let held = () => {};
  const stub = await startStubUpstream(async (request, response) => {
    if (request.text.includes("slow")) await new Promise<void>((resolve) => (held = resolve));
    await answerWith(OK)(request, response);
  });
  const gateway = await startTestGateway({ upstreams: [httpUpstream(stub.url)] });
  const connection = await rawConnection(gateway.url);
  const call = (id: number, args: string) =>
    rawPost(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"up__echo","arguments":${args}}}`);
  connection.write(call(1, '{"a":"slow"}') + call(2, "{}") + rawPost("{") + rawPost(PING));
  await expect.poll(() => stub.received.length).toBe(2);
  held();
  const answers = [];
  for (let i = 0; i < 4; i++) {
    const { status, body } = await connection.next();
    answers.push([status, (JSON.parse(body) as { id?: unknown }).id]);
  }
  expect(answers).toEqual([
    [200, 1],
    [200, 2],
    [400, undefined],
    [200, 1],
  ]);
});

test("a client that waits to be asked for its body is asked only where the head is in order", async () => {
  const gateway = await startTestGateway();
  const asked = await rawConnection(gateway.url);
  asked.write(rawPost("", { "content-length": String(PING.length), expect: "100-continue" }));
  expect((await asked.next()).status).toBe(100);
  asked.write(PING);
  expect((await asked.next()).status).toBe(200);
  const refused = await rawConnection(gateway.url);
  refused.write(rawPost("", { "content-length": "7", expect: "100-continue", "content-type": "text/plain" }));
  const answer = await refused.next();
  expect(answer.status).toBe(415);
  expect(answer.head).toMatch(/connection: close/i);
});

test("broken HTTP gets 400, and long headers get 431", async () => {
  const gateway = await startTestGateway();
  const broken = await rawConnection(gateway.url);
  broken.write("GARBAGE\r\n\r\n");
  expect((await broken.next()).status).toBe(400);
  const long = await rawConnection(gateway.url);
  long.write(rawPost(PING, { "x-long": "x".repeat(40_000) }));
  expect((await long.next()).status).toBe(431);
});

test("both a length and chunks in one request are refused: two readers may see different bodies", async () => {
  const gateway = await startTestGateway();
  const connection = await rawConnection(gateway.url);
  connection.write(rawPost(PING, { "transfer-encoding": "chunked" }));
  expect((await connection.next()).status).toBe(400);
});
