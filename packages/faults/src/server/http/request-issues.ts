import { LATEST_REVISION, VERSION_KEY } from "../../dialects/mcp/table.ts";
import type { Issue } from "../../fault/fault.ts";
import { memberAt, objectAt, stringAt } from "../../json/read.ts";
import { metaIn, type Received, revisionFor } from "./received.ts";

// What a handler found wrong is computed again from the request, since its own sentences may contain what was received.

/** The members of `_meta` that every request of the newer era has, and their types. */
const ENVELOPE: readonly (readonly [key: string, type: "string" | "object"])[] = [
  [VERSION_KEY, "string"],
  ["io.modelcontextprotocol/clientCapabilities", "object"],
];

/** What is wrong with the `_meta` of a message. */
export function paramIssues(received: Received): readonly Issue[] {
  if (revisionFor(received) !== LATEST_REVISION) return [];
  const meta = metaIn(received.message);
  const issues: Issue[] = [];
  for (const [key, type] of ENVELOPE) {
    const value = memberAt(meta, key);
    if (value !== undefined && typeof value === type && value !== null) continue;
    issues.push({
      pointer: "/_meta",
      rule: value === undefined ? "required" : "type",
      expected: `${key}: ${type}`,
    });
  }
  return issues;
}

/** A header that repeats a part of the message. */
interface Repeated {
  readonly name: string;
  /** The same in lower case. */
  readonly key: string;
  readonly from: (message: unknown) => string | undefined;
}

const HEADERS: readonly Repeated[] = [
  {
    name: "MCP-Protocol-Version",
    key: "mcp-protocol-version",
    from: (message) => stringAt(metaIn(message), VERSION_KEY),
  },
  { name: "Mcp-Method", key: "mcp-method", from: (message) => stringAt(message, "method") },
  {
    name: "Mcp-Name",
    key: "mcp-name",
    from: (message) => {
      if (!NAMED.has(stringAt(message, "method") ?? "")) return undefined;
      const params = objectAt(message, "params");
      return stringAt(params, "name") ?? stringAt(params, "uri");
    },
  },
];
const NAMED = new Set(["tools/call", "prompts/get", "resources/read"]);

/** Headers that are missing or differ from the message. */
export function headerIssues(received: Received): readonly Issue[] {
  const issues: Issue[] = [];
  for (const { name, key, from } of HEADERS) {
    const expected = from(received.message);
    const header = received.header(key) ?? undefined;
    if (expected === undefined || header === expected || decodeHeader(header) === expected) continue;
    const rule = header === undefined ? "required" : "custom";
    issues.push({ pointer: "", rule, expected: `header ${name} as in the message` });
  }
  return issues;
}

const ENCODED = /^=\?base64\?([A-Za-z0-9+/]{0,8192}={0,2})\?=$/;

/** Names that a header cannot hold are written in Base64. Undefined where it is not. */
function decodeHeader(header: string | undefined): string | undefined {
  const encoded = ENCODED.exec(header ?? "")?.[1];
  if (encoded === undefined) return undefined;
  try {
    const bytes = Uint8Array.from(atob(encoded), (one) => one.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
