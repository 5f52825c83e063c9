import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createServe } from "./http/serve.ts";
import type { Effects } from "./ledger.ts";
import type { CoreOptions } from "./options.ts";
import { type Call, createCore } from "./peer.ts";
import { createScript, type Script, type Step } from "./script.ts";
import { isMisbehaviour, type MisbehaviourName } from "./wire/misbehaviours.ts";

/** What a peer may be told. */
export interface PeerOptions extends CoreOptions<MisbehaviourName> {}

/** What a peer does with one request: the name of a misbehaviour, `ok`, or either with how. */
export type PeerStep = Step<MisbehaviourName>;

/** A server that keeps the protocol, until it is told not to. */
export interface Peer {
  /** Where it listens, on loopback. */
  readonly url: URL;
  /** Every message that arrived, in order. */
  readonly calls: readonly Call[];
  /** How often each effect was really applied. */
  effects(): Effects;
  /** Says how to treat the next tool calls, or the next requests of another method. */
  readonly next: Script<MisbehaviourName>["next"];
  /** Makes cursors, tokens and limits older by so many milliseconds. */
  pass(ms: number): void;
  /** Ends every connection and stops listening. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

const DEFAULT_MS = 200;

/** Starts a peer on 127.0.0.1, on a port that is free. */
export async function misbehave(options: PeerOptions = {}): Promise<Peer> {
  const core = createCore(options);
  const script = createScript(isMisbehaviour, options);
  const closing = new AbortController();
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  const serve = createServe({ core, script, url, ms: options.ms ?? DEFAULT_MS, closing: closing.signal });
  server.on("clientError", (_, socket) => socket.destroy());
  server.on("request", (request, response) => {
    // What goes wrong with a connection is the point of the peer, not an error of its own.
    response.on("error", () => {});
    serve(request, response).catch((thrown: unknown) => {
      // A step that does not exist must be seen by the author of the test.
      if (!response.headersSent) response.writeHead(500, { "content-type": "text/plain" });
      response.end(String(thrown));
    });
  });

  async function close(): Promise<void> {
    closing.abort();
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  }
  return {
    url,
    calls: core.calls,
    effects: core.world.ledger.effects,
    next: script.next,
    pass: core.world.clock.pass,
    close,
    [Symbol.asyncDispose]: close,
  };
}
