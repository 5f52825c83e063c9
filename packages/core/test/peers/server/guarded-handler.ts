// A small server of the SDK behind a guarded HTTP handler, and requests for it.
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Incident } from "../../../src/incidents/incident.ts";
import { guardHandler } from "../../../src/server/http/guard-handler.ts";
import type { HandlerOptions } from "../../../src/server/http/options.ts";
import { formatId } from "../../../src/wire/ids.ts";

export const SECRET = "postgres://user:hunter2@db.internal/prod";
const NOW = Date.parse("2026-01-02T03:04:05.000Z");
export const ID = "01KDYAK3480000000000000000";
export const incidents: Incident[] = [];
export const fixed = {
  sink: (incident: Incident) => incidents.push(incident),
  testing: { clock: { now: () => NOW, monotonic: () => NOW }, createId: () => formatId(NOW, new Uint8Array(16)) },
} satisfies HandlerOptions;

export function server(): McpServer {
  const mcp = new McpServer({ name: "s", version: "1" });
  mcp.registerTool("echo", { inputSchema: z.object({ text: z.string() }) }, ({ text }, context) => {
    const who = context.http?.authInfo?.clientId ?? "nobody";
    return { content: [{ type: "text", text: `${who}: ${text}` }] };
  });
  return mcp;
}

export const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "c", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
export const call = (text = "hi", id: unknown = 7) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: "echo", arguments: { text }, _meta: META },
});
export const MODERN = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  "mcp-protocol-version": "2026-07-28",
  "mcp-method": "tools/call",
  "mcp-name": "echo",
};
export function post(body: unknown = call(), headers: Record<string, string> = {}, init: RequestInit = {}): Request {
  const text = typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
  return new Request("http://127.0.0.1/mcp", {
    method: "POST",
    headers: { ...MODERN, ...headers },
    body: text as string,
    ...init,
  });
}

export interface Wire {
  readonly id?: unknown;
  readonly result?: { readonly content: readonly { readonly text: string }[] };
  readonly error?: { readonly code: number; readonly message: string; readonly data: Record<string, unknown> };
}
export async function read(response: Response): Promise<{ status: number; body: Wire; reason: unknown }> {
  const body = (await response.json()) as Wire;
  const fault = body.error?.data?.["recourse/fault"] as { reason?: unknown } | undefined;
  return { status: response.status, body, reason: fault?.reason };
}
export const guarded = (options: HandlerOptions = {}, create: () => McpServer = server) =>
  guardHandler(createMcpHandler(create), { ...fixed, ...options });
