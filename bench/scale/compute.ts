// How many machines a given traffic needs, from measured figures and from assumptions that are written down.
import measured from "./figures.json" with { type: "json" };

/** What traffic is assumed to look like. */
export const TRAFFIC = {
  /** Share of calls that fail. */
  failing: 0.02,
  /** Share of calls with an idempotency key. */
  keyed: 0.05,
  /** Buckets that are in use at one moment, for each call per second. */
  bucketsPerCall: 1,
  /** How much of a core is used on average, so that peaks fit. */
  utilisation: 0.6,
  /** US dollars for one core with its memory, in an hour; a public price of the large clouds, about. */
  dollarsPerCoreHour: 0.04,
} as const;

/** What one level of traffic needs. */
export interface Need {
  readonly callsPerSecond: number;
  readonly mode: "leased" | "exact";
  readonly gatewayCores: number;
  readonly gatewayGiB: number;
  readonly redisShards: number;
  readonly redisGiB: number;
  readonly postgresCores: number;
  readonly dollarsPerHour: number;
  readonly dollarsPerMillionCalls: number;
}

/** Computes what a number of calls in a second needs. A replica is one core. */
export function needOf(callsPerSecond: number, mode: Need["mode"]): Need {
  const { gateway, engines, limits, memory } = measured;
  const { failing, keyed, utilisation } = TRAFFIC;
  const plain = mode === "leased" ? gateway.leasedUs : gateway.exactUs;
  const perCallUs = plain * (1 - failing - keyed) + gateway.failingUs * failing + gateway.keyedUs * keyed;
  const cores = (us: number) => Math.max(1, Math.ceil((callsPerSecond * us) / 1e6 / utilisation));
  const gatewayCores = cores(perCallUs);
  const redisShards = cores(engines.redisExactUs * (mode === "leased" ? limits.roundTripsLeased : 1));
  const postgresCores = cores(engines.keyedUs * keyed + engines.incidentUs * failing);
  const dollarsPerHour = (gatewayCores + redisShards + postgresCores) * TRAFFIC.dollarsPerCoreHour;
  return {
    callsPerSecond,
    mode,
    gatewayCores,
    gatewayGiB: (gatewayCores * memory.replicaMiB) / 1_024,
    redisShards,
    redisGiB: (callsPerSecond * TRAFFIC.bucketsPerCall * engines.bucketBytes) / 2 ** 30,
    postgresCores,
    dollarsPerHour,
    dollarsPerMillionCalls: (dollarsPerHour / 3_600 / callsPerSecond) * 1e6,
  };
}
