// What the engine should do, told a second time: in plain numbers, without promises, from the tables of the contract.
import type { Fault } from "../../src/fault/fault.ts";
import type { Effect } from "../../src/fault/kinds.ts";
import type { Stopped } from "../../src/retry/index.ts";
import { LATE } from "./drive.ts";
import type { Scripted } from "./script.ts";

const BUSY = ["rate_limited", "overloaded", "newer_retryable"];
const REPEATS = [...BUSY, "timeout", "unavailable", "upstream_failed", "newer_dependency"];
const COUNTED = [...REPEATS.filter((kind) => kind !== "rate_limited"), "internal"];
const SILENT = ["cancelled", "unknown", "newer_terminal"];
const LACKS: Readonly<Record<string, string>> = { unauthenticated: "credentials", approval_required: "approval" };
const GRAVITY: readonly Effect[] = ["none", "possible", "applied"];

/** What the engine should say of one call. */
export interface Prediction {
  readonly attempts: number;
  readonly waits: readonly number[];
  /** Nothing for a success. */
  readonly stopped: Stopped | undefined;
  readonly effect: Effect;
  readonly endedMs: number;
  readonly renewals: number;
}

/** One server as an engine sees it, for calls that follow each other. */
export class Model {
  readonly #random: number;
  readonly #most: number;
  #tokens = 3;
  #countedMs: number | undefined;
  #failures = 0;
  #trips = 0;
  #openUntilMs = Number.NEGATIVE_INFINITY;

  constructor({ random, failures }: { readonly random: number; readonly failures: number }) {
    this.#random = random;
    this.#most = failures;
  }

  predict(call: Scripted, beganMs: number): Prediction {
    const deadline = beganMs + (call.deadlineMs ?? Number.POSITIVE_INFINITY);
    const abort = beganMs + (call.abortMs ?? Number.POSITIVE_INFINITY);
    const waits: number[] = [];
    const asked: string[] = [];
    let now = beganMs;
    let attempts = 0;
    let effect: Effect = "none";
    const end = (stopped: Stopped | undefined, endedMs = now): Prediction => {
      return { attempts, waits, stopped, effect, endedMs, renewals: asked.length };
    };
    this.#payIn(0.1, now);
    for (;;) {
      if (abort < now) return end("aborted");
      if (now >= deadline) return end("deadline");
      if (this.#openUntilMs > now) return end("breaker");
      const step = call.steps[Math.min(attempts, call.steps.length - 1)] ?? call.steps[0];
      attempts += 1;
      const ends = Math.min(now + step.takesMs, deadline);
      if (abort < ends) {
        effect = graver(effect, "possible");
        if (this.#trips > 0) this.#openUntilMs = abort;
        return end("aborted", abort);
      }
      const fault = now + step.takesMs > deadline ? LATE : step.fault;
      now = ends;
      this.#learn(fault, now);
      if (fault === undefined) return end(undefined);
      effect = graver(effect, fault.effect);
      const facts = () => ({ fault, attempts, effect, repeatable: call.repeatable, leftMs: deadline - now });
      const lacks = LACKS[fault.kind];
      let renewed = false;
      if (call.renewal && lacks && !asked.includes(lacks) && !this.#blocked({ ...facts(), renewed: true })) {
        asked.push(lacks);
        const got = now + call.renewal.takesMs;
        if (abort < Math.min(got, deadline)) return end("aborted", abort);
        renewed = got <= deadline && call.renewal.gets === lacks;
        now = Math.min(got, deadline);
      }
      const blocked = this.#blocked({ ...facts(), renewed });
      if (blocked !== undefined) return end(blocked);
      const wait = this.#waitOf(fault, attempts, renewed);
      if (!renewed) {
        if (this.#openUntilMs > now + wait) return end("breaker");
        const wanted = fault.kind === "rate_limited" && fault.retry?.afterMs !== undefined && wait >= 1_000;
        if (!wanted) {
          this.#payIn(0, now);
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
  #blocked(facts: Facts): Stopped | undefined {
    const { fault, renewed } = facts;
    const word = fault.retry;
    const wait = this.#waitOf(fault, facts.attempts, renewed);
    const rules: readonly (readonly [Stopped, boolean])[] = [
      ["told", word?.allowed === false && !renewed],
      ["final", !REPEATS.includes(fault.kind) && word?.allowed !== true && !renewed],
      ["guessed", fault.basis === "guessed"],
      ["unsafe", facts.effect !== "none" && !facts.repeatable],
      ["deadline", wait > 60_000 || wait + 100 > facts.leftMs],
      ["attempts", facts.attempts >= 3 || facts.attempts > (word?.maxAttempts ?? 3)],
    ];
    return rules.find(([, forbids]) => forbids)?.[0];
  }

  #waitOf(fault: Fault, attempts: number, renewed: boolean): number {
    const { afterMs, backoff, jitter = 0.2 } = fault.retry ?? {};
    if (renewed && afterMs === undefined) return 0;
    const [move] = fault.recourse;
    const named = afterMs ?? (move.do === "retry" ? move.afterMs : undefined);
    const base = BUSY.includes(fault.kind) ? 1_000 : 200;
    const growth = [1, 2, 4][attempts - 1] ?? 0;
    if (named === undefined) return Math.ceil(this.#random * (backoff === "fixed" ? base : base * growth));
    const least = backoff === "exponential" ? Math.min(named * growth, Math.max(20_000, named)) : named;
    return Math.ceil(least + this.#random * jitter * Math.max(least, base));
  }

  #payIn(amount: number, now: number): void {
    this.#tokens = Math.min(3, this.#tokens + amount + (now - (this.#countedMs ?? now)) / 60_000);
    this.#countedMs = now;
  }

  #learn(fault: Fault | undefined, now: number): void {
    const silent = fault && (SILENT.includes(fault.kind) || fault.basis === "guessed");
    const counted = fault && COUNTED.includes(fault.kind);
    if (silent || (fault?.origin.layer === "client" && !counted)) {
      if (this.#trips > 0) this.#openUntilMs = now;
      return;
    }
    this.#failures = counted ? this.#failures + 1 : 0;
    this.#trips = counted && (this.#failures >= this.#most || this.#trips > 0) ? this.#trips + 1 : 0;
    const pause = Math.min(1_000 * 2 ** (this.#trips - 1), 5_000) * (0.5 + 0.5 * this.#random);
    this.#openUntilMs = this.#trips > 0 ? now + pause : Number.NEGATIVE_INFINITY;
  }
}

interface Facts {
  readonly fault: Fault;
  readonly attempts: number;
  readonly effect: Effect;
  readonly repeatable: boolean;
  readonly leftMs: number;
  readonly renewed: boolean;
}

function graver(one: Effect, other: Effect): Effect {
  return GRAVITY[Math.max(GRAVITY.indexOf(one), GRAVITY.indexOf(other))] ?? "possible";
}
