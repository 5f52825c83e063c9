// The official clients, connected to a peer.
import { type Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { createSdkClient, type Era } from "@recourse/test-kit/sdk-pairs";

/** What these tests need of a client, the same for both versions. */
export interface SdkClient {
  call(name: string, args?: Record<string, unknown>, options?: SdkCallOptions): Promise<unknown>;
  listTools(): Promise<{ tools: { name: string }[] }>;
  capabilities(): { extensions?: Record<string, unknown> } | undefined;
  close(): Promise<void>;
}

interface SdkCallOptions {
  readonly timeout?: number;
  readonly signal?: AbortSignal;
  readonly meta?: Record<string, unknown>;
}

/** Connects a client. */
export async function connectSdkClient(era: Era, url: URL): Promise<SdkClient> {
  const client = createSdkClient(era);
  // The peer breaks the protocol on purpose.
  client.onerror = () => {};
  await client.connect((era === "v1" ? new TransportV1(url) : new TransportV2(url)) as never);
  return {
    call(name, args = {}, { meta, ...options } = {}) {
      const params = { name, arguments: args, ...(meta && { _meta: meta }) };
      if (client instanceof ClientV1) return client.callTool(params, undefined, options);
      return (client as ClientV2).callTool(params, options);
    },
    listTools: () => client.listTools() as never,
    capabilities: () => client.getServerCapabilities() as never,
    close: () => client.close(),
  };
}
