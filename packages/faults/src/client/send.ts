import type { Method, Peer, SendOptions } from "./peer.ts";
import type { CallRef, Seen, Watched } from "./watch/watched.ts";

/** One request, and what may end it early. */
export interface Sending {
  readonly peer: Peer<unknown>;
  readonly method: Method;
  readonly params: object;
  readonly ref: CallRef;
  /** How long an answer is waited for. */
  readonly limitMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly watched?: Watched | undefined;
  /** What the SDK is told besides. */
  readonly more: Pick<SendOptions, "onprogress" | "allowInputRequired" | "toolDefinition">;
}

/** How a request ended, as far as this side can tell. */
export type Ending =
  | { readonly how: "answered"; readonly result: unknown }
  | { readonly how: "threw"; readonly error: unknown }
  | { readonly how: "aborted" }
  | { readonly how: "late" }
  | { readonly how: "lost"; readonly seen: Seen };

/** Timers count no further. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * Sends one request and resolves as soon as its end is known; it never rejects. The SDK alone would wait on after a lost
 * answer, and gives every leg of a longer exchange its whole time again.
 */
export function send(sending: Sending): Promise<Ending> {
  const { peer, method, params, ref, limitMs, signal, watched, more } = sending;
  const timeout = Math.min(limitMs, LONGEST_MS);
  return new Promise((resolve) => {
    // The caller's own signal is not handed on: version 1 never lets go of a signal that it was given.
    const request = new AbortController();
    const waiting = watched === undefined ? undefined : new AbortController();
    const timer = setTimeout(() => cut({ how: "late" }, "deadline"), timeout);
    const abort = () => cut({ how: "aborted" }, "cancelled by the caller");
    signal?.addEventListener("abort", abort, { once: true });

    function end(ending: Ending): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      // A reason of our own: making up one is the dearest part of a success.
      waiting?.abort("done");
      resolve(ending);
    }
    /** Ends it before the SDK does; the reason is a fixed word, since the SDK sends it to the server. */
    function cut(ending: Ending, reason: string): void {
      end(ending);
      request.abort(reason);
    }

    try {
      const pending = peer.send(method, params, {
        timeout,
        maxTotalTimeout: timeout,
        signal: request.signal,
        ...more,
      });
      pending.then(
        (result) => end({ how: "answered", result }),
        (error: unknown) => end({ how: "threw", error }),
      );
    } catch (error) {
      end({ how: "threw", error });
    }
    if (watched !== undefined && waiting !== undefined) {
      watched.lost(ref, waiting.signal).then(
        (seen) => cut({ how: "lost", seen }, "no answer can come"),
        () => {},
      );
    }
  });
}
