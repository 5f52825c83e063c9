// Where a request says it was sent, and by which page: against DNS rebinding and requests of other sites.
import { auth, type Fault } from "@recourse/faults";
import {
  hostTest,
  isLoopbackAddress,
  isLoopbackName,
  isLoopbackOrigin,
  originTest,
  readHost,
  staysLocal,
} from "@recourse/faults/internal-do-not-use";
import type { GatewayConfig } from "../config/types.ts";
import type { RequestHead } from "./head.ts";

/** How many names are remembered once they were found in order. */
const MAX_KNOWN = 100;

/**
 * Makes the check of `Host` and `Origin`. Requests to a loopback address are answered for names and pages of the same
 * machine only, unless the configuration says more. It throws where an option cannot be meant so.
 */
export function sourceCheck({
  hosts,
  origins,
}: Pick<GatewayConfig, "hosts" | "origins">): (head: RequestHead) => Fault | undefined {
  const allowsHost = hosts === undefined || hosts === "any" ? undefined : hostTest(hosts);
  const allowsOrigin = origins === undefined || origins === "any" ? undefined : originTest(origins);
  /** Reading a host makes a URL of it, and nearly all requests name the same one. */
  const known = new Map<string, ReturnType<typeof readHost>>();

  return (head) => {
    const text = head.header("host") ?? "";
    const host = hostOf(text);
    const isLocal =
      (head.localAddress !== undefined && isLoopbackAddress(head.localAddress)) ||
      (host !== undefined && staysLocal(host));
    if (hosts !== "any") {
      if (host === undefined) return auth.access_denied.fault();
      if (allowsHost !== undefined ? !allowsHost(host) : isLocal && !isLoopbackName(host)) {
        return auth.access_denied.fault();
      }
    }
    // Repeated headers are joined. Of two hosts, another program may take the other one.
    if (text.includes(",")) return auth.access_denied.fault();
    const origin = head.header("origin");
    if (origin === undefined || origins === "any") return undefined;
    const passes = allowsOrigin !== undefined ? allowsOrigin(origin) : !isLocal || isLoopbackOrigin(origin);
    return passes ? undefined : auth.access_denied.fault();
  };

  function hostOf(text: string): ReturnType<typeof readHost> {
    const before = known.get(text);
    if (before !== undefined) return before;
    const host = readHost(text);
    if (host !== undefined && known.size < MAX_KNOWN) known.set(text, host);
    return host;
  }
}
