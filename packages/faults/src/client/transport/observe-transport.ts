import { checkNumbers, type TestingOptions, toClock } from "@recourse/wire";
import { noChild, observeChild } from "../../sdk/stdio.ts";
import { createAttempts, untilLost } from "./attempts.ts";
import { toRecord } from "./exchange.ts";
import { type ObserverState, observedFetch, rememberCredentials } from "./observed-fetch.ts";
import type { FetchLike, TransportObserver } from "./types.ts";

/** Options of `observeTransport`. */
export interface ObserveTransportOptions {
  /** The fetch that sends requests. @default the platform's `fetch` */
  readonly fetch?: FetchLike;
  /** How long the SDK may take to deliver an answer after its stream has ended. @default 50 */
  readonly graceMs?: number;
  /** Replaces time in tests. @default the platform's */
  readonly testing?: TestingOptions;
}

const MAX_KEPT_ATTEMPTS = 1_000;
const DELIVERY_GRACE_MS = 50;

/**
 * Observes one connection to a server and records what the SDK's clients drop: status, headers and body of failures, how
 * far a request came, that an answer can no longer come, the last lines of a server process and how it ended.
 *
 * @example
 * const transport = observeTransport();
 * await client.connect(new StreamableHTTPClientTransport(url, { fetch: transport.fetch }));
 * const mcp = recourse(client, { transport });
 */
export function observeTransport(options: ObserveTransportOptions = {}): TransportObserver {
  checkNumbers("", options, { graceMs: { min: 0 } });
  const { graceMs = DELIVERY_GRACE_MS } = options;
  const attempts = createAttempts(MAX_KEPT_ATTEMPTS);
  const child = noChild();
  const state: ObserverState = {
    // Looked up at each call: other code may replace it later.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    now: toClock(options.testing).now,
    attempts,
    credentials: rememberCredentials(),
  };
  return {
    fetch: observedFetch(state),
    child(transport) {
      observeChild(transport, child);
      return transport;
    },
    abandon: attempts.abandon,
    take: attempts.take,
    connection: () => ({
      stderr: child.stderr.lines(),
      credentials: state.credentials.filter(),
      ...(child.exit !== undefined && { exit: child.exit }),
      ...(state.failed !== undefined && { failed: toRecord(state.failed, 1) }),
    }),
    lost: (call, signal) => untilLost(attempts.of(call), { signal, graceMs }),
  };
}
