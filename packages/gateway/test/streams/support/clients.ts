// Clients of the official SDK, version 1, which open the stream of their session by themselves; and a client that reads slowly.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { onTestFinished } from "vitest";
import { createApiKey } from "../../../src/auth/api-keys.ts";
import { sha256Hex } from "../../../src/call/binding.ts";
import type { GatewayConfig, KeyConfig } from "../../../src/config/types.ts";
import { ownFetch } from "../../support/own-fetch.ts";

/** The keys of two callers of different tenants. */
export const ADA = createApiKey().key;
export const BOB = createApiKey().key;

const keyConfig = (key: string, tenant: string, tools: readonly string[] = ["*"]): KeyConfig => ({
  id: tenant,
  tenant,
  sha256: sha256Hex(key),
  tools,
  scopes: [],
  entitlements: [],
  dialect: undefined,
});

/** A gateway that knows both callers; `bobTools` are the tools that the second one sees. */
export function bothCallers(bobTools: readonly string[] = ["*"]): Partial<GatewayConfig> {
  return { authentication: "required", keys: [keyConfig(ADA, "ada"), keyConfig(BOB, "bob", bobTools)] };
}

/** A connected client, with the notifications that came to it. */
export interface StreamClient {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
  /** URIs of the resources that were updated. */
  readonly updated: string[];
  /** Methods of the notifications that a list has changed. */
  readonly changed: string[];
  /** How often the client has opened a stream. */
  streams(): number;
  /** Breaks the connections of the open streams. */
  breakStreams(): void;
}

/** Connects a client. It is closed when the test has ended. */
export async function connect(
  url: URL,
  { key = ADA, opensStream = true, capabilities = { roots: { listChanged: true } } as object } = {},
): Promise<StreamClient> {
  const fetchHere = ownFetch();
  let streams = 0;
  let broken = new AbortController();
  const breakStreams = () => {
    broken.abort();
    broken = new AbortController();
  };
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: { "x-api-key": key } },
    async fetch(target, init) {
      if (init?.method !== "GET") return fetchHere(target, init);
      if (!opensStream) return new Response(null, { status: 405 });
      const signal = AbortSignal.any([broken.signal, ...(init.signal ? [init.signal] : [])]);
      const answer = await fetchHere(target, { ...init, signal });
      if (answer.ok) streams += 1;
      return answer;
    },
    reconnectionOptions: {
      initialReconnectionDelay: 50,
      maxReconnectionDelay: 200,
      reconnectionDelayGrowFactor: 1.5,
      maxRetries: 20,
    },
  });
  const client = new Client({ name: "test", version: "1.0.0" }, { capabilities });
  const updated: string[] = [];
  const changed: string[] = [];
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void updated.push(params.uri));
  client.setNotificationHandler(ToolListChangedNotificationSchema, ({ method }) => void changed.push(method));
  client.setNotificationHandler(ResourceListChangedNotificationSchema, ({ method }) => void changed.push(method));
  await client.connect(transport as never);
  onTestFinished(() => client.close());
  return { client, transport, updated, changed, streams: () => streams, breakStreams };
}
