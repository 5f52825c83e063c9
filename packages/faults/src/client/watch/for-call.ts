import { formOf } from "./answer.ts";
import { type Attempt, addExchange, endExchange } from "./attempts.ts";
import { begin } from "./exchange.ts";
import { observeBody, observeHead, observeRejection } from "./observe.ts";
import type { Parts, Request } from "./parts.ts";
import { scanSse } from "./sse.ts";
import { endStream } from "./stream-end.ts";

/** One exchange of an attempt: everything that happens to it is kept with the attempt. */
export async function fetchForCall(parts: Parts, attempt: Attempt, { url, init }: Request): Promise<Response> {
  const { now } = parts;
  const exchange = begin(now());
  addExchange(attempt, exchange);
  const response = await parts.fetch(url, init).catch((error: unknown) => {
    observeRejection(exchange, error, { now: now(), init });
    throw error;
  });
  observeHead(exchange, response, now());
  const form = formOf(response);
  switch (form) {
    case "json":
    case "refusal":
      return observeBody(exchange, response, { now });
    case "stream": {
      const scan = scanSse();
      const over = () => endStream(attempt, { exchange, scan, signal: init.signal, resumptions: parts.resumptions });
      if (response.body === null) over();
      return observeBody(exchange, response, { now, chunk: scan.feed, ended: over, broke: over });
    }
    case "accepted":
      endExchange(attempt, exchange, () => true);
      return response;
    case "redirect":
      return response;
    default:
      return form satisfies never;
  }
}
