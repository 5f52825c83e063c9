import { core, type Fault } from "@recourse/faults";
import type { LimitRefused, LimitShortage } from "@recourse/stores/redis";
import type { ScopedBucket } from "./claims.ts";

/** A call that is refused because the store is away may come again after this time, in ms. */
const AWAY_RETRY_MS = 500;

/** Makes the faults of the limits, with the name of the gateway. */
export function limitFaults(name: string) {
  const origin = { layer: "gateway", name } as const;
  return {
    /** A limit is used up. The first row is the one that lasts longest. */
    refused({ waitMs, short }: LimitRefused): Fault {
      const rows = short.toSorted((a, b) => b.waitMs - a.waitMs).map(rowOf);
      const [{ quota, windowMs } = { quota: 1, windowMs: 1 }] = rows;
      return core.rate_limited.fault(
        { limit: quota, windowMs },
        { effect: "none", retry: { allowed: true, afterMs: waitMs }, limits: rows, origin },
      );
    },
    /** Nothing is known about the limits. */
    away(): Fault {
      return core.unavailable.fault({}, { effect: "none", retry: { allowed: true, afterMs: AWAY_RETRY_MS }, origin });
    },
  };
}

function rowOf({ bucket, waitMs }: LimitShortage) {
  const { perSecond, burst, scope } = bucket as ScopedBucket;
  return {
    policy: scope,
    unit: scope === "cost" ? "units" : "calls",
    quota: burst,
    remaining: 0,
    windowMs: Math.ceil((burst / perSecond) * 1_000),
    resetMs: waitMs,
    scope: scope === "cost" ? "tenant" : scope,
  };
}
