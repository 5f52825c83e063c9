import type { GatewayConfig } from "../config/types.ts";
import type { AddressLimit } from "./address-limit.ts";
import { discardRequestBody } from "./body.ts";
import { createPageFinder, ENDPOINT_METHODS } from "./browser-pages.ts";
import { createSourceChecker } from "./check-head.ts";
import { isPreflight, pageHeaders, preflightHeaders } from "./cors.ts";
import type { HttpOrigin } from "./http-origin.ts";

/**
 * Makes what answers browsers that ask what a page may send. They ask without credentials, so nobody is authenticated; the
 * limit for addresses counts. It gives false for what is refused like any other request: a page that is not served, an address
 * over its limit, an `OPTIONS` request that asks nothing.
 */
export function createPreflight(
  config: Pick<GatewayConfig, "hosts" | "origins">,
  addresses: AddressLimit | undefined,
): (origin: HttpOrigin) => boolean {
  const checkSource = createSourceChecker(config);
  const findPage = createPageFinder(config);
  return ({ head, incoming, outgoing }) => {
    if (!isPreflight(head) || checkSource(head) !== undefined) return false;
    const allowedOrigin = findPage(head);
    if (allowedOrigin === undefined || addresses?.take(head.address) !== undefined) return false;
    const asked = preflightHeaders(head, { allowedOrigin, methods: ENDPOINT_METHODS });
    outgoing.writeHead(204, { ...pageHeaders(allowedOrigin), ...asked, "cache-control": "no-store" });
    outgoing.end();
    if (!incoming.complete) discardRequestBody(incoming);
    return true;
  };
}
