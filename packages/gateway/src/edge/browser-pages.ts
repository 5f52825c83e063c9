import { isSentLocally, readHost } from "@recourse/core/wire";
import type { RequestHead } from "../call/head.ts";
import type { GatewayConfig } from "../config/types.ts";
import { allowedOriginFor } from "./cors.ts";

export const ENDPOINT_METHODS: readonly string[] = ["POST", "GET", "DELETE"];

/**
 * Makes the rule which page may read an answer, for requests whose `Origin` is served: what
 * `Access-Control-Allow-Origin` says; undefined if it says nothing.
 */
export function createPageFinder({
  origins,
}: Pick<GatewayConfig, "origins">): (head: RequestHead) => string | undefined {
  return (head) => {
    const origin = head.header("origin");
    if (origin === undefined) return undefined;
    return allowedOriginFor({
      origin,
      allowed: origins,
      isLocal: isSentLocally(head.localAddress, readHost(head.header("host") ?? "")),
    });
  };
}
