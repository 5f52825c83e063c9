import { expect, test } from "vitest";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { callEcho } from "../support/post.ts";
import { answerWith, startStubUpstream } from "../support/stub-upstream.ts";

test("arguments and results pass as the bytes that were sent", async () => {
  const result = `{"resultType":"complete", "content":[{"type":"text","text":"a\\u0062"}],"structuredContent":{"n":12345678901234567890,"f":1e400,"z":-0.0}}`;
  const stub = await startStubUpstream(answerWith(result));
  const gateway = await startTestGateway({ upstreams: [httpUpstream(stub.url)] });
  const args = '{ "n":12345678901234567890,"f":1e400 ,"s":"\\u00e9é\\/","n":1.10}';
  const answer = await callEcho(gateway.url, args, '"a\\u0062"');
  expect(answer.status).toBe(200);
  expect(answer.text).toBe(`{"jsonrpc":"2.0","id":"a\\u0062","result":${result}}`);
  expect(stub.received[0]?.text).toContain(`"arguments":${args}`);
  expect(stub.received[0]?.text).toContain('"name":"echo"');
});

test.each([1, 2_000, 20_000])("%i letters of several bytes pass as they are", async (count) => {
  const text = "é€😀".repeat(count);
  const result = `{"resultType":"complete","content":[{"type":"text","text":"${text}"}]}`;
  const stub = await startStubUpstream(answerWith(result));
  const gateway = await startTestGateway({ upstreams: [httpUpstream(stub.url)] });
  const answer = await callEcho(gateway.url, "{}");
  expect(answer.text).toBe(`{"jsonrpc":"2.0","id":1,"result":${result}}`);
});
