import type { UpstreamCredential } from "../../config/types.ts";

/** Headers as undici takes them: names and values in turn. */
export type HeaderList = readonly string[];

/** The headers of every message to one upstream. Nothing of the caller's own headers is among them. */
export function commonHeaders(credential: UpstreamCredential): HeaderList {
  return [
    "content-type",
    "application/json",
    "accept",
    "application/json, text/event-stream",
    "accept-encoding",
    "identity",
    ...credentialHeader(credential),
  ];
}

/** The credential that the gateway shows to an upstream. */
export function credentialHeader(credential: UpstreamCredential): HeaderList {
  switch (credential.kind) {
    case "none":
      return [];
    case "bearer":
      return ["authorization", `Bearer ${credential.token}`];
    case "header":
      return [credential.name, credential.value];
    default:
      return credential satisfies never;
  }
}

/** Methods whose target is repeated in a header, so that proxies can route by it. */
const NAMED_METHODS: ReadonlySet<string> = new Set([
  "tools/call",
  "prompts/get",
  "resources/read",
  "tasks/get",
  "tasks/update",
  "tasks/cancel",
]);

/** The headers that repeat a message of 2026-07-28. */
export function messageHeaders(method: string, target: string | undefined): string[] {
  const headers = ["mcp-protocol-version", "2026-07-28", "mcp-method", method];
  if (target !== undefined && NAMED_METHODS.has(method)) headers.push("mcp-name", encodeHeaderValue(target));
  return headers;
}

const PLAIN = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/;
const MARKED = /^=\?base64\?.*\?=$/s;

/** A text as the value of an `Mcp-*` header: as it is, or in Base64 with marks where a header cannot carry it. */
export function encodeHeaderValue(text: string): string {
  if (PLAIN.test(text) && !MARKED.test(text)) return text;
  return `=?base64?${Buffer.from(text).toString("base64")}?=`;
}
