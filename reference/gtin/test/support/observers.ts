// The clients that call the tools: the official ones and plain HTTP. Each returns the message that arrived.
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

export const OBSERVERS = ["v1", "v2 legacy", "v2 modern", "plain HTTP"] as const;
export type Observer = (typeof OBSERVERS)[number];

export interface ToolCall {
  readonly tool: string;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly token?: string | undefined;
  /** The address of the REST API, if the arguments do not make it. */
  readonly path?: string | undefined;
  /**
   * The dialect, selected in the address.
   *
   * @default the dialect of the server
   */
  readonly dialect?: string;
  readonly meta?: Readonly<Record<string, unknown>>;
}

export interface Observation {
  /** HTTP status of the last answer. */
  readonly status: number;
  /** The JSON-RPC message that arrived. */
  readonly message: Message;
  /** The name of the error that the client threw. */
  readonly threw?: string;
}

interface Message {
  readonly result?: Readonly<Record<string, unknown>> & {
    readonly isError?: boolean;
    readonly structuredContent?: unknown;
    readonly content?: readonly { readonly text?: string }[];
    readonly error?: { readonly code: number; readonly message: string; readonly data: Record<string, unknown> };
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Record<string, unknown> };
}

const INFO = { name: "observer", version: "1.0.0" };
const MODERN = { versionNegotiation: { mode: { pin: "2026-07-28" } } } as const;

/** Calls a tool, and returns what arrived. */
export function observe(observer: Observer, server: string, toolCall: ToolCall): Promise<Observation> {
  const query = toolCall.dialect === undefined ? "" : `?dialect=${toolCall.dialect}`;
  const url = new URL(`/mcp${query}`, server);
  return observer === "plain HTTP" ? plain(url, toolCall) : official(observer, url, toolCall);
}

async function official(observer: Exclude<Observer, "plain HTTP">, url: URL, toolCall: ToolCall): Promise<Observation> {
  let status = 0;
  let body = "";
  const watched: typeof fetch = async (...args) => {
    const response = await fetch(...args);
    status = response.status;
    if (!response.ok) body = await response.clone().text();
    return response;
  };
  const options = { fetch: watched, requestInit: { headers: credentials(toolCall) } };
  const client = observer === "v1" ? new ClientV1(INFO) : new ClientV2(INFO, observer === "v2 modern" ? MODERN : {});
  const transport = observer === "v1" ? new TransportV1(url, options) : new TransportV2(url, options);
  let message: Message = {};
  // A handler that is set before connecting runs before the client's own.
  Object.assign(transport, { onmessage: (one: Message) => (message = one) });
  await client.connect(transport as never);
  message = {};
  body = "";
  try {
    const { tool: name, args = {}, meta } = toolCall;
    await client.callTool({ name, arguments: { ...args }, ...(meta !== undefined && { _meta: { ...meta } }) });
    return { status, message };
  } catch (thrown) {
    const came = body === "" ? message : (JSON.parse(body) as Message);
    return { status, message: came, threw: (thrown as Error).constructor.name };
  } finally {
    await client.close();
  }
}

async function plain(url: URL, toolCall: ToolCall): Promise<Observation> {
  const response = await postCall(url, toolCall);
  return { status: response.status, message: (await response.json()) as Message };
}

/** The tools as the official client lists them. */
export async function listTools(server: string): Promise<Awaited<ReturnType<ClientV2["listTools"]>>> {
  const client = new ClientV2(INFO);
  await client.connect(new TransportV2(new URL("/mcp", server)));
  try {
    return await client.listTools();
  } finally {
    await client.close();
  }
}

/** The call as a request of the newest revision, without any client. */
export function postCall(url: URL, toolCall: ToolCall): Promise<Response> {
  const { tool: name, args = {}, meta = {} } = toolCall;
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": INFO,
    "io.modelcontextprotocol/clientCapabilities": {},
    ...meta,
  };
  return fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": name,
      ...credentials(toolCall),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args, _meta } }),
  });
}

/** The same operation of the REST API. */
const SUFFIXES: Readonly<Record<string, string>> = {
  validate_gtin: "validate",
  resolve_gtin: "resolve",
  lookup_product: "product",
  generate_qr_url: "qr",
  claim_gtin: "claim",
};

export interface RestObservation {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

export async function observeRest(server: string, toolCall: ToolCall): Promise<RestObservation> {
  const { gtin = "", ...rest } = { ...toolCall.args } as Record<string, string>;
  const own = toolCall.tool === "ping" ? "/v1/ping" : `/v1/gtin/${encodeURIComponent(gtin)}/${SUFFIXES[toolCall.tool]}`;
  const url = new URL(toolCall.path ?? `${own}?${new URLSearchParams(rest)}`, server);
  const method = toolCall.tool === "claim_gtin" ? "PUT" : "GET";
  const response = await fetch(url, { method, headers: credentials(toolCall) });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as RestObservation["body"],
  };
}

function credentials({ token }: ToolCall): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}
