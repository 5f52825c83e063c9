// Clients of both SDK versions, each with the client kit on top.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { observeTransport, type RecourseClient, recourse } from "@recourse/faults/client";

export const TOKEN = "secret-of-ada";

export type SdkVersion = "v1" | "v2";

/** A connected client, and what a test may change between two calls. */
export interface Connected {
  readonly mcp: RecourseClient;
  /** Where and with which token the next requests go. */
  readonly route: { token: string | undefined; url?: string };
  close(): Promise<void>;
}

/** How a client is made. */
export interface ConnectOptions {
  readonly url: string;
  readonly sdk: SdkVersion;
  /** Whether the client kit sees what happens below the SDK. @default true */
  readonly observed?: boolean;
}

const INFO = { name: "program", version: "1.0.0" };

/** Connects to a server over HTTP. */
export async function connect({ url, sdk, observed = true }: ConnectOptions): Promise<Connected> {
  const route: Connected["route"] = { token: TOKEN };
  const routed = (to: string | URL, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    if (route.token !== undefined) headers.set("authorization", `Bearer ${route.token}`);
    return fetch(route.url ?? to, { ...init, headers });
  };
  const transport = observeTransport({ fetch: routed });
  const options = { fetch: observed ? transport.fetch : routed };
  const settings = { ...(observed && { transport }), retry: { policy: { attempts: 1 }, breaker: false } } as const;
  if (sdk === "v1") {
    const client = new ClientV1(INFO);
    await client.connect(new TransportV1(new URL(url), options));
    return { mcp: recourse(client, settings), route, close: () => client.close() };
  }
  const client = new Client(INFO);
  await client.connect(new StreamableHTTPClientTransport(new URL(url), options));
  return { mcp: recourse(client, settings), route, close: () => client.close() };
}
