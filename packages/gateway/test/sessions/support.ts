import { request } from "undici";
import { post, type RawAnswer } from "../support/post.ts";

const HEADERS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  "mcp-protocol-version": "2025-11-25",
};

/** What a request of the older era can have. */
export interface OlderRequest {
  readonly session?: string | undefined;
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

function headersFor({ session, key, headers }: OlderRequest): Record<string, string> {
  return {
    ...HEADERS,
    ...(session !== undefined && { "mcp-session-id": session }),
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    ...headers,
  };
}

/** Sends a request as a client of the older era. */
export function send(url: URL, method: string, params: object, options: OlderRequest = {}): Promise<RawAnswer> {
  return post(url, JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }), headersFor(options));
}

/** The result of a request that has to succeed. */
export async function resultFor(url: URL, method: string, params: object, options: OlderRequest = {}) {
  const answer = await send(url, method, params, options);
  const { result } = answer.json();
  if (result === undefined) throw new Error(`${answer.status} ${answer.text}`);
  return result as Record<string, unknown>;
}

/** Begins a session, and gives its id. */
export async function initialize(
  url: URL,
  { key, capabilities = {} }: { readonly key?: string; readonly capabilities?: object } = {},
): Promise<string> {
  const params = { protocolVersion: "2025-11-25", capabilities, clientInfo: { name: "test", version: "1.0.0" } };
  const answer = await send(url, "initialize", params, { key });
  const id = answer.headers["mcp-session-id"];
  if (typeof id !== "string") throw new Error(`no session: ${answer.status} ${answer.text}`);
  return id;
}

/** Ends a session. */
export async function terminate(url: URL, options: OlderRequest): Promise<RawAnswer> {
  const { "content-type": _, ...headers } = headersFor(options);
  const answer = await request(url, { method: "DELETE", headers });
  const text = await answer.body.text();
  return { status: answer.statusCode, headers: answer.headers, text, json: () => JSON.parse(text) };
}

/** The reason of a fault. */
export function reasonIn(answer: RawAnswer): string | undefined {
  const { error } = answer.json() as { readonly error?: { readonly data?: Record<string, { reason: string }> } };
  return error?.data?.["recourse/fault"]?.reason;
}
