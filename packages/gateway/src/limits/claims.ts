import type { LimitBucket, LimitClaim } from "@recourse/stores/redis";
import type { Call, RoutedTool } from "../call/call.ts";
import type { Caller } from "../call/caller.ts";
import { compilePattern } from "../call/name-pattern.ts";
import type { GatewayConfig, Rate } from "../config/types.ts";

/** What a limit is about: the row of a refusal names it. */
type LimitScope = "key" | "tenant" | "cost" | "tool";

export interface ScopedBucket extends LimitBucket {
  readonly scope: LimitScope;
}

/** What one call counts against. */
export interface Claims {
  readonly shared: readonly LimitClaim[];
  /** The same with the share of this replica alone, for the time in which the store is down. */
  readonly local: readonly LimitClaim[];
  readonly cost: number;
}

/** Tells what counts against which limits; undefined if it counts against nothing. */
export interface ClaimRules {
  /** A call that may go on. */
  call(call: Call): Claims | undefined;
  /** A message that was refused before anybody knew what it is about: it counts like calls that are not for a tool. */
  refused(caller: Caller, bytes: number): Claims | undefined;
}

/** Messages up to this length are not counted if the gateway answers them itself. */
const MAX_FREE_BYTES = 16 * 1_024;
/** A message that is not passed on counts once for each of these: to parse so much costs about as much as a call. */
const BYTES_PER_TOKEN = 64 * 1_024;

/**
 * Calls count that the gateway passes on: `tools/call` and every other request for an upstream. What it answers itself
 * does not, nor do notifications, unless they are large: to read them is the work then. One call takes a token of its
 * key and of its tenant, its cost of the cost limit (1 if it is not a tool), and a token of every pattern that its tool
 * matches.
 */
export function createClaimRules({ limits, away }: Pick<GatewayConfig, "limits" | "away">): ClaimRules {
  const patterns = limits.tools.map(({ pattern, rate }) => ({ pattern, rate, test: compilePattern(pattern) }));
  // There is one value for each caller, so the names of its buckets are made once.
  const byCaller = new WeakMap<Caller, Map<string, Claims>>();
  const make = (caller: Caller, tool: string | undefined, cost: number): Claims => {
    const shared: LimitClaim[] = [];
    const add = (scope: LimitScope, name: string, group: string, rate: Rate | undefined, units: number) => {
      if (rate === undefined) return;
      const bucket: ScopedBucket = { id: `${scope}:${name}`, group, scope, ...rate };
      shared.push({ bucket, cost: units });
    };
    const tenant = `tenant ${caller.tenant}`;
    add("key", caller.id, tenant, limits.key, 1);
    add("tenant", caller.tenant, tenant, limits.tenant, 1);
    if (cost > 0) add("cost", caller.tenant, tenant, limits.cost, cost);
    for (const { pattern, rate, test } of patterns) {
      if (tool !== undefined && test(tool)) add("tool", pattern, `tool ${pattern}`, rate, 1);
    }
    return { shared, local: shared.map((claim) => replicaShare(claim, away.replicas)), cost };
  };
  const find = (caller: Caller, tool: RoutedTool | undefined): Claims | undefined => {
    const name = tool?.name ?? "";
    const cost = tool?.cost ?? 1;
    let known = byCaller.get(caller);
    if (known === undefined) {
      known = new Map();
      byCaller.set(caller, known);
    }
    let claims = known.get(name);
    if (claims === undefined || claims.cost !== cost) {
      claims = make(caller, tool?.name, cost);
      known.set(name, claims);
    }
    return claims.shared.length === 0 ? undefined : claims;
  };
  return {
    call({ caller, route, message, callerAnswer }) {
      if (caller === undefined || callerAnswer !== undefined) return undefined;
      // The end of a session has no message. It is passed on to upstreams, and remembered for days.
      if (message === undefined) return find(caller, undefined);
      if (route?.kind === "upstream" && message.id !== undefined) return find(caller, route.tool);
      const messages = route?.kind === "local" ? (route.messages ?? 0) : 0;
      if (messages > 0) return multiply(find(caller, undefined), messages);
      const { length } = message.bytes;
      return length > MAX_FREE_BYTES ? forBytes(find(caller, undefined), length) : undefined;
    },
    refused: (caller, bytes) => forBytes(find(caller, undefined), bytes),
  };
}

/** What a message of which only the reading was work counts against. */
function forBytes(claims: Claims | undefined, bytes: number): Claims | undefined {
  return multiply(claims, Math.ceil(bytes / BYTES_PER_TOKEN));
}

/** The same several times. A claim over the burst would never pass. */
function multiply(claims: Claims | undefined, times: number): Claims | undefined {
  if (claims === undefined || times <= 1) return claims;
  const multiplied = (claim: LimitClaim): LimitClaim => ({
    ...claim,
    cost: Math.min(claim.bucket.burst, claim.cost * times),
  });
  return { ...claims, shared: claims.shared.map(multiplied), local: claims.local.map(multiplied) };
}

/** The part of a limit that one of several replicas may give. */
function replicaShare({ bucket, cost }: LimitClaim, replicas: number): LimitClaim {
  const perSecond = bucket.perSecond / replicas;
  return { bucket: { ...bucket, perSecond, burst: Math.max(1, Math.floor(bucket.burst / replicas)) }, cost };
}
