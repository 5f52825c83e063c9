// Requests as bytes: what no HTTP client would send.

/** The key of the caller. */
export const KEY = "rk_hostile_5f1d0c7b2a9e4d68";

const META = '{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}';

/** Headers of a good call. */
const HEADERS: Readonly<Record<string, string>> = {
  Host: "127.0.0.1",
  Authorization: `Bearer ${KEY}`,
  "Content-Type": "application/json",
  Accept: "application/json, text/event-stream",
  "MCP-Protocol-Version": "2026-07-28",
  "Mcp-Method": "tools/call",
  "Mcp-Name": "up__echo",
};

/** A call as text; each member as it is to be written, or undefined to leave it out. */
export interface MessageParts {
  readonly jsonrpc?: string | undefined;
  readonly id?: string | undefined;
  readonly method?: string | undefined;
  readonly name?: string | undefined;
  readonly args?: string | undefined;
  readonly meta?: string | undefined;
  readonly params?: string | undefined;
  /** Members after the others, with their commas: `,"x":1`. */
  readonly more?: string;
  /** Members of the params after the others, with their commas. */
  readonly moreParams?: string;
}

const PARTS = { jsonrpc: '"2.0"', id: "7", method: '"tools/call"', name: '"up__echo"', args: "{}", meta: META };

/** Writes a message; without changes it is a good call. */
export function message(changes: MessageParts = {}): string {
  const {
    jsonrpc,
    id,
    method,
    name,
    args,
    meta,
    params,
    more = "",
    moreParams = "",
  } = { ...PARTS, ...changes } as MessageParts;
  const inner = members({ name, arguments: args, _meta: meta });
  const given = "params" in changes ? params : `{${inner}${moreParams}}`;
  return `{${members({ jsonrpc, id, method, params: given })}${more}}`;
}

function members(of: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(of)
    .flatMap(([key, value]) => (value === undefined ? [] : [`"${key}":${value}`]))
    .join(",");
}

/** A `_meta` in order, with more members: `,"x":1`. */
export const metaWith = (more: string): string => `${META.slice(0, -1)}${more}}`;

export interface RequestParts {
  /** @default "POST /mcp HTTP/1.1" */
  readonly line?: string;
  /** Headers to change, or to leave out where they are undefined. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Lines after the headers, as they are, without their ends. */
  readonly lines?: readonly string[];
  /** @default a good call */
  readonly body?: string | Buffer;
  /** Whether the length of the body is announced. @default true */
  readonly length?: boolean;
}

/** Writes a request; without changes it is a good call. */
export function request({ line, headers, lines = [], body = message(), length = true }: RequestParts = {}): Buffer {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  const given: Record<string, string | undefined> = { ...HEADERS, ...headers };
  if (length) given["Content-Length"] ??= String(bytes.length);
  const written = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
  const head = [line ?? "POST /mcp HTTP/1.1", ...written, ...lines, "", ""].join("\r\n");
  return Buffer.concat([Buffer.from(head, "latin1"), bytes]);
}

/** A body in chunks, each as it is to be written. */
export function chunked(...chunks: readonly string[]): RequestParts {
  return { headers: { "Transfer-Encoding": "chunked" }, length: false, body: chunks.join("") };
}

/** A text as one chunk. */
export const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
export const LAST_CHUNK = "0\r\n\r\n";
