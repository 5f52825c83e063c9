import { createRequire } from "node:module";
import type { Origin } from "@recourse/faults";
import type { GatewayConfig } from "../config/types.ts";

/** How the gateway names itself, to callers and to upstreams. */
export interface Identity {
  readonly name: string;
  readonly version: string;
  /** The origin of the faults that the gateway makes. */
  readonly origin: Origin;
  /** It honours idempotency keys of its callers. */
  readonly keepsKeys: boolean;
}

/** The identity of a gateway. */
export function identityOf({ name }: Pick<GatewayConfig, "name">, keepsKeys: boolean): Identity {
  const manifest = createRequire(import.meta.url)("@recourse/gateway/package.json") as {
    readonly version: string;
  };
  return { name, version: manifest.version, origin: { layer: "gateway", name }, keepsKeys };
}
