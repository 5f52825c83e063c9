import { peekString } from "./peek.ts";
import { anytime, type SystemFault } from "./system-fault.ts";

/** Errors of `fetch` that have no code, by their whole text. */
const MESSAGES: Readonly<Record<string, SystemFault>> = {
  // workerd and browsers say the same for a refused and for a lost connection.
  "Network connection lost.": anytime("failed"),
  "Failed to fetch": anytime("failed"),
  "NetworkError when attempting to fetch resource.": anytime("failed"),
  "Load failed": anytime("failed"),
  "error reading a body from connection": anytime("lost"),
};

/**
 * How Deno reports a request that failed. `Connect` does not mean that nothing was sent: when a kept connection breaks, Deno
 * sends the request again on a new one, and reports only that.
 */
const DENO = /^error sending request .*?: client error \((\w+)\)(: invalid peer certificate)?/s;
const DENO_LOST = /^(?:Connection reset by peer|Broken pipe) \(os error \d+\)$/;

/** The failure of an error of `fetch` without a code. Only Node and Bun give codes; elsewhere there is only the text. */
export function fetchFaultOf(error: unknown): SystemFault | undefined {
  const message = peekString(error, "message");
  if (message === undefined) return undefined;
  if (Object.hasOwn(MESSAGES, message)) return MESSAGES[message];
  const [, at, certificate] = DENO.exec(message) ?? [];
  if (certificate !== undefined) return anytime("certificate");
  if (at === "Connect") return anytime("failed");
  return at !== undefined || DENO_LOST.test(message) ? anytime("lost") : undefined;
}
