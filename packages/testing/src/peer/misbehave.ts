import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { DEFAULT_DELAY_MS } from "./clock.ts";
import { MISBEHAVIOURS, type MisbehaviourName } from "./misbehaviours/http.ts";
import { CONTROL_PATH, createControl, createHttpHandler } from "./serve-http.ts";
import { type CompliantServerOptions, createCompliantServer, type ReceivedMessage } from "./server/compliant-server.ts";
import { createStepQueue, type EffectCounts, type StepOptions, type StepQueue, type StepSpec } from "./step-queue.ts";

/** Options of a peer over HTTP. */
export interface PeerOptions extends CompliantServerOptions, StepOptions<MisbehaviourName> {
  /** How long misbehaviours take that are about time, in milliseconds. @default 200 */
  readonly delayMs?: number;
  /** The port to listen on. @default a free one */
  readonly port?: number;
}

/** How a peer treats one request: the name of a misbehaviour, `ok` to behave, or either with options. */
export type PeerStep = StepSpec<MisbehaviourName>;

/** An MCP server that keeps the protocol until a step makes it misbehave. */
export interface Peer {
  /** The address, on loopback. */
  readonly url: URL;
  /** The address where a program in any language sets the next steps and reads what was done. */
  readonly controlUrl: URL;
  /** Every message that arrived, in order. */
  readonly calls: readonly ReceivedMessage[];
  /** How often each effect really happened. */
  effects(): EffectCounts;
  /** Sets the steps for the next tool calls, or with `on` for the next requests of another method. */
  readonly next: StepQueue<MisbehaviourName>["next"];
  /** Makes cursors older by this many milliseconds. */
  advanceClock(ms: number): void;
  /** Ends every connection and stops listening. */
  close(): Promise<void>;
  /** Closes the peer at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts an MCP server on 127.0.0.1 that misbehaves on demand. Its tool `charge` counts how often it really ran.
 *
 * @example
 * ```ts
 * import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
 * import { misbehave } from "@recourse/testing/peer";
 *
 * await using peer = await misbehave();
 * const client = new Client({ name: "test", version: "1.0.0" });
 * await client.connect(new StreamableHTTPClientTransport(peer.url));
 *
 * peer.next("lost-socket");
 * const call = { name: "charge", arguments: { amount: 5 } };
 * await client.callTool(call).catch(() => client.callTool(call));
 * console.log(peer.effects().total); // 2: the reply to the first call was lost, and it was repeated
 * await client.close();
 * ```
 */
export async function misbehave(options: PeerOptions = {}): Promise<Peer> {
  const server = createCompliantServer(options);
  const steps = createStepQueue<MisbehaviourName>(MISBEHAVIOURS, options);
  const closing = new AbortController();
  const http = createServer();
  await once(http.listen(options.port ?? 0, "127.0.0.1"), "listening");
  const url = new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`);
  const delayMs = options.delayMs ?? DEFAULT_DELAY_MS;
  const control = createControl(server, steps);
  const handle = createHttpHandler({
    ...{ server, steps, url, delayMs, control },
    closing: closing.signal,
    onArrival: options.onArrival,
  });
  http.on("clientError", (_, socket) => socket.destroy());
  http.on("request", (request, response) => {
    // A broken connection is the purpose of the peer, not an error of its own.
    response.on("error", () => {});
    handle(request, response).catch((thrown: unknown) => {
      // The author of the test must see that a step does not exist.
      if (!response.headersSent) response.writeHead(500, { "content-type": "text/plain" });
      response.end(thrown instanceof Error ? thrown.message : String(thrown));
    });
  });

  async function close(): Promise<void> {
    closing.abort();
    http.closeAllConnections();
    if (http.listening) await new Promise((resolve) => http.close(resolve));
  }
  return {
    url,
    controlUrl: new URL(CONTROL_PATH, url),
    calls: server.received,
    effects: server.state.effects.counts,
    next: steps.next,
    advanceClock: server.state.clock.advance,
    close,
    [Symbol.asyncDispose]: close,
  };
}
