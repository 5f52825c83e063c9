import type { Method, SdkClient, SendOptions } from "../sdk/client.ts";
import { sdkHttpFailure } from "../sdk/errors.ts";
import { MAX_TIMER_MS } from "../wire/waiting.ts";
import type { CallRef, ExchangeRecord, TransportObserver } from "./transport/types.ts";

export interface RequestToSend {
  readonly client: SdkClient<unknown>;
  readonly method: Method;
  readonly params: object;
  readonly ref: CallRef;
  readonly limitMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly transport?: TransportObserver | undefined;
  readonly more: Pick<SendOptions, "onprogress" | "allowInputRequired" | "toolDefinition">;
}

/** How a request ended, as far as this side can tell. */
export type AttemptEnding =
  | { readonly how: "answered"; readonly result: unknown }
  | { readonly how: "threw"; readonly error: unknown }
  | { readonly how: "aborted" }
  | { readonly how: "late" }
  | { readonly how: "lost"; readonly record: ExchangeRecord };

/**
 * Sends one request and resolves as soon as its end is known; it never rejects. The SDK alone would wait on after a lost
 * answer, and gives every part of a longer exchange its whole time again.
 */
export function sendAttempt(sending: RequestToSend): Promise<AttemptEnding> {
  const { client, method, params, ref, limitMs, signal, transport, more } = sending;
  const timeout = Math.min(limitMs, MAX_TIMER_MS);
  return new Promise((resolve) => {
    // The caller's own signal is not passed on: version 1 never removes its listener from a signal.
    const request = new AbortController();
    const waiting = transport === undefined ? undefined : new AbortController();
    const timer = setTimeout(() => cut({ how: "late" }, "deadline"), timeout);
    const abort = () => cut({ how: "aborted" }, "cancelled by the caller");
    signal?.addEventListener("abort", abort, { once: true });

    function end(ending: AttemptEnding): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      // With a reason given, the platform does not have to create an error, which would cost more than all the rest.
      waiting?.abort("done");
      resolve(ending);
    }
    /** Ends it before the SDK does; the reason is a fixed text, since the SDK sends it to the server. */
    function cut(ending: AttemptEnding, reason: string): void {
      end(ending);
      request.abort(reason);
      transport?.abandon(ref);
    }

    try {
      const options = { timeout, maxTotalTimeout: timeout, signal: request.signal, ...more };
      client.send(method, params, options).then(
        (result) => end({ how: "answered", result }),
        (error: unknown) => end({ how: "threw", error }),
      );
    } catch (error) {
      end({ how: "threw", error });
    }
    if (transport !== undefined && waiting !== undefined) {
      transport.lost(ref, waiting.signal).then(
        (record) => cut({ how: "lost", record }, "no answer can come"),
        () => {},
      );
    }
  });
}

/** A failed HTTP answer, as far as it is known. */
export interface FailedHttpAnswer {
  /** HTTP status. */
  readonly status: number;
  /** Headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text; undefined if it is not known. */
  readonly body: string | undefined;
}

/** The failed HTTP answer behind an error: as the observer recorded it, or as much as the SDK's error says. */
export function findHttpFailure(error: unknown, record: ExchangeRecord | undefined): FailedHttpAnswer | undefined {
  if (record?.status !== undefined && record.status >= 400) {
    return { status: record.status, headers: record.headers ?? {}, body: record.body };
  }
  const { status, body } = sdkHttpFailure(error) ?? {};
  return status !== undefined && status >= 400 && status <= 599 ? { status, headers: {}, body } : undefined;
}
