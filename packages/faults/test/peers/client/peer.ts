// A client of any era, made wise, against a server that misbehaves when it is told to.
import { type RecourseClient, type RecourseOptions, recourse, type Watched, watch } from "../../../src/client/index.ts";
import { misbehave, type Peer, type PeerStep } from "../../../src/testing/peer/index.ts";
import type { AnyClient, Era } from "../peers.ts";
import { connectWatched } from "./watched/server.ts";

/** A wise client and its server. */
export interface Wise extends AsyncDisposable {
  readonly mcp: RecourseClient;
  readonly peer: Peer;
  readonly client: AnyClient;
  readonly watched: Watched;
}

/** What a test may say about the pair. */
export interface WiseOptions extends Omit<RecourseOptions, "reconnect"> {
  /** Steps for the first calls of a tool. */
  readonly script?: readonly PeerStep[];
  readonly honoursKeys?: boolean;
  /** Reconnects by itself when the connection is gone. */
  readonly reconnects?: boolean;
}

/** Connects a client of an era to a peer of its own; waits are short unless a test says otherwise. */
export async function wise(era: Era, { script, honoursKeys, reconnects, ...options }: WiseOptions = {}): Promise<Wise> {
  const peer = await misbehave({ ...(script && { script }), keys: honoursKeys === true });
  const watched = watch();
  const client = await connectWatched(era, peer.url, watched);
  const clients = [client];
  const mcp = recourse(client as never, {
    watched,
    policy: { baseMs: 2, busyMs: 2 },
    ...(reconnects === true && {
      reconnect: async () => {
        const next = await connectWatched(era, peer.url, watched);
        clients.push(next);
        return next as never;
      },
    }),
    ...options,
  });
  return {
    mcp,
    peer,
    client,
    watched,
    async [Symbol.asyncDispose]() {
      for (const one of clients) await one.close();
      await peer.close();
    },
  };
}

/** The tool calls that reached the server. */
export function toolCalls(peer: Peer) {
  return peer.calls.filter(({ method }) => method === "tools/call");
}
