// One call over HTTP by a caller whom an authenticator has described, to a server of the official SDK.
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { type Fault, readFault } from "../../../src/index.ts";
import type { Era } from "../sdk-pairs.ts";

/** A call with an idempotency key. */
export interface KeyedRequest {
  /** @default none: the request is anonymous */
  readonly auth?: unknown;
  readonly tool: string;
  /** @default {} */
  readonly args?: object;
  readonly key: string;
  /** Further headers. @default none */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The answer to a call. */
export interface KeyedAnswer {
  readonly text: string | undefined;
  readonly fault: Fault | undefined;
}

type Serve = (make: () => object, request: Request, authInfo: never) => Promise<Response>;
const serveV2: Serve = (make, request, authInfo) =>
  createMcpHandler(make as never).fetch(request, authInfo === undefined ? {} : { authInfo });

const SERVE: Readonly<Record<Era, Serve>> = {
  "v2 modern": serveV2,
  "v2 legacy": serveV2,
  async v1(make, request, authInfo) {
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await (make() as { connect(to: unknown): Promise<void> }).connect(transport);
    return transport.handleRequest(request, authInfo === undefined ? {} : { authInfo });
  },
};

const MODERN_META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "c", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** The HTTP request of a call. */
function requestOf(era: Era, { tool, args = {}, key, headers }: KeyedRequest): Request {
  const isModern = era === "v2 modern";
  const _meta = { ...(isModern && MODERN_META), "recourse/call": { key } };
  const params = { name: tool, arguments: args, _meta };
  return new Request("http://127.0.0.1/mcp", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": isModern ? "2026-07-28" : "2025-06-18",
      ...(isModern && { "mcp-method": "tools/call", "mcp-name": tool }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  });
}

interface Message {
  readonly result?: {
    readonly content?: readonly { readonly text?: string }[];
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
}

/** The answer in an HTTP response, which may be JSON or a stream of events. */
async function answerIn(response: Response): Promise<KeyedAnswer> {
  const body = await response.text();
  const line = body.split("\n").find((one) => one.startsWith("data: {"));
  const { result } = JSON.parse(line?.slice("data: ".length) ?? body) as Message;
  return { text: result?.content?.[0]?.text, fault: readFault(result?._meta?.["recourse/fault"]) };
}

/** Makes a call; `make` creates the server of the request. */
export async function callAs(era: Era, make: () => object, request: KeyedRequest): Promise<KeyedAnswer> {
  return answerIn(await SERVE[era](make, requestOf(era, request), request.auth as never));
}
