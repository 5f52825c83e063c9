import { LATEST_REVISION, VERSION_KEY } from "../../dialects/mcp/table.ts";
import type { Issue } from "../../fault/fault.ts";
import { memberAt, objectAt, stringAt } from "../../json/read.ts";
import { type Exchange, messageOf, metaOf, revisionFor } from "./exchange.ts";

// What a handler found wrong is computed again from the request, since its own sentences may contain what was received.

/** The members of `_meta` that every request of the newer era has. */
const ENVELOPE = {
  [VERSION_KEY]: "string",
  "io.modelcontextprotocol/clientCapabilities": "object",
} as const;

/** What is wrong with the `_meta` of a message. */
export function paramIssues(exchange: Exchange): readonly Issue[] {
  if (revisionFor(exchange) !== LATEST_REVISION) return [];
  const meta = metaOf(exchange);
  return Object.entries(ENVELOPE).flatMap(([key, type]): Issue[] => {
    const value = memberAt(meta, key);
    if (value !== undefined && typeof value === type && value !== null) return [];
    return [{ pointer: "/_meta", rule: value === undefined ? "required" : "type", expected: `${key}: ${type}` }];
  });
}

/** Headers that repeat a part of the message. */
const HEADERS: readonly { readonly name: string; readonly from: (exchange: Exchange) => string | undefined }[] = [
  { name: "MCP-Protocol-Version", from: (exchange) => stringAt(metaOf(exchange), VERSION_KEY) },
  { name: "Mcp-Method", from: (exchange) => stringAt(messageOf(exchange), "method") },
  {
    name: "Mcp-Name",
    from: (exchange) => {
      const params = objectAt(messageOf(exchange), "params");
      return NAMED.has(stringAt(messageOf(exchange), "method") ?? "")
        ? (stringAt(params, "name") ?? stringAt(params, "uri"))
        : undefined;
    },
  },
];
const NAMED = new Set(["tools/call", "prompts/get", "resources/read"]);

/** Headers that are missing or differ from the message. */
export function headerIssues(exchange: Exchange): readonly Issue[] {
  return HEADERS.flatMap(({ name, from }): Issue[] => {
    const expected = from(exchange);
    const header = exchange.request.headers.get(name);
    // Names outside ASCII are encoded, which is not checked here.
    if (expected === undefined || header === expected || header?.startsWith("=?") === true) return [];
    return [
      { pointer: "", rule: header === null ? "required" : "custom", expected: `header ${name} as in the message` },
    ];
  });
}
