// The server that fails: two tools on the official SDK, and an HTTP edge for failures that happen before the SDK.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { McpServer as McpServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { createMcpHandler, McpServer as McpServerV2 } from "@modelcontextprotocol/server";
import { guard, memoryIdempotency } from "@recourse/core/server";
import { type LoopbackServer, listenOnLoopback, readWebRequest } from "@recourse/test-kit/loopback";
import type { AnyServer, SdkVersion } from "@recourse/test-kit/sdk-pairs";
import * as z from "zod";
import { DRIVER_TEXT, type FailureName, SENTENCE, WAIT_SECONDS } from "./failures.ts";

/** How a shop is set up. */
export interface ShopOptions {
  readonly sdk: SdkVersion;
  readonly guarded: boolean;
  readonly failure: FailureName;
}

/** How often a shop was called. */
export interface ShopCounts {
  /** Tool calls that reached the server. */
  requests: number;
  /** Runs of a tool. */
  runs: number;
  /** Incidents that the guard reported. */
  incidents: number;
}

/** A shop that listens. */
export interface Shop extends LoopbackServer {
  readonly counts: ShopCounts;
}

/** The token that the shop no longer takes. */
export const OLD_TOKEN = "old-token";
const NEW_TOKEN = "new-token";
const INFO = { name: "shop", version: "1.0.0" };
const done = (text: string) => ({ content: [{ type: "text" as const, text }] });

/** Registers the tools of the shop, which fail as asked. */
export function registerTools(server: AnyServer, failure: FailureName, onRun: () => void): void {
  const order = { description: "Cancels an order.", inputSchema: z.object({ order: z.int().min(1) }) };
  server.registerTool("cancel_order", order, (args: { order: number }) => {
    onRun();
    if (failure === "driver-error") throw Object.assign(new Error(DRIVER_TEXT), { severity: "ERROR" });
    if (failure === "tool-sentence") return { ...done(SENTENCE), isError: true };
    if (failure === "process-dies" && args.order === 7) process.exit(1);
    return done(`Order ${args.order} is cancelled.`);
  });
  const amount = { description: "Charges a card.", inputSchema: z.object({ amount: z.int().min(1) }) };
  server.registerTool("charge_card", amount, (args: { amount: number }) => {
    onRun();
    return failure === "no-answer" ? new Promise(() => {}) : done(`Charged ${args.amount}.`);
  });
}

/** Starts a shop on a free port of the loopback address. */
export async function openShop({ sdk, guarded, failure }: ShopOptions): Promise<Shop> {
  const counts: ShopCounts = { requests: 0, runs: 0, incidents: 0 };
  const sink = () => {
    counts.incidents += 1;
  };
  const store = memoryIdempotency();
  const make = () => {
    const server = sdk === "v1" ? new McpServerV1(INFO) : new McpServerV2(INFO);
    // The shop has no authentication, so its only caller gets a name.
    if (guarded) guard(server as never, { sink, idempotency: { store, caller: () => "agent" } });
    registerTools(server as never, failure, () => {
      counts.runs += 1;
    });
    return server;
  };
  const serve = sdk === "v1" ? serveV1(make as () => McpServerV1) : serveV2(make as () => McpServerV2);
  const refusal = EDGES[failure]?.();
  const answerTokens = createTokenEndpoint();
  const server = createServer(async (incoming, response) => {
    const request = await readWebRequest(incoming);
    const text = request.method === "POST" ? await request.clone().text() : "";
    if (answerTokens(request, text, response)) return;
    const isCall = text.includes('"tools/call"');
    if (isCall) counts.requests += 1;
    if (isCall && refusal?.(incoming, response) === true) return;
    await serve({ request, incoming, response, text });
  });
  return { ...(await listenOnLoopback(server)), counts };
}

/** Ends a response, and says so; or leaves the call to the SDK. */
type Refusal = (incoming: IncomingMessage, response: ServerResponse) => boolean;

function refuseWith(response: ServerResponse, status: number, headers: Readonly<Record<string, string>> = {}): true {
  response.writeHead(status, headers).end();
  return true;
}

/** Failures that happen before the SDK sees a call. */
const EDGES: Partial<Record<FailureName, () => Refusal>> = {
  "rate-limited": () => {
    let freeAt: number | undefined;
    return (_, response) => {
      freeAt ??= Date.now() + WAIT_SECONDS * 1_000;
      // A timer of the caller may fire a moment early.
      return Date.now() < freeAt - 50 && refuseWith(response, 429, { "retry-after": String(WAIT_SECONDS) });
    };
  },
  "expired-token": () => (incoming, response) =>
    incoming.headers.authorization !== `Bearer ${NEW_TOKEN}` &&
    refuseWith(response, 401, { "www-authenticate": 'Bearer error="invalid_token"' }),
  "failing-server": () => (_, response) => refuseWith(response, 503),
};

/** Answers OAuth clients: the metadata of the shop, and tokens. Everything else is left to the shop. */
function createTokenEndpoint(): (request: Request, body: string, response: ServerResponse) => boolean {
  // A client that refreshes gets the new token. The gateway fetches its first token here too, and that one has expired.
  let isFirst = true;
  return ({ url }, body, response) => {
    const { pathname, origin } = new URL(url);
    const send = (value: object): true => {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
      return true;
    };
    if (pathname === "/token") {
      const hasExpired = isFirst && body.includes("client_credentials");
      isFirst = false;
      return send({ access_token: hasExpired ? OLD_TOKEN : NEW_TOKEN, token_type: "Bearer", expires_in: 3_600 });
    }
    if (!pathname.startsWith("/.well-known/")) return false;
    if (!pathname.startsWith("/.well-known/oauth-authorization-server")) return refuseWith(response, 404);
    return send({
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      response_types_supported: ["code"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      code_challenge_methods_supported: ["S256"],
    });
  };
}

interface Exchange {
  readonly request: Request;
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly text: string;
}

function serveV2(make: () => McpServerV2): (exchange: Exchange) => Promise<void> {
  const handler = createMcpHandler(make);
  return async ({ request, response }) => {
    const answer = await handler.fetch(request);
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body !== null) for await (const chunk of answer.body) response.write(chunk);
    response.end();
  };
}

function serveV1(make: () => McpServerV1): (exchange: Exchange) => Promise<void> {
  return async ({ incoming, response, text }) => {
    // Without sessions every request has a server of its own.
    const server = make();
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    response.on("close", () => void server.close());
    await server.connect(transport as never);
    await transport.handleRequest(incoming, response, text === "" ? undefined : JSON.parse(text));
  };
}
