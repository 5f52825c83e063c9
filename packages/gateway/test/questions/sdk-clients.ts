// Clients of the official SDK, versions 1 and 2, in the older era, with a person, a model and files behind them.
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { onTestFinished } from "vitest";
import { ACME } from "../idempotency/support/replicas.ts";
import { ownFetch } from "../support/own-fetch.ts";

/** What the person and the model behind a client say. */
export interface Behind {
  elicit?(params: Record<string, unknown>): unknown;
  sample?(params: Record<string, unknown>): unknown;
}

/** A client of either version. */
export interface AskedClient {
  callTool(call: { name: string; arguments?: object; _meta?: object }): Promise<unknown>;
  /** What the client reported as wrong. */
  readonly errors: Error[];
  close(): Promise<void>;
}

export type ClientVersion = "v1" | "v2";

const INFO = { name: "client", version: "1.0.0" };
const CAPABILITIES = { elicitation: { form: {} }, sampling: {}, roots: { listChanged: true } };
/** A day: how long a call may take is up to the gateway. */
const PATIENT = { timeout: 86_400_000 };
const ROOTS = { roots: [{ uri: "file:///home/ada", name: "home" }] };

/** Connects a client to gateways that take turns, request by request. */
export async function connectAsked(
  version: ClientVersion,
  urls: readonly URL[],
  { elicit, sample }: Behind = {},
  credential: string = ACME,
): Promise<AskedClient> {
  const errors: Error[] = [];
  const fetchHere = ownFetch();
  let turn = 0;
  const options = {
    requestInit: { headers: { authorization: `Bearer ${credential}` } },
    fetch: (_: URL | string, init?: RequestInit) => fetchHere(urls[turn++ % urls.length] as URL, init),
  };
  const person = async (params: unknown) =>
    (await elicit?.(params as Record<string, unknown>)) ?? { action: "accept", content: { city: "Rome" } };
  const model = async (params: unknown) =>
    (await sample?.(params as Record<string, unknown>)) ?? {
      model: "m",
      role: "assistant",
      content: { type: "text", text: "word" },
    };
  const client = version === "v1" ? new ClientV1(INFO, { capabilities: CAPABILITIES }) : connectV2();
  if (client instanceof ClientV1) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => person(params) as never);
    client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => model(params) as never);
    client.setRequestHandler(ListRootsRequestSchema, () => ROOTS);
  }
  client.onerror = (error) => void errors.push(error);
  const transport =
    version === "v1" ? new TransportV1(urls[0] as URL, options) : new TransportV2(urls[0] as URL, options);
  await client.connect(transport as never);
  onTestFinished(() => client.close());
  return {
    callTool: (call) =>
      client instanceof ClientV1
        ? client.callTool(call as never, undefined, PATIENT)
        : client.callTool(call as never, PATIENT),
    errors,
    close: () => client.close(),
  };

  function connectV2(): ClientV2 {
    const made = new ClientV2(INFO, { capabilities: CAPABILITIES });
    made.setRequestHandler("elicitation/create", ({ params }) => person(params) as never);
    made.setRequestHandler("sampling/createMessage", ({ params }) => model(params) as never);
    made.setRequestHandler("roots/list", () => ROOTS);
    return made;
  }
}

/** The text of a tool's result. */
export function textIn(result: unknown): string {
  return (result as { content: { text: string }[] }).content[0]?.text ?? JSON.stringify(result);
}
