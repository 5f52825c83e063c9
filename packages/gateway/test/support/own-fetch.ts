import { Agent, fetch as fetchBy } from "undici";
import { onTestFinished } from "vitest";

/**
 * A `fetch` with connections of its own, which end with the test. The platform's may connect again after a request that was
 * left, and a gateway that closes waits a second for what comes on such a connection.
 */
export function ownFetch(): typeof fetch {
  const dispatcher = new Agent();
  onTestFinished(() => dispatcher.destroy());
  return ((url: string | URL, init: object = {}) => fetchBy(url, { ...init, dispatcher })) as unknown as typeof fetch;
}
