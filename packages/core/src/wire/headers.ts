// What the HTTP headers of a message say, and where they differ from it.
import { type JsonObject, memberAt, objectAt, stringAt } from "./json.ts";
import type { MessageIssue } from "./message.ts";
import { CLIENT_CAPABILITIES_KEY, VERSION_KEY } from "./names.ts";
import {
  hasRequestMeta,
  isLaterVersion,
  LATEST_REVISION,
  parseRevision,
  REVISIONS,
  type Revision,
} from "./revisions.ts";

/** A message and the headers that it came with, whatever server received them. */
export interface Received {
  /** The value of a header, by its name in lower case. */
  header(name: string): string | null | undefined;
  /** The parsed message; undefined if it is not known. */
  readonly message: unknown;
}

/** The `_meta` of the message. */
export function metaIn(message: unknown): JsonObject | undefined {
  return objectAt(objectAt(message, "params"), "_meta");
}

export function requestedVersion(received: Received): unknown {
  return received.header("mcp-protocol-version") ?? memberAt(metaIn(received.message), VERSION_KEY);
}

/** The revision whose codes the client knows: by its header, else by the `_meta` of its message. */
export function revisionFor(received: Received): Revision {
  const named = requestedVersion(received);
  const known = REVISIONS.find((revision) => revision === named);
  if (known !== undefined) return known;
  // A client of a later revision is closest to the newest one.
  if (isLaterVersion(named)) return LATEST_REVISION;
  const stated = memberAt(metaIn(received.message), VERSION_KEY);
  return stated === undefined ? parseRevision(undefined) : LATEST_REVISION;
}

/** The members that a revision with `hasRequestMeta` requires in `_meta`, and their types. */
const REQUIRED_META: readonly (readonly [key: string, type: "string" | "object"])[] = [
  [VERSION_KEY, "string"],
  [CLIENT_CAPABILITIES_KEY, "object"],
];

/** What is wrong with the `_meta` of a message. */
export function paramIssues(received: Received): readonly MessageIssue[] {
  if (!hasRequestMeta(revisionFor(received))) return [];
  const meta = metaIn(received.message);
  const issues: MessageIssue[] = [];
  for (const [key, type] of REQUIRED_META) {
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

interface RepeatingHeader {
  readonly name: string;
  readonly key: string;
  readonly from: (message: unknown) => string | undefined;
}

/** The methods that are about one thing, and the members that name it: the first that is there counts. */
const TARGET_MEMBERS: ReadonlyMap<string, readonly string[]> = new Map([
  ["tools/call", ["name", "uri"]],
  ["prompts/get", ["name", "uri"]],
  ["resources/read", ["name", "uri"]],
  ["tasks/get", ["taskId"]],
  ["tasks/update", ["taskId"]],
  ["tasks/cancel", ["taskId"]],
]);

const REPEATING_HEADERS: readonly RepeatingHeader[] = [
  {
    name: "MCP-Protocol-Version",
    key: "mcp-protocol-version",
    from: (message) => stringAt(metaIn(message), VERSION_KEY),
  },
  { name: "Mcp-Method", key: "mcp-method", from: (message) => stringAt(message, "method") },
  { name: "Mcp-Name", key: "mcp-name", from: targetIn },
];

/** What a message is about; undefined if headers do not repeat it. */
function targetIn(message: unknown): string | undefined {
  const params = objectAt(message, "params");
  for (const member of TARGET_MEMBERS.get(stringAt(message, "method") ?? "") ?? []) {
    const target = stringAt(params, member);
    if (target !== undefined) return target;
  }
  return undefined;
}

/** Headers that are missing or differ from the message. */
export function headerIssues(received: Received): readonly MessageIssue[] {
  const issues: MessageIssue[] = [];
  for (const { name, key, from } of REPEATING_HEADERS) {
    const expected = from(received.message);
    const header = received.header(key) ?? undefined;
    if (expected === undefined || header === expected || decodeHeader(header) === expected) continue;
    const rule = header === undefined ? "required" : "custom";
    issues.push({ pointer: "", rule, expected: `header ${name} as in the message` });
  }
  return issues;
}

const PLAIN_HEADER = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/;
const MARKED_HEADER = /^=\?base64\?.*\?=$/s;

/** A text as the value of an `Mcp-*` header: as it is, or in Base64 with marks if a header cannot carry it. */
export function encodeHeaderValue(text: string): string {
  if (PLAIN_HEADER.test(text) && !MARKED_HEADER.test(text)) return text;
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte));
  return `=?base64?${btoa(bytes.join(""))}?=`;
}

const BASE64_HEADER = /^=\?base64\?([A-Za-z0-9+/]{0,8192}={0,2})\?=$/;

/** Names that a header cannot hold are written in Base64. Undefined if it is not. */
function decodeHeader(header: string | undefined): string | undefined {
  const encoded = BASE64_HEADER.exec(header ?? "")?.[1];
  if (encoded === undefined) return undefined;
  try {
    const bytes = Uint8Array.from(atob(encoded), (one) => one.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const MAX_ACCEPT_LENGTH = 2_048;

/** Whether a client prefers a problem document to a JSON-RPC error; without a preference it does not. */
export function prefersProblem(accept: string | null): boolean {
  if (accept === null || accept.length > MAX_ACCEPT_LENGTH) return false;
  const ranges = accept.split(",").map(readRange);
  // A range with a wild card names no preference for problems.
  const problem = ranges.find(({ type }) => type === "application/problem+json")?.weight ?? 0;
  const plain = ["application/json", "application/*", "*/*"]
    .map((type) => ranges.find((range) => range.type === type)?.weight)
    .find((weight) => weight !== undefined);
  return problem > (plain ?? 0);
}

function readRange(range: string): { readonly type: string; readonly weight: number } {
  const [type = "", ...params] = range.split(";").map((part) => part.trim().toLowerCase());
  const q = params.find((param) => param.startsWith("q="))?.slice(2);
  const weight = q === undefined ? 1 : Number(q);
  return { type, weight: Number.isFinite(weight) ? weight : 0 };
}

/**
 * The `Authorization` header of a client that proves itself with a secret (RFC 6749). Characters that need no escape stay as they
 * are: servers that decode the header read the same, and so do those that forget to.
 */
export function basicAuthorization(id: string, secret: string): string {
  return `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`)}`;
}
