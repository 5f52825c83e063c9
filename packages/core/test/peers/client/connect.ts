// A client of the SDK with `recourse()`, connected to a misbehaving peer.

import { openPair } from "@recourse/test-kit/fixtures";
import type { AnyClient, Era } from "@recourse/test-kit/sdk-pairs";
import { misbehave, type Peer, type PeerStep } from "@recourse/testing/peer";
import {
  type ClientLike,
  observeTransport,
  type RecourseClient,
  type RecourseOptions,
  recourse,
  type TransportObserver,
} from "../../../src/client/index.ts";
import { connectObserved } from "./observed/call-server.ts";

/** A client and its peer. */
export interface PeerConnection extends AsyncDisposable {
  readonly mcp: RecourseClient;
  readonly peer: Peer;
  readonly client: AnyClient;
  readonly observer: TransportObserver;
}

/** Options of the client, and of its peer. */
export interface ConnectOptions extends Omit<RecourseOptions, "reconnect" | "inputRequired"> {
  /** Steps for the first tool calls. */
  readonly steps?: readonly PeerStep[];
  /** Whether the peer honours idempotency keys. */
  readonly idempotency?: boolean;
  /** Whether the client reconnects when the connection is lost. */
  readonly autoReconnect?: boolean;
}

/** Connects a client to a new peer. Its waits are short by default. */
export async function connectToPeer(
  era: Era,
  { steps, idempotency, autoReconnect, ...options }: ConnectOptions = {},
): Promise<PeerConnection> {
  const peer = await misbehave({ steps, idempotency: idempotency === true });
  const observer = observeTransport();
  const client = await connectObserved(era, peer.url, observer);
  const clients = [client];
  const mcp = recourse<ClientLike>(client as never, {
    transport: observer,
    ...(autoReconnect === true && {
      reconnect: async () => {
        const next = await connectObserved(era, peer.url, observer);
        clients.push(next);
        return next as never;
      },
    }),
    ...options,
    retry: { policy: { baseMs: 2, overloadBaseMs: 2 }, ...options.retry },
  });
  return {
    mcp,
    peer,
    client,
    observer,
    async [Symbol.asyncDispose]() {
      for (const one of clients) await one.close();
      await peer.close();
    },
  };
}

/** A server whose one tool gives these answers, one after the other, and then the last; and how often it was called. */
export async function connectToAnswers(era: Era, tool: string, answers: readonly object[]) {
  let calls = 0;
  const { client } = await openPair(era, (server) => {
    server.registerTool(tool, {}, () => (answers[calls++] ?? answers.at(-1)) as never);
    return server;
  });
  return { client: client as never, calls: () => calls };
}

/** The tool calls that reached the peer. */
export function toolCalls(peer: Peer) {
  return peer.calls.filter(({ method }) => method === "tools/call");
}
