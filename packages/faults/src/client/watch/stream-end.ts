import { type Attempt, endExchange } from "./attempts.ts";
import type { Exchange } from "./exchange.ts";
import type { SseScan } from "./sse.ts";

/** The stream that has ended, and what decides whether it goes on elsewhere. */
export interface EndedStream {
  readonly exchange: Exchange | undefined;
  readonly scan: SseScan;
  readonly signal: AbortSignal | null | undefined;
  readonly resumptions: number;
}

/** Notes that the stream of an answer has ended or broken, by the rules of the SDK's clients. */
export function endStream(attempt: Attempt, { exchange, scan, signal, resumptions }: EndedStream): void {
  // Whoever hung up does not wait.
  if (signal?.aborted === true) return;
  const eventId = scan.lastId();
  const canResume = eventId !== undefined && resumptions > 0;
  if (!canResume) endExchange(attempt, exchange, () => !scan.isAnswered());
  else if (attempt.last === exchange && !scan.isAnswered()) attempt.resumesFrom = eventId;
}
