import { createAttempts } from "./attempts.ts";
import { noChild, watchChild } from "./child.ts";
import { seenOf } from "./exchange.ts";
import { watchedFetch } from "./fetch.ts";
import { untilLost } from "./lost.ts";
import type { Parts } from "./parts.ts";
import type { FetchLike, Watched } from "./watched.ts";

/** How a connection is watched. */
export interface WatchOptions {
  /** The fetch that does the work, the platform's own unless told. */
  readonly fetch?: FetchLike;
  /** The clock, in milliseconds since 1970. */
  readonly now?: () => number;
  /** How long the SDK may take to deliver an answer after its stream has ended. */
  readonly graceMs?: number;
  /** The `reconnectionOptions.maxRetries` of the transport, where it is not the SDK's own 2. */
  readonly resumptions?: number;
}

const MOST_ATTEMPTS = 1_000;
const GRACE_MS = 50;
const RESUMPTIONS = 2;

/**
 * Watches one connection to a server, and keeps what the SDK's clients drop: status, headers and body of failures, how
 * far a request came, that an answer can no longer come, the last words of a server process and how it ended.
 */
export function watch(options: WatchOptions = {}): Watched {
  const { graceMs = GRACE_MS } = options;
  const attempts = createAttempts(MOST_ATTEMPTS);
  const child = noChild();
  const parts: Parts = {
    // Looked up at each call: others may wrap it after us.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    now: options.now ?? Date.now,
    resumptions: options.resumptions ?? RESUMPTIONS,
    attempts,
  };
  return {
    fetch: watchedFetch(parts),
    child(transport) {
      watchChild(transport, child);
      return transport;
    },
    take: attempts.take,
    connection: () => ({
      stderr: child.stderr.lines(),
      ...(child.exit !== undefined && { exit: child.exit }),
      ...(parts.failed !== undefined && { failed: seenOf(parts.failed, 1) }),
    }),
    lost: (call, signal) => untilLost(attempts.of(call), { signal, graceMs }),
  };
}
