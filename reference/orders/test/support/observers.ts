// The clients that call the tools: the official ones and plain HTTP. Each returns the message that arrived.
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { AdapterName } from "../../src/mcp/start.ts";

export const OBSERVERS = ["v1", "v2 legacy", "v2 modern", "plain HTTP"] as const;
export type Observer = (typeof OBSERVERS)[number];

export interface ToolCall {
  readonly adapter: AdapterName;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /**
   * The dialect, selected in the address.
   *
   * @default the dialect of the server
   */
  readonly dialect?: string;
  readonly meta?: Readonly<Record<string, unknown>>;
}

export interface Message {
  readonly result?: Readonly<Record<string, unknown>> & {
    readonly isError?: boolean;
    readonly structuredContent?: unknown;
    readonly content?: readonly { readonly text?: string }[];
    readonly error?: ErrorResponse;
  };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Record<string, unknown> };
}

/** The error object of the system's document. */
export interface ErrorResponse {
  readonly code: number;
  readonly message: string;
  readonly retryable: boolean;
  readonly details?: Readonly<Record<string, unknown>>;
}

const INFO = { name: "observer", version: "1.0.0" };
const MODERN = { versionNegotiation: { mode: { pin: "2026-07-28" } } } as const;

/** Calls a tool, and returns the JSON-RPC message that arrived. Throws what the client throws. */
export function observe(observer: Observer, server: string, toolCall: ToolCall): Promise<Message> {
  const query = toolCall.dialect === undefined ? "" : `?dialect=${toolCall.dialect}`;
  const url = new URL(`/${toolCall.adapter}${query}`, server);
  return observer === "plain HTTP" ? plain(url, toolCall) : official(observer, url, toolCall);
}

async function official(observer: Exclude<Observer, "plain HTTP">, url: URL, toolCall: ToolCall): Promise<Message> {
  const client = observer === "v1" ? new ClientV1(INFO) : new ClientV2(INFO, observer === "v2 modern" ? MODERN : {});
  const transport = observer === "v1" ? new TransportV1(url) : new TransportV2(url);
  let message: Message = {};
  // A handler that is set before connecting runs before the client's own.
  Object.assign(transport, { onmessage: (one: Message) => (message = one) });
  await client.connect(transport as never);
  try {
    const { tool: name, args, meta } = toolCall;
    await client.callTool({ name, arguments: { ...args }, ...(meta !== undefined && { _meta: { ...meta } }) });
    return message;
  } finally {
    await client.close();
  }
}

/** The call as a request of the newest revision, without any client. */
async function plain(url: URL, toolCall: ToolCall): Promise<Message> {
  const { tool: name, args, meta = {} } = toolCall;
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": INFO,
    "io.modelcontextprotocol/clientCapabilities": {},
    ...meta,
  };
  const response = await post(url, {
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args, _meta } }),
    headers: { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": name },
  });
  return (await response.json()) as Message;
}

export interface Posted {
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a body to the server unchanged. */
export function post(url: URL, { body, headers }: Posted): Promise<Response> {
  const types = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  return fetch(url, { method: "POST", headers: { ...types, ...headers }, body });
}
