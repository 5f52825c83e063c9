import { begin } from "./exchange.ts";
import { observeBody, observeHead, observeRejection } from "./observe.ts";
import type { Parts, Request } from "./parts.ts";

/** An exchange that belongs to no call; only a failure of it is kept. */
export async function fetchForConnection(parts: Parts, { url, init }: Request): Promise<Response> {
  const { now } = parts;
  const exchange = begin(now());
  const response = await parts.fetch(url, init).catch((error: unknown) => {
    if (init.signal?.aborted !== true) {
      observeRejection(exchange, error, { now: now(), init });
      parts.failed = exchange;
    }
    throw error;
  });
  // A server that offers no stream of its own says so with 405.
  if (response.status < 400 || (init.body === undefined && response.status === 405)) return response;
  observeHead(exchange, response, now());
  parts.failed = exchange;
  return observeBody(exchange, response, { now });
}
