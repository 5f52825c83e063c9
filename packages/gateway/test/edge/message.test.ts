import { expect, test } from "vitest";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { MODERN_META, modernHeaders, post, type RawAnswer } from "../support/post.ts";
import { startStubUpstream } from "../support/stub-upstream.ts";

function reasonOf(answer: RawAnswer): unknown {
  const { data } = answer.json().error ?? {};
  return (data as Record<string, { reason?: unknown }> | undefined)?.["recourse/fault"]?.reason;
}

const CALL = `"method":"tools/call","params":{"name":"up__echo","_meta":{${MODERN_META}}}`;

test.each([
  ["", -32700, "protocol/parse_error"],
  ["{", -32700, "protocol/parse_error"],
  ['{"id":1}x', -32700, "protocol/parse_error"],
  ["\ufeff{}", -32700, "protocol/parse_error"],
  ["null", -32600, "protocol/invalid_request"],
  ["7", -32600, "protocol/invalid_request"],
  ["[]", -32600, "protocol/invalid_request"],
  ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600, "protocol/invalid_request"],
  ["{}", -32600, "protocol/invalid_request"],
  ['{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600, "protocol/invalid_request"],
  ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, "protocol/invalid_request"],
  ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600, "protocol/invalid_request"],
  ['{"jsonrpc":"2.0","id":1,"method":7}', -32600, "protocol/invalid_request"],
  ['{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', -32600, "protocol/invalid_request"],
  ['{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":7}}', -32600, "protocol/invalid_request"],
  ['{"jsonrpc":"2.0","id":1,"result":{}}', -32600, "protocol/invalid_request"],
  ['{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}', -32600, "protocol/invalid_request"],
  ['{"jsonrpc":"2.0","id":1,"method":"ping","error":null}', -32600, "protocol/invalid_request"],
  ['{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', -32600, "protocol/invalid_request"],
  ['{"jsonrpc":"2.0","id":1,"m\\u0065thod":"ping"}', -32600, "protocol/invalid_request"],
  [
    `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${"[".repeat(70)}${"]".repeat(70)}}}`,
    -32600,
    "protocol/invalid_request",
  ],
])("%s is refused with %i", async (body, code, reason) => {
  const gateway = await startTestGateway();
  const answer = await post(gateway.url, body);
  expect(answer.status).toBe(400);
  expect(answer.json().error?.code).toBe(code);
  expect(reasonOf(answer)).toBe(reason);
  expect(answer.json().id).not.toBeNull();
});

test("a text that is nested too deep is refused before anybody finds out whether it is JSON", async () => {
  const gateway = await startTestGateway();
  const answer = await post(gateway.url, `{"jsonrpc":"2.0","id":1,"method":"ping","params":${"[".repeat(100_000)}`);
  expect([answer.status, answer.json().error?.code, reasonOf(answer)]).toEqual([
    400,
    -32600,
    "protocol/invalid_request",
  ]);
});

test("bytes that are not UTF-8 are refused where they stand", async () => {
  const gateway = await startTestGateway();
  const answer = await post(gateway.url, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]));
  expect(answer.status).toBe(400);
  expect(answer.json().error?.data).toMatchObject({
    "recourse/fault": { reason: "content/invalid_encoding", params: { position: 2 } },
  });
});

test("the id of a refused message is echoed as it was sent, where one can be read", async () => {
  const gateway = await startTestGateway();
  const answer = await post(gateway.url, '{"jsonrpc":"1.0","id":"\\u0041","method":"ping"}');
  expect(answer.text.startsWith('{"jsonrpc":"2.0","id":"\\u0041","error":')).toBe(true);
  const repeated = await post(gateway.url, '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}');
  expect(repeated.json()).not.toHaveProperty("id");
});

test.each([
  ["no Mcp-Method", { "mcp-protocol-version": "2026-07-28", "mcp-name": "up__echo" }],
  ["another Mcp-Method", { ...modernHeaders("tools/list", "up__echo") }],
  ["no Mcp-Name", { ...modernHeaders("tools/call") }],
  ["another Mcp-Name", { ...modernHeaders("tools/call", "up__other") }],
  ["no version in the header", { "mcp-method": "tools/call", "mcp-name": "up__echo" }],
  [
    "another version in the header",
    { ...modernHeaders("tools/call", "up__echo"), "mcp-protocol-version": "2025-11-25" },
  ],
])("headers and message disagree: %s", async (_, headers) => {
  const stub = await startStubUpstream();
  const gateway = await startTestGateway({ upstreams: [httpUpstream(stub.url)] });
  const answer = await post(gateway.url, `{"jsonrpc":"2.0","id":7,${CALL}}`, {
    "content-type": "application/json",
    ...headers,
  });
  expect(answer.status).toBe(400);
  expect(answer.json()).toMatchObject({ id: 7, error: { code: -32020 } });
  expect(stub.received).toEqual([]);
});

test("a name in Base64 agrees with the message it stands for", async () => {
  const stub = await startStubUpstream();
  const gateway = await startTestGateway({ upstreams: [httpUpstream(stub.url)] });
  const name = `=?base64?${Buffer.from("up__echo").toString("base64")}?=`;
  const body = `{"jsonrpc":"2.0","id":7,${CALL}}`;
  expect((await post(gateway.url, body, modernHeaders("tools/call", name))).status).toBe(200);
  const other = `=?base64?${Buffer.from("up__else").toString("base64")}?=`;
  expect((await post(gateway.url, body, modernHeaders("tools/call", other))).json().error?.code).toBe(-32020);
});

test("a request of the newer era without its _meta is refused", async () => {
  const gateway = await startTestGateway();
  const bare = await post(gateway.url, '{"jsonrpc":"2.0","id":7,"method":"tools/list"}', modernHeaders("tools/list"));
  expect(bare.status).toBe(400);
  expect(bare.json()).toMatchObject({ id: 7, error: { code: -32602 } });
  const half =
    '{"jsonrpc":"2.0","id":8,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}';
  const answer = await post(gateway.url, half, modernHeaders("tools/list"));
  expect(answer.status).toBe(400);
  expect(answer.json()).toMatchObject({ id: 8, error: { code: -32602 } });
});

test("a version that is not served is refused with those that are", async () => {
  const gateway = await startTestGateway();
  const meta = MODERN_META.replace("2026-07-28", "2031-01-01");
  const body = `{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"_meta":{${meta}}}}`;
  const answer = await post(gateway.url, body, {
    ...modernHeaders("tools/list"),
    "mcp-protocol-version": "2031-01-01",
  });
  expect(answer.status).toBe(400);
  expect(answer.json()).toMatchObject({
    id: 7,
    error: { code: -32022, data: { supported: ["2025-06-18", "2025-11-25", "2026-07-28"], requested: "2031-01-01" } },
  });
  const older = await post(gateway.url, '{"jsonrpc":"2.0","id":8,"method":"ping"}', {
    "content-type": "application/json",
    "mcp-protocol-version": "1900-01-01",
  });
  expect(older.status).toBe(400);
  expect(older.json()).toMatchObject({ id: 8, error: { code: -32602 } });
});

test("a notification is accepted without a body", async () => {
  const gateway = await startTestGateway();
  const answer = await post(gateway.url, '{"jsonrpc":"2.0","method":"notifications/initialized"}');
  expect(answer.status).toBe(202);
  expect(answer.text).toBe("");
});
