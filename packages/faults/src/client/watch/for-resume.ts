import { type Attempt, endExchange } from "./attempts.ts";
import type { Parts, Request } from "./parts.ts";
import { scanSse } from "./sse.ts";
import { endStream } from "./stream-end.ts";
import { tapped } from "./tap.ts";

/** What a refusal to resume means to the SDK: it asks again, after authorising or by its budget, or gives up. */
const MEANS: Readonly<Record<number, "again" | "never">> = {
  401: "again",
  403: "again",
  405: "never",
} satisfies Record<number, "again" | "never">;

/**
 * The SDK fetches the rest of an answer whose stream was closed. How far the request itself came does not change by it.
 */
export async function fetchToResume(parts: Parts, attempt: Attempt, { url, init }: Request): Promise<Response> {
  const { resumptions } = parts;
  const { signal } = init;
  const exchange = attempt.last;

  function giveUp(): void {
    endExchange(attempt, exchange, () => true);
  }

  function fail(): void {
    attempt.failedResumes += 1;
    if (attempt.failedResumes >= resumptions) giveUp();
  }

  const response = await parts.fetch(url, init).catch((error: unknown) => {
    if (signal?.aborted !== true) fail();
    throw error;
  });
  if (!response.ok) {
    const means = MEANS[response.status];
    if (means === "never") giveUp();
    else if (means === undefined) fail();
    return response;
  }
  if (response.body === null) giveUp();
  attempt.failedResumes = 0;
  const scan = scanSse();
  const over = () => endStream(attempt, { exchange, scan, signal, resumptions });
  return tapped(response, { chunk: scan.feed, ended: over, broke: over });
}
