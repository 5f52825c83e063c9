// The official clients, connected to a peer that somebody else serves.
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Era } from "../peers.ts";

/** What the tests ask of every version of the client. */
export interface Caller {
  call(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<unknown>;
  listTools(): Promise<{ tools: { name: string }[] }>;
  capabilities(): { extensions?: Record<string, unknown> } | undefined;
  close(): Promise<void>;
}

interface CallOptions {
  readonly timeout?: number;
  readonly signal?: AbortSignal;
  readonly meta?: Record<string, unknown>;
}

const INFO = { name: "caller", version: "1.0.0" };
const MODERN = { versionNegotiation: { mode: { pin: "2026-07-28" } } } as const;

/** Connects a client of one era. */
export async function connectTo(era: Era, url: URL): Promise<Caller> {
  if (era === "v1") {
    const client = new ClientV1(INFO);
    // A peer that breaks the rules is no reason to break the test.
    client.onerror = () => {};
    await client.connect(new TransportV1(url) as never);
    return {
      call: (name, args = {}, { meta, ...options } = {}) =>
        client.callTool({ name, arguments: args, ...(meta && { _meta: meta }) }, undefined, options),
      listTools: () => client.listTools(),
      capabilities: () => client.getServerCapabilities() as never,
      close: () => client.close(),
    };
  }
  const client = new ClientV2(INFO, era === "v2 modern" ? MODERN : {});
  client.onerror = () => {};
  await client.connect(new TransportV2(url));
  return {
    call: (name, args = {}, { meta, ...options } = {}) =>
      client.callTool({ name, arguments: args, ...(meta && { _meta: meta }) }, options),
    listTools: () => client.listTools() as never,
    capabilities: () => client.getServerCapabilities() as never,
    close: () => client.close(),
  };
}
