import { request } from "undici";

/** An answer as it came. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The text as JSON. */
  json(): {
    readonly id?: unknown;
    readonly result?: unknown;
    readonly error?: { code: number; message: string; data?: unknown };
  };
}

/** Headers of a request of the newer era. */
export function modernHeaders(method: string, name?: string): Record<string, string> {
  return {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": method,
    ...(name !== undefined && { "mcp-name": name }),
  };
}

/** The `_meta` that every request of the newer era has, as JSON. */
export const MODERN_META =
  '"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}';

/** Sends bytes as they are. */
export async function post(
  url: URL,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = { "content-type": "application/json" },
): Promise<RawAnswer> {
  const answer = await request(url, { method: "POST", headers: { ...headers }, body });
  const text = await answer.body.text();
  return {
    status: answer.statusCode,
    headers: answer.headers,
    text,
    json: () => JSON.parse(text) as ReturnType<RawAnswer["json"]>,
  };
}

/** Calls the tool of a stub, as a client of the newer era; `args` is the text of the arguments. */
export function callEcho(url: URL, args = "{}", id = "1"): Promise<RawAnswer> {
  return callTool(url, "echo", { args, id });
}

/** Calls a tool of a stub, as a client of the newer era. */
export function callTool(
  url: URL,
  tool: string,
  {
    args = "{}",
    id = "1",
    deadlineMs,
  }: { readonly args?: string; readonly id?: string; readonly deadlineMs?: number } = {},
): Promise<RawAnswer> {
  const limit = deadlineMs === undefined ? "" : `,"recourse/call":{"id":"c","attempt":1,"deadlineMs":${deadlineMs}}`;
  const params = `{"name":"up__${tool}","arguments":${args},"_meta":{${MODERN_META}${limit}}}`;
  const body = `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params}}`;
  return post(url, body, modernHeaders("tools/call", `up__${tool}`));
}
