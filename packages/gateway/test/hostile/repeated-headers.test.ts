import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { MODERN_META } from "../support/post.ts";
import { PING, rawConnection } from "../support/raw-socket.ts";
import { answerWith, OK, startStubUpstream } from "../support/stub-upstream.ts";

const keyOf = (id: string) => ({
  id,
  tenant: id,
  sha256: createHash("sha256").update(`rk_${id}`).digest("hex"),
  tools: ["*"],
  scopes: [],
  entitlements: [],
  dialect: undefined,
});

const CALL = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"up__echo","arguments":{},"_meta":{${MODERN_META}}}}`;

const MODERN = [
  "content-type: application/json",
  "mcp-protocol-version: 2026-07-28",
  "mcp-method: tools/call",
  "mcp-name: up__echo",
];

async function start() {
  const stub = await startStubUpstream(answerWith(OK));
  const gateway = await startTestGateway({
    upstreams: [httpUpstream(stub.url)],
    authentication: "required",
    keys: [keyOf("one"), keyOf("two")],
  });
  return { stub, gateway };
}

async function send(url: URL, lines: readonly string[], body = CALL): Promise<number> {
  const connection = await rawConnection(url);
  const length = `content-length: ${Buffer.byteLength(body)}`;
  connection.write(`POST /mcp HTTP/1.1\r\n${[...lines, length].map((line) => `${line}\r\n`).join("")}\r\n${body}`);
  return (await connection.next()).status;
}

const HOST = "host: 127.0.0.1";
const ONE = "authorization: Bearer rk_one";
const TWO = "authorization: Bearer rk_two";

test.each([
  ["Authorization, two callers", [HOST, ONE, TWO, ...MODERN], 401],
  ["Authorization, the second one wrong", [HOST, ONE, "Authorization: Bearer wrong", ...MODERN], 401],
  ["Authorization, the same twice", [HOST, ONE, ONE, ...MODERN], 401],
  ["x-api-key", [HOST, "x-api-key: rk_one", "x-api-key: rk_two", ...MODERN], 401],
  ["Authorization and x-api-key of two callers", [HOST, ONE, "x-api-key: rk_two", ...MODERN], 401],
  ["Host", [HOST, "host: evil.example", ONE, ...MODERN], 403],
  ["Host, the allowed one last", ["host: evil.example", HOST, ONE, ...MODERN], 403],
  ["Origin", [HOST, ONE, "origin: http://127.0.0.1", "origin: https://evil.example", ...MODERN], 403],
  ["Content-Type", [HOST, ONE, "content-type: text/plain", ...MODERN], 415],
  ["Content-Type, the right one first", [HOST, ONE, ...MODERN, "content-type: text/plain"], 415],
  ["Content-Length", [HOST, ONE, ...MODERN, "content-length: 5"], 400],
  ["Mcp-Method", [HOST, ONE, ...MODERN, "mcp-method: tools/list"], 400],
  ["Mcp-Name", [HOST, ONE, ...MODERN, "mcp-name: up__other"], 400],
  ["MCP-Protocol-Version", [HOST, ONE, ...MODERN, "mcp-protocol-version: 2025-11-25"], 400],
  ["Mcp-Session-Id", [HOST, ONE, ...MODERN, "mcp-session-id: a", "mcp-session-id: b"], 400],
])("repeated %s: nothing runs", async (_, lines, status) => {
  const { stub, gateway } = await start();
  expect(await send(gateway.url, lines)).toBe(status);
  expect(stub.received).toEqual([]);
});

test("two Hosts are refused where any is served", async () => {
  const gateway = await startTestGateway({ hosts: "any" });
  const type = "content-type: application/json";
  expect(await send(gateway.url, [HOST, "host: other.example", type], PING)).toBe(403);
  expect(await send(gateway.url, ["host: other.example", type], PING)).toBe(200);
});

test("a request that repeats nothing is served", async () => {
  const { stub, gateway } = await start();
  expect(await send(gateway.url, [HOST, ONE, "mcp-session-id: a", ...MODERN])).toBe(200);
  expect(await send(gateway.url, [HOST, ONE, "content-type: application/json; charset=utf-8"], PING)).toBe(200);
  expect(stub.received.length).toBe(1);
});

test("the API for operators does not take one of two keys either", async () => {
  const sha256 = createHash("sha256").update("rk_right").digest("hex");
  const gateway = await startTestGateway({
    admin: { listen: { host: "127.0.0.1", port: 0 }, keys: [{ id: "ops", role: "viewer", sha256 }] },
  });
  const connection = await rawConnection(gateway.adminUrl as URL);
  const key = "authorization: Bearer rk_right\r\n";
  const request = (keys: string) => `GET /admin/v1/audit HTTP/1.1\r\n${HOST}\r\n${keys}\r\n`;
  connection.write(request(`${key}authorization: Bearer rk_wrong\r\n`));
  expect((await connection.next()).status).toBe(401);
  connection.write(request(key));
  expect((await connection.next()).status).toBe(200);
});
