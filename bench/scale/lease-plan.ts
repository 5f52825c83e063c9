// The traffic of one run with limits: the same for the simulation and for the run on a real cluster.
import { seededRandom } from "@recourse/test-kit/seeded-random";
import type { Call } from "../../packages/gateway/src/call/call.ts";
import type { Caller } from "../../packages/gateway/src/call/caller.ts";
import type { Rate } from "../../packages/gateway/src/config/types.ts";
import { createClaimRules } from "../../packages/gateway/src/limits/claims.ts";
import type { LimitClaim } from "../../packages/stores/src/redis/index.ts";

/** Which replica a call goes to: any of them, or one of those that the calls of its tenant always go to. */
export type Balance = "any replica" | "by tenant";

/** What happens in one run. */
export interface LeasePlan {
  readonly seed: number;
  readonly seconds: number;
  readonly replicas: number;
  readonly tenants: number;
  readonly callsPerSecond: number;
  /** The limit of each tenant, and of its key. */
  readonly limit: Rate;
  readonly balance: Balance;
  /** All tenants move to other replicas after this time. @default never */
  readonly movesAtMs?: number | undefined;
  /** A limit for all calls together, as a limit for a tool is. @default none */
  readonly toolLimit?: Rate | undefined;
}

/** One call. */
export interface Arrival {
  readonly atMs: number;
  readonly tenant: number;
  readonly replica: number;
}

/** With `by tenant`, a replica gets about so many calls per second of one tenant; a larger tenant has several. */
const CALLS_OF_ONE_HOME = 400;

/** The share of the calls that each tenant makes: the second tenant half as many as the first, the third a third (Zipf). */
function tenantShares(tenants: number): readonly number[] {
  const weights = Array.from({ length: tenants }, (_, index) => 1 / (index + 1));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

/** The calls of a run, in their order; each comes by chance (a Poisson process), the same for the same seed. */
export function* arrivalsOf(plan: LeasePlan): Generator<Arrival> {
  const { seed, seconds, replicas, tenants, callsPerSecond, balance, movesAtMs = Number.POSITIVE_INFINITY } = plan;
  const random = seededRandom(seed);
  const shares = tenantShares(tenants);
  let sum = 0;
  const upTo = shares.map((share) => {
    sum += share;
    return sum;
  });
  const homes = shares.map((share) => Math.min(replicas, Math.ceil((share * callsPerSecond) / CALLS_OF_ONE_HOME)));
  const firstHome = shares.map(() => Math.floor(random() * replicas));
  for (let atMs = 0; ; ) {
    atMs -= (Math.log(1 - random()) / callsPerSecond) * 1_000;
    if (atMs >= seconds * 1_000) return;
    const tenant = firstAtLeast(upTo, random());
    const any = Math.floor(random() * (balance === "by tenant" ? (homes[tenant] ?? 1) : replicas));
    const moved = atMs >= movesAtMs ? Math.floor(replicas / 2) : 0;
    const replica = balance === "by tenant" ? ((firstHome[tenant] ?? 0) + any + moved) % replicas : any;
    yield { atMs, tenant, replica };
  }
}

function firstAtLeast(ascending: readonly number[], value: number): number {
  let low = 0;
  for (let high = ascending.length - 1; low < high; ) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What a call of a tenant counts against, by the rules of the gateway. */
export function claimsOf({ limit, toolLimit }: LeasePlan): (tenant: number) => readonly LimitClaim[] {
  const tools = toolLimit === undefined ? [] : [{ pattern: "*", rate: toolLimit }];
  const rules = createClaimRules({
    limits: { address: undefined, key: limit, tenant: limit, cost: undefined, tools, mode: "leased" },
    away: { limits: "local", replicas: 1 } as Parameters<typeof createClaimRules>[0]["away"],
  });
  const callers = new Map<number, Caller>();
  return (tenant) => {
    const caller = callers.get(tenant) ?? ({ id: `key-${tenant}`, tenant: `tenant-${tenant}` } as Caller);
    callers.set(tenant, caller);
    const call = { caller, route: { kind: "upstream", tool: { name: "tool", cost: 1 } }, message: { id: 1 } };
    return rules.call(call as unknown as Call)?.shared ?? [];
  };
}
