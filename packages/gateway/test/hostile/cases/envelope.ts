// Messages that are JSON, with each member in every wrong form; and the headers that repeat them.
import type { Hostile, OutcomeName } from "../outcomes.ts";
import { type MessageParts, message, metaWith, type RequestParts, request } from "../request.ts";

/** Wrong values of members that the envelope needs. */
const WRONG: Readonly<Record<"jsonrpc" | "id" | "method" | "params", readonly (string | undefined)[]>> = {
  jsonrpc: [undefined, "2", "2.0", "null", '"1.0"', '"2.0 "', '"2"', '["2.0"]', "{}", "true"],
  id: ["null", "1.5", "true", "[]", "{}", "[1]", "1e400", "9007199254740993", "-9007199254740993", '{"toString":1}'],
  method: [undefined, "null", "1", "{}", "[]", "true", '["tools/call"]'],
  params: ["null", "[]", '"x"', "1", "true", '[{"name":"up__echo"}]'],
};

/** Envelopes of which two readers could see different ones. */
const TWICE: Readonly<Record<string, MessageParts>> = {
  "two jsonrpc": { more: ',"jsonrpc":"2.0"' },
  "two ids": { more: ',"id":8' },
  "two ids that agree": { more: ',"id":7' },
  "two methods": { more: ',"method":"tools/list"' },
  "two params": { more: ',"params":{}' },
  "two names": { moreParams: ',"name":"up__other"' },
  "two arguments": { moreParams: ',"arguments":{"x":1}' },
  "two _meta": { moreParams: ',"_meta":{}' },
  "an escaped id": { id: undefined, more: ',"\\u0069d":7' },
  "an escaped id beside the id": { more: ',"\\u0069d":8' },
  "an escaped method": { method: undefined, more: ',"me\\u0074hod":"tools/call"' },
  "an escaped method beside the method": { more: ',"me\\u0074hod":"tools/list"' },
  "escaped params": { more: ',"param\\u0073":{}' },
  "an escaped name": { moreParams: ',"n\\u0061me":"up__other"' },
  "escaped arguments": { moreParams: ',"argum\\u0065nts":{}' },
  "an escaped _meta": { moreParams: ',"\\u005fmeta":{}' },
};

const NAMES: readonly (readonly [name: string, expect: OutcomeName])[] = [
  ["up__none", "unknown tool"],
  ["echo", "unknown tool"],
  ["up__", "unknown tool"],
  ["__echo", "unknown tool"],
  ["__proto__", "unknown tool"],
  ["constructor", "unknown tool"],
  ["toString", "unknown tool"],
  ["up__constructor", "unknown tool"],
  ["up__../echo", "unknown tool"],
  ["up__echo ", "header mismatch"],
  ["UP__ECHO", "unknown tool"],
  ["up__echo%00", "unknown tool"],
  ["../../etc/passwd", "unknown tool"],
  ["%{jndi:ldap://x/y}", "unknown tool"],
  ["'; drop table keys; --", "unknown tool"],
  ["<script>alert(1)</script>", "unknown tool"],
  ["x".repeat(9_000), "unknown tool"],
  [".*", "unknown tool"],
  ["*", "unknown tool"],
  ["up__*", "unknown tool"],
];

const METHODS: readonly string[] = [
  "x",
  "tools/CALL",
  "tools/call/x",
  "rpc.discover",
  "__proto__",
  "constructor",
  "toString",
  "initialize/x",
  "notifications/initialized",
  "sampling/createMessage",
  "../tools/call",
  "x".repeat(5_000),
];

const MESSAGES: readonly (readonly [name: string, parts: MessageParts, expect: OutcomeName])[] = [
  ["no id", { id: undefined }, "accepted"],
  ["an empty text as the id", { id: '""' }, "served"],
  ["an id of 100 KB", { id: `"${"x".repeat(100_000)}"` }, "served"],
  ["an id named __proto__", { id: '"__proto__"' }, "served"],
  ["an id with a zero character", { id: '"\\u0000"' }, "served"],
  ["the largest id", { id: "9007199254740991" }, "served"],
  ["an id of -0", { id: "-0" }, "served"],
  ["a member __proto__", { more: ',"__proto__":{"id":8}' }, "served"],
  ["a member __proto__ in the params", { moreParams: ',"__proto__":{"name":"up__other"}' }, "served"],
  ["a member constructor in _meta", { meta: metaWith(',"constructor":{"prototype":{"x":1}}') }, "served"],
  ["a result beside the method", { more: ',"result":{}' }, "invalid request"],
  ["an error beside the method", { more: ',"error":{"code":1,"message":"x"}' }, "invalid request"],
  ["an answer", { method: undefined, params: undefined, more: ',"result":{}' }, "invalid request"],
  [
    "an answer with an error",
    { method: undefined, params: undefined, more: ',"error":{"code":1,"message":"x"}' },
    "invalid request",
  ],
  ["_meta null", { meta: "null" }, "invalid request"],
  ["_meta a list", { meta: "[]" }, "invalid request"],
  ["_meta a text", { meta: '"x"' }, "invalid request"],
  ["_meta a number", { meta: "1" }, "invalid request"],
  ["arguments null", { args: "null" }, "malformed call"],
  ["arguments a list", { args: "[]" }, "malformed call"],
  ["arguments a text", { args: '"x"' }, "malformed call"],
  ["arguments a number", { args: "1" }, "malformed call"],
  ["arguments true", { args: "true" }, "malformed call"],
  ["call data as a text", { meta: metaWith(',"recourse/call":"x"') }, "served"],
  ["a deadline below zero", { meta: metaWith(',"recourse/call":{"deadlineMs":-1}') }, "not sent"],
  ["a deadline as a text", { meta: metaWith(',"recourse/call":{"deadlineMs":"soon"}') }, "served"],
  ["a deadline above the largest number", { meta: metaWith(',"recourse/call":{"deadlineMs":1e400}') }, "served"],
  ["a progress token that is an object", { meta: metaWith(',"progressToken":{}') }, "served"],
  ["a trace that is a list", { meta: metaWith(',"traceparent":[1]') }, "served"],
  ["a log level that is a number", { meta: metaWith(',"io.modelcontextprotocol/logLevel":9') }, "served"],
];

/** Headers that repeat a part of the message, and differ from it. */
const HEADER_CASES: readonly (readonly [name: string, parts: RequestParts, expect: OutcomeName])[] = [
  ["another Mcp-Method", { headers: { "Mcp-Method": "tools/list" } }, "header mismatch"],
  ["Mcp-Method in upper case", { headers: { "Mcp-Method": "TOOLS/CALL" } }, "header mismatch"],
  ["no Mcp-Method", { headers: { "Mcp-Method": undefined } }, "header mismatch"],
  ["an empty Mcp-Method", { headers: { "Mcp-Method": "" } }, "header mismatch"],
  ["two Mcp-Method", { lines: ["Mcp-Method: tools/list"] }, "header mismatch"],
  ["two Mcp-Method that agree", { lines: ["Mcp-Method: tools/call"] }, "header mismatch"],
  ["another Mcp-Name", { headers: { "Mcp-Name": "up__other" } }, "header mismatch"],
  ["no Mcp-Name", { headers: { "Mcp-Name": undefined } }, "header mismatch"],
  ["an empty Mcp-Name", { headers: { "Mcp-Name": "" } }, "header mismatch"],
  ["two Mcp-Name", { lines: ["Mcp-Name: up__other"] }, "header mismatch"],
  ["another version in the header", { headers: { "MCP-Protocol-Version": "2025-11-25" } }, "header mismatch"],
  ["no version in the header", { headers: { "MCP-Protocol-Version": undefined } }, "header mismatch"],
  ["nonsense as the version in the header", { headers: { "MCP-Protocol-Version": "nonsense" } }, "header mismatch"],
  ["two versions in headers", { lines: ["MCP-Protocol-Version: 2025-11-25"] }, "header mismatch"],
  [
    "no version in _meta",
    { body: message({ meta: '{"io.modelcontextprotocol/clientCapabilities":{}}' }) },
    "invalid params",
  ],
  ["no _meta", { body: message({ meta: undefined }) }, "invalid params"],
  [
    "no capabilities in _meta",
    { body: message({ meta: '{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}' }) },
    "invalid params",
  ],
  [
    "capabilities that are a number",
    {
      body: message({
        meta: '{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":1}',
      }),
    },
    "invalid params",
  ],
  [
    "a version that never was, twice",
    {
      headers: { "MCP-Protocol-Version": "2099-01-01" },
      body: message({
        meta: '{"io.modelcontextprotocol/protocolVersion":"2099-01-01","io.modelcontextprotocol/clientCapabilities":{}}',
      }),
    },
    "no such version",
  ],
];

export const ENVELOPE: readonly Hostile[] = [
  ...Object.entries(WRONG).flatMap(([member, values]) =>
    values.map((value) => ({
      name: `${member} ${value ?? "missing"}`,
      send: [request({ body: message({ [member]: value }) })],
      expect: "invalid request" as const,
    })),
  ),
  ...Object.entries(TWICE).map(([name, parts]) => ({
    name,
    send: [request({ body: message(parts) })],
    expect: "invalid request" as const,
  })),
  ...NAMES.map(([name, expect]) => ({
    name: `tool ${name.slice(0, 40)}`,
    send: [request({ headers: { "Mcp-Name": name }, body: message({ name: JSON.stringify(name) }) })],
    expect,
  })),
  ...METHODS.map((method) => ({
    name: `method ${method.slice(0, 40)} with an id`,
    send: [request({ headers: { "Mcp-Method": method }, body: message({ method: JSON.stringify(method) }) })],
    expect: "unknown method" as const,
  })),
  ...MESSAGES.map(([name, parts, expect]) => ({ name, send: [request({ body: message(parts) })], expect })),
  ...HEADER_CASES.map(([name, parts, expect]) => ({ name, send: [request(parts)], expect })),
];
