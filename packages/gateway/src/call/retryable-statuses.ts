// Services that the gateway asks, such as those of tokens and messages: may a request that was refused be sent again?

/** Statuses that say nothing about the client or the caller: the same request may succeed later. */
const RETRYABLE_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);
const MAX_RETRY_AFTER_MS = 60_000;

/** When a request that was refused may be sent again, as far as the answer says it; undefined if it never may. */
export function readRetryable({ status, headers }: Response): { readonly afterMs: number | undefined } | undefined {
  if (status < 500 && !RETRYABLE_STATUSES.has(status)) return undefined;
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return { afterMs: seconds >= 0 ? Math.min(MAX_RETRY_AFTER_MS, seconds * 1_000) : undefined };
}
