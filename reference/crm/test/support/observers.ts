// The clients that call the tools: the official ones and plain HTTP. Each returns the message that arrived.
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { headersOf, restRequest, type ToolCall } from "./tool-call.ts";

const OFFICIAL = ["v1", "v2 legacy", "v2 modern"] as const;
export const OBSERVERS = [...OFFICIAL, "plain HTTP"] as const;
export type Observer = (typeof OBSERVERS)[number];

export interface Message {
  readonly result?: {
    readonly isError?: boolean;
    readonly content?: readonly { readonly text: string }[];
    readonly structuredContent?: Readonly<Record<string, unknown>>;
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface Observation {
  /** HTTP status of the last answer. */
  readonly status: number;
  /** The JSON-RPC message that arrived. */
  readonly message: Message;
  /** The name of the error that the client threw. */
  readonly threw?: string;
  /** The answer to the client's GET request for a stream. */
  readonly stream?: { readonly status: number; readonly message: Message };
}

const INFO = { name: "observer", version: "1.0.0" };
const MODERN = { versionNegotiation: { mode: { pin: "2026-07-28" } } } as const;

/** Calls a tool, and returns what arrived. */
export function observe(observer: Observer, mcp: string, toolCall: ToolCall): Promise<Observation> {
  const url = new URL("/mcp", mcp);
  return observer === "plain HTTP" ? plain(url, toolCall) : official(observer, url, toolCall);
}

/** Records the answers to a client. */
function watch() {
  const posts: { readonly status: number; readonly text: Promise<string> }[] = [];
  const streams: Promise<Observation["stream"]>[] = [];
  const watched: typeof fetch = async (input, init) => {
    const pending = fetch(input, init);
    const text = pending.then((response) => (response.ok ? "" : response.clone().text()));
    if (init?.method === "GET")
      streams.push(pending.then(async ({ status }) => ({ status, message: JSON.parse(await text) as Message })));
    const response = await pending;
    if (init?.method !== "GET") posts.push({ status: response.status, text });
    return response;
  };
  return { posts, streams, fetch: watched };
}

async function official(observer: (typeof OFFICIAL)[number], url: URL, toolCall: ToolCall): Promise<Observation> {
  const { posts, streams, fetch } = watch();
  const options = { fetch, requestInit: { headers: headersOf(toolCall) } };
  const client = observer === "v1" ? new ClientV1(INFO) : new ClientV2(INFO, observer === "v2 modern" ? MODERN : {});
  const transport = observer === "v1" ? new TransportV1(url, options) : new TransportV2(url, options);
  let message: Message = {};
  // A handler that is set before connecting runs before the client's own.
  Object.assign(transport, { onmessage: (one: Message) => (message = one) });
  let threw: string | undefined;
  try {
    await client.connect(transport as never);
    message = {};
    await client.callTool({ name: toolCall.tool, arguments: (toolCall.args ?? {}) as never });
  } catch (thrown) {
    threw = (thrown as Error).constructor.name;
  }
  const last = posts.at(-1);
  const refused = (await last?.text) ?? "";
  const [stream] = await Promise.all(streams);
  await client.close();
  return {
    status: last?.status ?? 0,
    message: refused === "" ? message : (JSON.parse(refused) as Message),
    ...(threw !== undefined && { threw }),
    ...(stream !== undefined && { stream }),
  };
}

async function plain(url: URL, toolCall: ToolCall): Promise<Observation> {
  const response = await fetch(callRequest(url, toolCall));
  return { status: response.status, message: (await response.json()) as Message };
}

/** The call as a request of the newest revision, without any client. */
function callRequest(url: URL, toolCall: ToolCall): Request {
  const { tool: name, args = {} } = toolCall;
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": INFO,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return new Request(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": name,
      ...headersOf(toolCall),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args, _meta } }),
  });
}

export interface RestObservation {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The same call over the REST API. */
export async function observeRest(rest: string, toolCall: ToolCall): Promise<RestObservation> {
  const response = await fetch(restRequest(rest, toolCall));
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: JSON.parse(text) as RestObservation["body"],
  };
}
