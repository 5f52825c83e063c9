import { worseEffect } from "../fault/amend.ts";
import type { Fault } from "../fault/fault.ts";
import { type Effect, knownKind } from "../fault/kinds.ts";
import { type TestingOptions, toClock, toRandom } from "../wire/clock.ts";
import { ABORTED, race } from "../wire/waiting.ts";
import { type BreakerOptions, type BreakerState, toBreakerRules } from "./breaker.ts";
import { BreakerScopes, type ScopedPermit } from "./breaker-scopes.ts";
import {
  type Attempt,
  type AttemptFailure,
  type AttemptInfo,
  type DecisionRecord,
  isAttemptFailure,
  type RetryCall,
  reauthorizeInTime,
} from "./call.ts";
import {
  concludeFault,
  type Decision,
  decide,
  finalFault,
  missingAuthorization,
  type Reauthorized,
  type RepeatDecision,
  type StopDecision,
  stopFor,
  wasNotSent,
} from "./decide.ts";
import { type BudgetOptions, type BudgetStatus, createRetryBudget, type RetryPolicy, toRetryPolicy } from "./policy.ts";

export interface RetryEngineOptions {
  /** How often and how long to retry. @default the defaults of each field */
  readonly policy?: Partial<RetryPolicy> | undefined;
  /** Limits retries to a part of the traffic. `false` removes the limit. @default the defaults of each field */
  readonly budget?: BudgetOptions | false | undefined;
  /** Stops calls to a server that is down, or of a tool that fails. `false` never refuses a call. @default the defaults of each field */
  readonly breaker?: BreakerOptions | false | undefined;
  /** Called after every attempt of every call with what was decided. @default none */
  readonly onDecision?: ((entry: DecisionRecord) => void) | undefined;
  /** Replaces time and randomness in tests. @default the platform's */
  readonly testing?: TestingOptions | undefined;
}

export type ThrownReader = (thrown: unknown) => Fault;

export interface RetryEngineStatus extends BudgetStatus {
  readonly breaker: BreakerState["at"];
  /** The tools whose calls are held back by a circuit breaker of their own. */
  readonly heldBackTools: readonly string[];
}

/** Makes calls to one server and repeats those that are safe to repeat. */
export interface RetryEngine {
  /** Makes the call, and makes it again while the rules allow it. It resolves to the last outcome and never rejects. */
  run<S extends object>(call: RetryCall, attempt: Attempt<S>): Promise<S | AttemptFailure>;
  status(): RetryEngineStatus;
}

const NO_LIMIT = { reserve: Number.POSITIVE_INFINITY };
const NEVER_OPENS = { failures: Number.POSITIVE_INFINITY };

export const CLIENT_LAYER = { layer: "client" } as const;

export interface EngineOptions extends RetryEngineOptions {
  /** The path of these options, for errors about them; it ends with a dot. @default none */
  readonly path?: string;
}

/** Creates a retry engine whose attempts throw what `readThrown` understands. */
export function createEngine(options: EngineOptions, readThrown: ThrownReader): RetryEngine {
  const { path = "", testing } = options;
  const { monotonic: now, sleep } = toClock(testing);
  const random = toRandom(testing);
  const policy = toRetryPolicy(options.policy, `${path}policy`);
  const budget = createRetryBudget(options.budget === false ? NO_LIMIT : options.budget, `${path}budget`);
  const rules = toBreakerRules(options.breaker === false ? NEVER_OPENS : options.breaker, `${path}breaker`);
  const breakers = new BreakerScopes({ rules, now, random });

  async function run<S extends object>(call: RetryCall, attempt: Attempt<S>): Promise<S | AttemptFailure> {
    const beganMs = now();
    const deadlineMs = call.deadlineMs === undefined ? Number.POSITIVE_INFINITY : beganMs + call.deadlineMs;
    const requested = new Set<Reauthorized>();
    let attempts = 0;
    let unsent = 0;
    let startedMs = beganMs;
    let last: Fault | undefined;
    let effect: Effect = "none";
    let repeatable = false;

    budget.callBegan(beganMs);
    for (;;) {
      if (call.signal?.aborted === true) return end(stopFor("aborted"));
      if (!(deadlineMs > now())) return end(stopFor("deadline"));
      const pass = breakers.ask(call.tool);
      if (!pass.go) return end(stopFor("breaker", pass.afterMs), pass.tool);
      attempts += 1;
      startedMs = now();
      const outcome = await attemptOnce(attempt, pass);
      if (outcome === ABORTED) {
        effect = worseEffect(effect, "possible");
        return end(stopFor("aborted"));
      }
      if (!isAttemptFailure(outcome)) {
        call.guard?.succeeded();
        record({});
        return outcome;
      }
      effect = worseEffect(effect, outcome.fault.effect);
      if (outcome.sent === false || wasNotSent(outcome.fault)) unsent += 1;
      repeatable = isRepeatable(call, outcome.fault, attempts);
      last = concludeFault(outcome.fault, { effect, repeatable });
      const decision = await decideNext(last);
      if (decision.do === "stop") return end(decision);
      record({ fault: last, decision });
      await race(wait(decision.waitMs), { signal: call.signal });
    }

    async function attemptOnce(make: Attempt<S>, pass: ScopedPermit): Promise<S | AttemptFailure | typeof ABORTED> {
      const { signal } = call;
      const info = { attempt: attempts, leftMs: deadlineMs - startedMs, signal };
      const outcome = await race(attemptSafely(make, info, readThrown), { signal });
      if (outcome === ABORTED) breakers.ended(call.tool, pass);
      else if (isAttemptFailure(outcome)) breakers.failed(call.tool, pass, outcome);
      else breakers.succeeded(call.tool, pass);
      return outcome;
    }

    /** Applies the rules about the failure, then those about the server. */
    async function decideNext(fault: Fault): Promise<Decision> {
      const situation = { fault, attempts, repeatable, random: random(), policy };
      const decideWith = (reauthorized?: Reauthorized) =>
        decide({ ...situation, leftMs: deadlineMs - now(), reauthorized });
      const missing = missingAuthorization(fault);
      // No one is asked to sign in or to approve if the call would not be made again anyway.
      if (call.reauthorize && missing && !requested.has(missing) && decideWith(missing).do === "repeat") {
        requested.add(missing);
        const { reauthorize, signal } = call;
        const got = await reauthorizeInTime({ fault, reauthorize, signal, sleep, leftMs: deadlineMs - now() });
        if (signal?.aborted === true) return stopFor("aborted");
        if (got === missing) return decideWith(got);
      }
      const decision = decideWith();
      if (decision.do === "stop") return decision;
      const pauseMs = breakers.pauseMs(call.tool);
      if (pauseMs > decision.waitMs) return stopFor("breaker", pauseMs);
      if (isRequestedByServer(fault, decision, policy)) return decision;
      return budget.takeRepetition(now()) ? decision : stopFor("budget", decision.waitMs);
    }

    function end(decision: StopDecision, heldBack?: string): AttemptFailure {
      const spent = { attempts: attempts - unsent, elapsedMs: Math.max(0, now() - beganMs) };
      const fault = finalFault(decision, { ...spent, isFirst: attempts === 1, last, effect, repeatable, heldBack });
      const guarded = call.guard?.failed(call, fault, spent) ?? fault;
      record({ fault: guarded, decision: guarded === fault ? decision : stopFor("looping") });
      return { ok: false, fault: guarded };
    }

    function record(what: Pick<DecisionRecord, "fault" | "decision">): void {
      if (options.onDecision === undefined && call.onDecision === undefined) return;
      const entry = { tool: call.tool, attempt: attempts, startedMs, endedMs: now(), ...what };
      for (const listen of [options.onDecision, call.onDecision]) ignoreThrow(() => listen?.(entry));
    }

    async function wait(ms: number): Promise<void> {
      if (ms > 0) await sleep(ms, call.signal).catch(() => undefined);
    }
  }

  const status = () => ({ breaker: breakers.server, heldBackTools: breakers.tools, ...budget.status(now()) });
  return { run, status };
}

/**
 * Whether the server asked for this retry: it limits the rate of calls and stated when the next one may come. Such a
 * retry does not count against the budget.
 */
function isRequestedByServer(fault: Fault, { by, waitMs }: RepeatDecision, { overloadBaseMs }: RetryPolicy): boolean {
  return knownKind(fault) === "rate_limited" && by === "peer" && waitMs >= overloadBaseMs;
}

/** Makes one attempt. A throw becomes a fault. */
async function attemptSafely<S extends object>(
  attempt: Attempt<S>,
  info: AttemptInfo,
  readThrown: ThrownReader,
): Promise<S | AttemptFailure> {
  try {
    return await attempt(info);
  } catch (thrown) {
    return { ok: false, fault: readThrown(thrown) };
  }
}

/** If the caller's function throws, the call does not count as repeatable. */
function isRepeatable({ repeatable }: RetryCall, fault: Fault, attempt: number): boolean {
  if (typeof repeatable === "boolean") return repeatable;
  return ignoreThrow(() => repeatable(fault, attempt)) === true;
}

/** Runs a function of the caller. Its failure must not become a failure of the call. */
function ignoreThrow<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
