// What came of a run with limits, from the decisions of all replicas and from what was said to Redis.
import { createHash } from "node:crypto";
import type { LimitAnswer, RedisClient } from "../../packages/stores/src/redis/index.ts";
import { LIMIT_SCRIPTS } from "../../packages/stores/src/redis/limits/scripts.ts";
import { idealAdmissions, overAdmissions } from "../../packages/stores/test/limits/support/token-bucket.ts";
import type { LeasePlan } from "./lease-plan.ts";

export const LEASE_ANSWERS = { refused: 0, passed: 1, away: 2 } as const;
type LeaseAnswer = (typeof LEASE_ANSWERS)[keyof typeof LEASE_ANSWERS];

/** One decision. The times are µs of the clock of Redis: of the call, and of the moment at which its token was spent. */
export type LeaseDecision = readonly [
  tenant: number,
  replica: number,
  calledAtUs: number,
  spentAtUs: number,
  answer: LeaseAnswer,
];

/** What was said to Redis. */
export interface ScriptCounts {
  roundTrips: number;
  /** Tokens that were leased, of all buckets. */
  leased: number;
  /** Tokens that Redis gave to single calls, of all buckets. */
  exact: number;
}

/** The result of a run. */
export interface LeaseReport {
  readonly calls: number;
  readonly passed: number;
  readonly refused: number;
  readonly away: number;
  readonly roundTripsPerSecond: number;
  readonly roundTripsPerCall: number;
  /** The part of the leased tokens that was handed back or expired; undefined if none were leased, or answers came too late. */
  readonly unused: number | undefined;
  /**
   * Calls beyond the limit of a tenant, each at the moment at which it is made. One that waits for the bucket of a tool has the
   * tokens of its tenant since before.
   */
  readonly over: number;
  /** Calls that one exact bucket would have passed and that did not pass, as a part of those that it would have passed. */
  readonly under: number;
  /** The same for tenants that ask for more than their limit only. */
  readonly underOfLimited: number;
  /** Jain's index of what the replicas passed of the largest tenant: 1 if all passed the same number. */
  readonly fairness: number;
  /** Jain's index if one exact bucket had decided about the same calls. */
  readonly fairnessOfIdeal: number;
}

/** How exact the times are, in µs. */
interface Precision {
  readonly clockErrorUs: number;
}

const SHA1_OF_TAKE = createHash("sha1").update(LIMIT_SCRIPTS.take).digest("hex");
/** The arguments of the script `take`: those before the buckets, and those of each. */
const TAKE_HEAD = 3;
const TAKE_ROW = { length: 6, need: 2 } as const;
/** The same for its answer. */
const REPLY_ROW = { head: 2, length: 4 } as const;

/** A client that counts what is said through it. */
export function countScripts(client: RedisClient, counts: ScriptCounts): RedisClient {
  const countReply = (args: readonly string[], reply: readonly unknown[]) => {
    const isGiven = Number(reply[0]) === 1;
    for (let row = 0; TAKE_HEAD + row * TAKE_ROW.length < args.length; row += 1) {
      counts.leased += Number(reply[REPLY_ROW.head + row * REPLY_ROW.length]);
      if (isGiven) counts.exact += Number(args[TAKE_HEAD + row * TAKE_ROW.length + TAKE_ROW.need]);
    }
  };
  return {
    evalSha: (sha1, options) => {
      counts.roundTrips += 1;
      const reply = client.evalSha(sha1, options);
      if (sha1 === SHA1_OF_TAKE) {
        reply.then(
          (rows) => countReply(options.arguments, rows as readonly unknown[]),
          () => {},
        );
      }
      return reply;
    },
    eval: (script, options) => client.eval(script, options),
  };
}

/** The decision that an answer is, for a call at a time. `nowUs` is the time at which the answer came. */
export function decisionOf(
  call: { readonly tenant: number; readonly replica: number; readonly calledAtUs: number },
  answer: LimitAnswer,
  nowUs: number,
): LeaseDecision {
  const { tenant, replica, calledAtUs } = call;
  if (answer.ok) return [tenant, replica, calledAtUs, answer.takenAtUs ?? nowUs, LEASE_ANSWERS.passed];
  return [tenant, replica, calledAtUs, nowUs, answer.away ? LEASE_ANSWERS.away : LEASE_ANSWERS.refused];
}

/** Computes what came of a run. */
export function leaseReport(
  plan: LeasePlan,
  decisions: readonly LeaseDecision[],
  { counts, precision }: { readonly counts: ScriptCounts; readonly precision: Precision },
): LeaseReport {
  const numberOf = (answer: LeaseAnswer) => decisions.reduce((sum, one) => sum + (one[4] === answer ? 1 : 0), 0);
  const passed = numberOf(LEASE_ANSWERS.passed);
  const total = { over: 0, passed: 0, ideal: 0 };
  const limited = { passed: 0, ideal: 0 };
  const byTenant = Map.groupBy(decisions, ([tenant]) => tenant);
  for (const all of byTenant.values()) {
    const spends = all.filter(isPassed).map(([, , , atUs]) => ({ atUs, tokens: 1 }));
    total.over += overAdmissions(spends, { ...plan.limit, ...precision });
    const ideal = idealAdmissions(
      all.map(([, , atUs]) => ({ atUs, tokens: 1 })),
      plan.limit,
    );
    total.passed += spends.length;
    total.ideal += ideal;
    if (ideal === all.length) continue;
    limited.passed += spends.length;
    limited.ideal += ideal;
  }
  // Each call takes tokens of as many buckets.
  const buckets = plan.toolLimit === undefined ? 2 : 3;
  const largest = byTenant.get(0) ?? [];
  const away = numberOf(LEASE_ANSWERS.away);
  const isKnown = counts.leased > 0 && away === 0;
  return {
    calls: decisions.length,
    passed,
    refused: numberOf(LEASE_ANSWERS.refused),
    away,
    roundTripsPerSecond: counts.roundTrips / plan.seconds,
    roundTripsPerCall: counts.roundTrips / decisions.length,
    unused: isKnown ? 1 - (passed * buckets - counts.exact) / counts.leased : undefined,
    over: total.over,
    under: 1 - total.passed / total.ideal,
    underOfLimited: limited.ideal === 0 ? 0 : 1 - limited.passed / limited.ideal,
    fairness: jain(countByReplica(largest.filter(isPassed))),
    fairnessOfIdeal: jain(countByReplica(idealPasses(largest, plan))),
  };
}

function isPassed([, , , , answer]: LeaseDecision): boolean {
  return answer === LEASE_ANSWERS.passed;
}

function countByReplica(decisions: readonly LeaseDecision[]): readonly number[] {
  return [...Map.groupBy(decisions, ([, replica]) => replica).values()].map((all) => all.length);
}

/** The calls that one exact bucket passes. */
function idealPasses(decisions: readonly LeaseDecision[], { limit }: LeasePlan): readonly LeaseDecision[] {
  let level = limit.burst;
  let lastUs = 0;
  return decisions
    .toSorted((one, other) => one[2] - other[2])
    .filter(([, , atUs]) => {
      level = Math.min(limit.burst, level + ((atUs - lastUs) / 1e6) * limit.perSecond);
      lastUs = atUs;
      if (level < 1) return false;
      level -= 1;
      return true;
    });
}

function jain(values: readonly number[]): number {
  const sum = values.reduce((total, value) => total + value, 0);
  const squares = values.reduce((total, value) => total + value * value, 0);
  return squares === 0 ? 1 : (sum * sum) / (values.length * squares);
}
