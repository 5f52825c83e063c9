// How many machines a given traffic needs, from measured and simulated figures and from assumptions that are written down.
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

/** How limits are kept, and how a load balancer chooses the replica of a call. */
export const LIMIT_MODES = {
  "leased, by tenant": { cpu: "leasedUs", roundTrips: "byTenant" },
  "leased, any replica": { cpu: "leasedUs", roundTrips: "anyReplica" },
  exact: { cpu: "exactUs", roundTrips: undefined },
} as const satisfies Record<
  string,
  { cpu: keyof typeof measured.gateway; roundTrips: keyof typeof measured.roundTrips | undefined }
>;
export type LimitMode = keyof typeof LIMIT_MODES;

/** What one level of traffic needs. */
export interface Need {
  readonly gatewayCores: number;
  readonly gatewayGiB: number;
  readonly redisShards: number;
  readonly redisGiB: number;
  readonly postgresCores: number;
  readonly dollarsPerHour: number;
  readonly dollarsPerMillionCalls: number;
}

/** Computes what a number of calls in a second needs. A replica is one core. */
export function needOf(callsPerSecond: number, mode: LimitMode): Need {
  const { gateway, engines, memory } = measured;
  const { failing, keyed } = TRAFFIC;
  const { cpu } = LIMIT_MODES[mode];
  const perCallUs = gateway[cpu] * (1 - failing - keyed) + gateway.failingUs * failing + gateway.keyedUs * keyed;
  const cores = (us: number) => Math.max(1, Math.ceil((callsPerSecond * us) / 1e6 / TRAFFIC.utilisation));
  const gatewayCores = cores(perCallUs);
  const redisShards = cores(engines.redisScriptUs * roundTripsOf(mode, gatewayCores));
  const postgresCores = cores(engines.keyedUs * keyed + engines.incidentUs * failing);
  const dollarsPerHour = (gatewayCores + redisShards + postgresCores) * TRAFFIC.dollarsPerCoreHour;
  return {
    gatewayCores,
    gatewayGiB: (gatewayCores * memory.replicaMiB) / 1_024,
    redisShards,
    redisGiB: (callsPerSecond * TRAFFIC.bucketsPerCall * engines.bucketBytes) / 2 ** 30,
    postgresCores,
    dollarsPerHour,
    dollarsPerMillionCalls: (dollarsPerHour / 3_600 / callsPerSecond) * 1e6,
  };
}

/** Round trips to Redis for a call: those of the simulation whose number of replicas is next to this one. */
function roundTripsOf(mode: LimitMode, replicas: number): number {
  const { roundTrips } = LIMIT_MODES[mode];
  if (roundTrips === undefined) return 1;
  const distance = (simulated: number) => Math.abs(Math.log(simulated / replicas));
  const sizes = Object.entries(measured.roundTrips[roundTrips]).map(([size, value]) => ({ size: Number(size), value }));
  return sizes.reduce((best, one) => (distance(one.size) < distance(best.size) ? one : best)).value;
}

/** Requests in a second for one bucket of a replica that leases: tokens are leased for 50 ms. */
const RENEWALS_PER_SECOND = 20;

/** What one bucket can bear: it is one key, so one core of one Redis node serves it. */
export function largestBucket(): { readonly exactPerSecond: number; readonly leasingReplicas: number } {
  const { redisScriptUs, redisHolderUs } = measured.engines;
  const shardUs = TRAFFIC.utilisation * 1e6;
  // A request reads what all replicas hold, of the bucket of the key and that of the tenant.
  const workUs = (replicas: number) => replicas * RENEWALS_PER_SECOND * (redisScriptUs + 2 * redisHolderUs * replicas);
  let leasingReplicas = 1;
  while (workUs(leasingReplicas + 1) <= shardUs) leasingReplicas += 1;
  return { exactPerSecond: shardUs / redisScriptUs, leasingReplicas };
}

/** The number of cells for a traffic, each with a PostgreSQL primary as it was measured. */
export function cellsOf(callsPerSecond: number, keyed: number): { readonly perCell: number; readonly cells: number } {
  const perCell = measured.engines.keyedPerSecond / keyed;
  return { perCell, cells: Math.max(1, Math.ceil(callsPerSecond / perCell)) };
}
