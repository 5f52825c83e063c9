import { peekString } from "./peek.ts";
import { anytime, before, type SystemFault } from "./system-fault.ts";

/** Errors of `fetch` that have no code, by their whole text. */
const MESSAGES: Readonly<Record<string, SystemFault>> = {
  // workerd and browsers say the same for a refused and for a lost connection.
  "Network connection lost.": anytime("failed"),
  "Failed to fetch": anytime("failed"),
  "NetworkError when attempting to fetch resource.": anytime("failed"),
  "Load failed": anytime("failed"),
  "error reading a body from connection": anytime("lost"),
};

/** How Deno reports a request that failed. A URL has no spaces, so it cannot contain what follows the URL. */
const DENO = /^error sending request .*?: client error \((\w+)\)(?:: (dns error|invalid peer certificate))?/s;
const DENO_LOST = /^(?:Connection reset by peer|Broken pipe) \(os error \d+\)$/;

/** What Deno says after `client error (Connect)`; undefined where it says something else. */
const DENO_CONNECT: Readonly<Record<string, SystemFault>> = {
  "dns error": before("unknown_host"),
  "invalid peer certificate": before("certificate"),
};

/** The failure of an error of `fetch` without a code. Only Node and Bun give codes; elsewhere there is only the text. */
export function fetchFaultOf(error: unknown): SystemFault | undefined {
  const message = peekString(error, "message");
  if (message === undefined) return undefined;
  if (Object.hasOwn(MESSAGES, message)) return MESSAGES[message];
  const [, at, why = ""] = DENO.exec(message) ?? [];
  if (at === "Connect") return DENO_CONNECT[why] ?? before("unreachable");
  return at !== undefined || DENO_LOST.test(message) ? anytime("lost") : undefined;
}
