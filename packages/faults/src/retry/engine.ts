import type { Fault } from "../fault/fault.ts";
import { type Effect, knownKind } from "../fault/kinds.ts";
import { toFault } from "../reasons/unknown/to-fault.ts";
import { askBreaker, type BreakerOptions, type BreakerState, CLOSED, tellBreaker, toBreakerRules } from "./breaker.ts";
import { type BudgetOptions, type BudgetStatus, createBudget } from "./budget.ts";
import { type Decision, decide, type Renewed, type RepeatDecision, type StopDecision, stopFor } from "./decide.ts";
import { endingOf } from "./ending.ts";
import { evidenceOf } from "./evidence.ts";
import type { Attempt, AttemptInfo, Call, Done, Entry, Failed } from "./outcome.ts";
import { type Policy, toPolicy } from "./policy.ts";
import { getRenewed, wantedBy } from "./renewal.ts";
import { graver, settle } from "./settle.ts";
import { ABORTED, untilAborted } from "./until.ts";

/** What an engine is made of; everything that is not a plain value is handed in. */
export interface EngineOptions {
  readonly policy?: Partial<Policy> | undefined;
  /** `false` repeats without a budget. */
  readonly budget?: BudgetOptions | false | undefined;
  /** `false` never refuses a call. */
  readonly breaker?: BreakerOptions | false | undefined;
  /** A clock in milliseconds that never goes back. */
  readonly now: () => number;
  /** In [0, 1). */
  readonly random: () => number;
  /** Waits; when the signal aborts it may resolve or reject, and should let go of its timer. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<unknown>;
  readonly onDecision?: ((entry: Entry) => void) | undefined;
}

/** How an engine stands at the moment. */
export interface EngineStatus extends BudgetStatus {
  readonly breaker: BreakerState["at"];
}

/** Makes calls to one server, repeating what is safe to repeat. */
export interface Engine {
  /** Makes the call, and makes it again as long as the rules allow; resolves to the last outcome, never rejects. */
  run<S extends Done>(call: Call, attempt: Attempt<S>): Promise<S | Failed>;
  status(): EngineStatus;
}

const UNLIMITED = { reserve: Number.POSITIVE_INFINITY, liveLeast: Number.POSITIVE_INFINITY };
const NEVER = { failures: Number.POSITIVE_INFINITY };

/** Creates the engine of one server: its budget and its breaker are shared by all calls that go through it. */
export function createEngine(options: EngineOptions): Engine {
  const { now, random, sleep } = options;
  const policy = toPolicy(options.policy);
  const budget = createBudget(options.budget === false ? UNLIMITED : options.budget);
  const rules = toBreakerRules(options.breaker === false ? NEVER : options.breaker);
  let breaker: BreakerState = CLOSED;
  const moment = () => ({ nowMs: now(), random: random(), rules });

  async function run<S extends Done>(call: Call, attempt: Attempt<S>): Promise<S | Failed> {
    const beganMs = now();
    const deadlineMs = call.deadlineMs === undefined ? Number.POSITIVE_INFINITY : beganMs + call.deadlineMs;
    const renewed = new Set<Renewed>();
    let attempts = 0;
    let startedMs = beganMs;
    let last: Fault | undefined;
    let effect: Effect = "none";
    let repeatable = false;
    let isRepetition = false;

    budget.callBegan(beganMs);
    try {
      for (;;) {
        if (call.signal?.aborted === true) return end(stopFor("aborted"));
        if (!(deadlineMs > now())) return end(stopFor("deadline"));
        const [pass, asked] = askBreaker(breaker, moment());
        breaker = asked;
        if (!pass.go) return end(stopFor("breaker", pass.afterMs));
        attempts += 1;
        startedMs = now();
        const outcome = await once(attempt, { attempt: attempts, leftMs: deadlineMs - startedMs, signal: call.signal });
        releaseRepetition();
        const evidence = outcome === ABORTED ? "nothing" : outcome.ok === false ? evidenceOf(outcome.fault) : "alive";
        breaker = tellBreaker(breaker, pass, evidence, moment());
        if (outcome === ABORTED) {
          effect = graver(effect, "possible");
          return end(stopFor("aborted"));
        }
        if (outcome.ok !== false) {
          call.guard?.succeeded();
          tell({});
          return outcome;
        }
        effect = graver(effect, outcome.fault.effect);
        repeatable = isRepeatable(call, outcome.fault, attempts);
        last = settle(outcome.fault, { effect, repeatable });
        const decision = await next(last);
        if (decision.do === "stop") return end(decision);
        tell({ fault: last, decision });
        await untilAborted(wait(decision.waitMs), call.signal);
      }
    } finally {
      releaseRepetition();
      budget.callEnded();
    }

    /** The rules that look at the failure, then those that look at the server. */
    async function next(fault: Fault): Promise<Decision> {
      const plain = { fault, attempts, repeatable, random: random(), policy };
      const consider = (got?: Renewed) => decide({ ...plain, leftMs: deadlineMs - now(), renewed: got });
      const wanted = wantedBy(fault);
      // Nobody is asked to sign in or to approve for a call that would not be made again all the same.
      if (call.renew && wanted && !renewed.has(wanted) && consider(wanted).do === "repeat") {
        renewed.add(wanted);
        const { renew, signal } = call;
        const got = await getRenewed({ fault, renew, signal, sleep, leftMs: deadlineMs - now() });
        if (signal?.aborted === true) return stopFor("aborted");
        if (got === wanted) return consider(got);
      }
      const decision = consider();
      if (decision.do === "stop") return decision;
      const nowMs = now();
      if (breaker.at === "open" && breaker.untilMs > nowMs + decision.waitMs) {
        return stopFor("breaker", Math.ceil(breaker.untilMs - nowMs));
      }
      if (isAsked(fault, decision, policy)) return decision;
      isRepetition = budget.beginRepetition(nowMs);
      return isRepetition ? decision : stopFor("budget", decision.waitMs);
    }

    function end(decision: StopDecision): Failed {
      const spent = { attempts, elapsedMs: Math.max(0, now() - beganMs) };
      const fault = endingOf(decision, { ...spent, last, effect, repeatable });
      const guarded = call.guard?.failed(call.tool, fault, spent) ?? fault;
      tell({ fault: guarded, decision: guarded === fault ? decision : stopFor("looping") });
      return { ok: false, fault: guarded };
    }

    function tell(what: Pick<Entry, "fault" | "decision">): void {
      if (options.onDecision === undefined && call.onDecision === undefined) return;
      const entry = { tool: call.tool, attempt: attempts, startedMs, endedMs: now(), ...what };
      for (const listen of [options.onDecision, call.onDecision]) quietly(() => listen?.(entry));
    }

    async function wait(ms: number): Promise<void> {
      if (ms > 0) await sleep(ms, call.signal).catch(() => undefined);
    }

    function releaseRepetition(): void {
      if (isRepetition) budget.endRepetition();
      isRepetition = false;
    }
  }

  return { run, status: () => ({ breaker: breaker.at, ...budget.status(now()) }) };
}

/**
 * A server that gives this caller its share back at a time that it names has asked for the repetition: the budget is there
 * for load that nobody asked for.
 */
function isAsked(fault: Fault, { by, waitMs }: RepeatDecision, { busyMs }: Policy): boolean {
  return knownKind(fault) === "rate_limited" && by === "peer" && waitMs >= busyMs;
}

/** One attempt as a value, whatever it does. */
async function once<S extends Done>(attempt: Attempt<S>, info: AttemptInfo): Promise<S | Failed | typeof ABORTED> {
  try {
    return await untilAborted(attempt(info), info.signal);
  } catch (thrown) {
    return { ok: false, fault: toFault(thrown, { origin: { layer: "client" } }) };
  }
}

/** A caller's function that fails vouches for nothing. */
function isRepeatable({ repeatable }: Call, fault: Fault, attempt: number): boolean {
  if (typeof repeatable === "boolean") return repeatable;
  return quietly(() => repeatable(fault, attempt)) === true;
}

/** A listener's own failure must not become the call's. */
function quietly<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
