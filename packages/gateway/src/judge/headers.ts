import { REQUEST_ID_HEADERS } from "@recourse/faults/internal-do-not-use";

/** Headers of an answer that say something about a failure. */
const TELLING_HEADERS = [
  "content-type",
  "date",
  "retry-after",
  "retry-after-ms",
  "ratelimit",
  "ratelimit-policy",
  "ratelimit-limit",
  "ratelimit-remaining",
  "ratelimit-reset",
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
  "x-rate-limit-limit",
  "x-rate-limit-remaining",
  "x-rate-limit-reset",
  "x-should-retry",
  "www-authenticate",
  "traceparent",
  ...REQUEST_ID_HEADERS,
];

/** The headers of an answer as the decoders read them. */
export function tellingHeaders(header: (name: string) => string | undefined): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of TELLING_HEADERS) {
    const value = header(name);
    if (value !== undefined) found[name] = value;
  }
  return found;
}
