import { formatId, stampFault, transport } from "@recourse/faults";
import { randomBytes } from "@recourse/faults/internal-do-not-use";
import type { GatewayIncident } from "./incidents.ts";

/** The incident of a breaker that opens. The calls that it refuses from then on are none of their own. */
export function breakerIncident(
  { upstream, tool }: { readonly upstream: string; readonly tool?: string | undefined },
  { name, nowMs }: { readonly name: string; readonly nowMs: number },
): GatewayIncident {
  const at = new Date(nowMs).toISOString();
  const opened = transport.breaker_open.fault(tool === undefined ? {} : { tool });
  const stamps = { incident: formatId(nowMs, randomBytes()), at, origin: { layer: "gateway", name } } as const;
  return {
    fault: stampFault(opened, stamps),
    at,
    upstream,
    tenant: undefined,
    caller: undefined,
    told: undefined,
    upstreamIncident: undefined,
    ...(tool !== undefined && { tool }),
  };
}
