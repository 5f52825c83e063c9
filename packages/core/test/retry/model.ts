// A reference model of the retry engine: it predicts the engine with plain numbers, without promises.
import type { Fault } from "../../src/fault/fault.ts";
import type { Effect } from "../../src/fault/kinds.ts";
import type { StopReason } from "../../src/retry/index.ts";
import { LATE } from "./run-scripted.ts";
import type { ScriptedCall } from "./scripted-calls.ts";

const OVERLOAD = ["rate_limited", "overloaded", "newer_retryable"];
const RETRYABLE = [...OVERLOAD, "timeout", "unavailable", "upstream_failed", "newer_dependency"];
const COUNTED_BY_BREAKER = [...RETRYABLE.filter((kind) => kind !== "rate_limited"), "internal"];
/** Faults of these layers say what this side met, not what the server answered. */
const OWN_LAYERS = ["client", "transport"];
const REAUTHORIZABLE: Readonly<Record<string, string>> = {
  unauthenticated: "credentials",
  approval_required: "approval",
};
const EFFECT_ORDER: readonly Effect[] = ["none", "possible", "applied"];

/** The predicted course of one call. */
export interface Prediction {
  readonly attempts: number;
  readonly waits: readonly number[];
  /** Undefined for a success. */
  readonly stopped: StopReason | undefined;
  readonly effect: Effect;
  readonly endedMs: number;
  readonly reauthorizations: number;
}

/** The model of an engine, for calls that follow each other. */
export class Model {
  readonly #random: number;
  readonly #failuresToOpen: number;
  #tokens = 3;
  #countedMs: number | undefined;
  #failures = 0;
  #trips = 0;
  #openUntilMs = Number.NEGATIVE_INFINITY;

  constructor({ random, failures }: { readonly random: number; readonly failures: number }) {
    this.#random = random;
    this.#failuresToOpen = failures;
  }

  predict(call: ScriptedCall, beganMs: number): Prediction {
    const deadline = beganMs + (call.deadlineMs ?? Number.POSITIVE_INFINITY);
    const abort = beganMs + (call.abortMs ?? Number.POSITIVE_INFINITY);
    const waits: number[] = [];
    const asked: string[] = [];
    let now = beganMs;
    let attempts = 0;
    let effect: Effect = "none";
    const end = (stopped: StopReason | undefined, endedMs = now): Prediction => {
      return { attempts, waits, stopped, effect, endedMs, reauthorizations: asked.length };
    };
    this.#addTokens(0.1, now);
    for (;;) {
      if (abort < now) return end("aborted");
      if (now >= deadline) return end("deadline");
      if (this.#openUntilMs > now) return end("breaker");
      const step = call.steps[Math.min(attempts, call.steps.length - 1)] ?? call.steps[0];
      attempts += 1;
      const ends = Math.min(now + step.takesMs, deadline);
      if (abort < ends) {
        effect = worseEffect(effect, "possible");
        if (this.#trips > 0) this.#openUntilMs = abort;
        return end("aborted", abort);
      }
      const fault = now + step.takesMs > deadline ? LATE : step.fault;
      now = ends;
      this.#recordOutcome(fault, now);
      if (fault === undefined) return end(undefined);
      effect = worseEffect(effect, fault.effect);
      const facts = () => ({ fault, attempts, effect, repeatable: call.repeatable, leftMs: deadline - now });
      const needed = REAUTHORIZABLE[fault.kind];
      let reauthorized = false;
      if (
        call.reauthorization &&
        needed &&
        !asked.includes(needed) &&
        !this.#blocked({ ...facts(), reauthorized: true })
      ) {
        asked.push(needed);
        const got = now + call.reauthorization.takesMs;
        if (abort < Math.min(got, deadline)) return end("aborted", abort);
        reauthorized = got <= deadline && call.reauthorization.gets === needed;
        now = Math.min(got, deadline);
      }
      const blocked = this.#blocked({ ...facts(), reauthorized });
      if (blocked !== undefined) return end(blocked);
      const wait = this.#waitOf(fault, attempts, reauthorized);
      if (!reauthorized) {
        if (this.#openUntilMs > now + wait) return end("breaker");
        const wanted = fault.kind === "rate_limited" && fault.retry?.afterMs !== undefined && wait >= 1_000;
        if (!wanted) {
          this.#addTokens(0, now);
          if (this.#tokens < 1) return end("budget");
          this.#tokens -= 1;
        }
      }
      waits.push(wait);
      if (abort < now + wait) return end("aborted", abort);
      now += wait;
    }
  }

  /** The first rule that forbids to go on. */
  #blocked(facts: DecisionFacts): StopReason | undefined {
    const { fault, reauthorized } = facts;
    const advice = fault.retry;
    const wait = this.#waitOf(fault, facts.attempts, reauthorized);
    const rules: readonly (readonly [StopReason, boolean])[] = [
      ["refused", advice?.allowed === false && !reauthorized],
      ["final", !RETRYABLE.includes(fault.kind) && advice?.allowed !== true && !reauthorized],
      ["guessed", fault.basis === "guessed" && !(facts.repeatable && RETRYABLE.includes(fault.kind))],
      ["unsafe", facts.effect !== "none" && !facts.repeatable],
      ["deadline", wait > 60_000 || wait + 100 > facts.leftMs],
      ["attempts", facts.attempts >= 3 || facts.attempts > (advice?.maxAttempts ?? 3)],
    ];
    return rules.find(([, forbids]) => forbids)?.[0];
  }

  #waitOf(fault: Fault, attempts: number, reauthorized: boolean): number {
    const { afterMs, backoff, jitter = 0.2 } = fault.retry ?? {};
    if (reauthorized && afterMs === undefined) return 0;
    const [move] = fault.recourse;
    const named = afterMs ?? (["retry", "refresh"].includes(move.do) ? move.afterMs : undefined);
    const base = OVERLOAD.includes(fault.kind) ? 1_000 : 200;
    const growth = [1, 2, 4][attempts - 1] ?? 0;
    if (named === undefined) return Math.ceil(this.#random * (backoff === "fixed" ? base : base * growth));
    const least = backoff === "exponential" ? Math.min(named * growth, Math.max(20_000, named)) : named;
    return Math.ceil(least + this.#random * jitter * Math.max(least, base));
  }

  #addTokens(amount: number, now: number): void {
    this.#tokens = Math.min(3, this.#tokens + amount + (now - (this.#countedMs ?? now)) / 60_000);
    this.#countedMs = now;
  }

  #recordOutcome(fault: Fault | undefined, now: number): void {
    const isCounted = fault && COUNTED_BY_BREAKER.includes(fault.kind) && fault.basis !== "guessed";
    const isOwn = fault !== undefined && OWN_LAYERS.includes(fault.origin.layer);
    if (fault?.kind === "cancelled" || (isOwn && !isCounted)) {
      if (this.#trips > 0) this.#openUntilMs = now;
      return;
    }
    this.#failures = isCounted ? this.#failures + 1 : 0;
    this.#trips = isCounted && (this.#failures >= this.#failuresToOpen || this.#trips > 0) ? this.#trips + 1 : 0;
    const pause = Math.min(1_000 * 2 ** (this.#trips - 1), 5_000) * (0.5 + 0.5 * this.#random);
    this.#openUntilMs = this.#trips > 0 ? now + pause : Number.NEGATIVE_INFINITY;
  }
}

interface DecisionFacts {
  readonly fault: Fault;
  readonly attempts: number;
  readonly effect: Effect;
  readonly repeatable: boolean;
  readonly leftMs: number;
  readonly reauthorized: boolean;
}

function worseEffect(one: Effect, other: Effect): Effect {
  return EFFECT_ORDER[Math.max(EFFECT_ORDER.indexOf(one), EFFECT_ORDER.indexOf(other))] ?? "possible";
}
