import { formOf } from "./answer.ts";
import { boundedText } from "./bounded-text.ts";
import type { Exchange } from "./exchange.ts";
import { phaseOf } from "./phase.ts";
import { type Tap, tapped } from "./tap.ts";

const LONGEST_BODY = 65_536;

/** Notes what `fetch` rejected with. */
export function observeRejection(exchange: Exchange, error: unknown, at: { now: number; init?: RequestInit }): void {
  exchange.error = error;
  exchange.endedMs = at.now;
  // Whoever follows redirects may have been refused at a later station, after the first one took the request.
  const isOneStation = at.init?.redirect === "manual" || at.init?.redirect === "error";
  exchange.phase = isOneStation ? phaseOf(error) : "sent";
}

/** Notes the head of an answer. */
export function observeHead(exchange: Exchange, { status, headers }: Response, now: number): void {
  exchange.phase = "headers";
  exchange.headersMs = now;
  exchange.status = status;
  exchange.headers = headers;
}

/** Follows the body of an answer, and keeps the text of a refusal; `more` hears what was heard. */
export function observeBody(
  exchange: Exchange,
  response: Response,
  { now, ...more }: { now: () => number } & Partial<Pick<Tap, "chunk" | "ended" | "broke">>,
): Response {
  const body = formOf(response) === "refusal" ? boundedText(LONGEST_BODY) : undefined;
  if (body !== undefined) exchange.body = body;
  return tapped(response, {
    chunk(bytes) {
      exchange.phase = "body";
      body?.add(bytes);
      more.chunk?.(bytes);
    },
    ended() {
      exchange.phase = "ended";
      exchange.endedMs = now();
      more.ended?.();
    },
    broke(error) {
      exchange.error = error;
      exchange.endedMs = now();
      more.broke?.(error);
    },
    wantsMore: () => body?.isFull() === false,
  });
}
