// A caller whose messages are mutated: members, bytes, headers, and connections that break.

import { mutateBytes, mutateJson } from "./mutate.ts";
import type { Random } from "./random.ts";

const MODERN = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "fuzz", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
const CALLED = { ...MODERN, progressToken: 1, "recourse/call": { id: "c", attempt: 1, deadlineMs: 1_500 } };

interface Message {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly notification?: boolean;
}

/** Messages, before they are mutated. */
const MESSAGES: readonly Message[] = [
  { method: "tools/call", params: { name: "up__echo", arguments: { text: "hello", n: 1 }, _meta: MODERN } },
  { method: "tools/call", params: { name: "up__echo", arguments: { text: "hello" }, _meta: CALLED } },
  { method: "tools/call", params: { name: "up__echo", arguments: {} } },
  { method: "tools/call", params: { name: "lists0__t1", arguments: {}, _meta: MODERN } },
  { method: "tools/call", params: { name: "lists1__none", arguments: {}, _meta: MODERN } },
  { method: "tools/list", params: { _meta: MODERN } },
  { method: "resources/list", params: { _meta: MODERN } },
  { method: "resources/read", params: { uri: "x://t1", _meta: MODERN } },
  { method: "resources/read", params: { uri: "file:///a", _meta: MODERN } },
  { method: "prompts/get", params: { name: "up__ask", _meta: MODERN } },
  { method: "server/discover", params: { _meta: MODERN } },
  {
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "f", version: "1" } },
  },
  { method: "ping" },
  { method: "notifications/initialized", notification: true },
  { method: "notifications/cancelled", params: { requestId: 1 }, notification: true },
];
/** Headers that are put in place of others, or added. */
const ODD_HEADERS: readonly string[] = [
  "Mcp-Method: tools/list",
  "Mcp-Name: =?base64?eA==?=",
  "MCP-Protocol-Version: 2025-11-25",
  "Mcp-Session-Id: x",
  "Accept: application/problem+json",
  "Accept: text/event-stream",
  "Content-Type: text/plain",
  "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
  "Origin: http://evil.example",
  "Last-Event-ID: 3",
];

/** A call of which the answer is known. */
export function goodCall(key: string): Buffer {
  const params = { name: "up__echo", arguments: { good: true }, _meta: MODERN };
  const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }));
  return requestOf({ method: "tools/call", params }, body, { key, more: [] });
}

/** A request, and how its caller behaves. */
export interface FuzzedRequest {
  readonly bytes: Buffer;
  /** The bytes of HTTP were changed too, so the body may be shorter than announced. */
  readonly isBroken: boolean;
  /** The caller goes away soon. */
  readonly leaves: boolean;
}

/** One request, mutated. */
export function fuzzedRequest(random: Random, key: string): FuzzedRequest {
  const message = random.pick(MESSAGES);
  const { notification = false, ...rest } = message;
  const whole = {
    jsonrpc: "2.0",
    ...(notification ? {} : { id: random.pick<unknown>([1, "a", 77, "x".repeat(200)]) }),
    ...rest,
  };
  const json = Buffer.from(JSON.stringify(random.once(2) ? mutateJson(random, whole) : whole));
  const body = random.once(4) ? mutateBytes(random, json) : json;
  const more = Array.from({ length: random.once(4) ? random.below(3) : 0 }, () => random.pick(ODD_HEADERS));
  const request = requestOf(message, body, { key: random.once(30) ? "wrong" : key, more });
  const isBroken = random.once(25);
  return { bytes: isBroken ? mutateBytes(random, request) : request, isBroken, leaves: random.once(40) };
}

function requestOf(message: Message, body: Buffer, { key, more }: { key: string; more: readonly string[] }): Buffer {
  const name = message.params?.["name"] ?? message.params?.["uri"];
  const isModern = message.params?.["_meta"] !== undefined;
  const lines = [
    "POST /mcp HTTP/1.1",
    "Host: 127.0.0.1",
    "Connection: close",
    `Authorization: Bearer ${key}`,
    "Content-Type: application/json",
    "Accept: application/json, text/event-stream",
    `MCP-Protocol-Version: ${isModern ? "2026-07-28" : "2025-11-25"}`,
    ...(isModern ? [`Mcp-Method: ${message.method}`] : []),
    ...(isModern && typeof name === "string" ? [`Mcp-Name: ${name}`] : []),
    ...more,
    `Content-Length: ${body.length}`,
    "",
    "",
  ];
  return Buffer.concat([Buffer.from(lines.join("\r\n")), body]);
}
