import { randomBytes } from "node:crypto";
import { ABORTED, race, sleep, TIMED_OUT } from "@recourse/core/wire";
import type { Call } from "../call/call.ts";
import type { Caller } from "../call/caller.ts";
import { envelopedAnswer } from "../call/enveloped-answer.ts";
import { refusedRequest, type ServerAnswer } from "../call/server-request.ts";
import { FairPool } from "../limits/fair-pool.ts";
import { roundFacts } from "../rounds/round-steps.ts";
import type { Rounds } from "../rounds/rounds.ts";
import { encodeAsks, HeldCall, type HeldLeg, type HeldStep } from "./held-call.ts";
import type { CallerQuestion } from "./prepare-question.ts";

export interface HeldCallsOptions {
  readonly replica: string;
  readonly rounds: Pick<Rounds, "openHeld">;
  readonly maxHeld?: number | undefined;
}

/** A leg that brings answers. */
export interface Joining extends Pick<HeldLeg, "abilities" | "notify"> {
  readonly held: string;
  readonly caller: string;
  readonly responses: ReadonlyMap<string, Buffer>;
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

/**
 * What a leg that joins gets: what comes next, or that the call is not held here any more, that another leg waits for
 * it, that nothing came in time, or that its caller has left.
 */
export type Joined = HeldStep | "gone" | "busy" | "late" | "left";

/** The methods whose callers can be asked by an answer. */
const ASKING_METHODS: ReadonlySet<string> = new Set(["tools/call", "prompts/get", "resources/read"]);
const MAX_HELD_CALLS = 1_024;
/** A caller can always hold so many. */
const LEAST_HELD_CALLS = 8;

/** The calls of this process that are held while their callers are asked. It outlives a configuration. */
export class HeldCalls {
  readonly #options: HeldCallsOptions;
  readonly #held = new Map<string, HeldCall>();
  readonly #pool: FairPool;

  constructor(options: HeldCallsOptions) {
    const { maxHeld = MAX_HELD_CALLS } = options;
    this.#options = options;
    this.#pool = new FairPool({ capacity: maxHeld, least: Math.min(LEAST_HELD_CALLS, maxHeld) });
  }

  get size(): number {
    return this.#held.size;
  }

  /** Asks the caller of a call by an answer to it: the call is held from then on. */
  ask(call: Call, question: CallerQuestion): Promise<ServerAnswer> {
    // The question is held until the call ends.
    const hasRoom = call.memory?.take(question.params.length) !== false;
    const held = call.held instanceof HeldCall ? call.held : hasRoom ? this.#hold(call) : undefined;
    return held === undefined || !hasRoom ? Promise.resolve(refusedRequest(CANNOT_ASK)) : held.ask(question);
  }

  /** Brings answers to a call that is held here, and waits for what comes next. */
  async join({ held: id, caller, responses, waitMs, signal, abilities, notify }: Joining): Promise<Joined> {
    const held = this.#held.get(id);
    if (held?.caller !== caller) return "gone";
    const { promise, resolve } = Promise.withResolvers<HeldStep>();
    let isWaiting = true;
    const leg: HeldLeg = {
      abilities,
      notify,
      give(step) {
        if (isWaiting) resolve(step);
        return isWaiting;
      },
    };
    if (!held.join(leg, responses)) return "busy";
    const step = await race(promise, { ms: waitMs, sleep, signal });
    isWaiting = false;
    if (step !== TIMED_OUT && step !== ABORTED) return step;
    held.leave(leg);
    return step === ABORTED ? "left" : "late";
  }

  /** Undefined if the caller cannot be asked this way, or too many calls are held. */
  #hold(call: Call): HeldCall | undefined {
    const { replica, rounds } = this.#options;
    const { origin, caller, message, id: callId, binding } = call;
    const facts = roundFacts(call);
    if (facts === undefined || caller === undefined || callId === undefined) return undefined;
    if (!ASKING_METHODS.has(message?.method ?? "") || origin.answerEarly === undefined) return undefined;
    if (!this.#pool.take(caller, 1)) return undefined;
    const id = randomBytes(18).toString("base64url");
    const state = rounds.openHeld(facts, { replica, held: id });
    const first: HeldLeg = {
      abilities: call.abilities,
      give(step) {
        if (!("asks" in step)) return false;
        const answer = envelopedAnswer(call, encodeAsks(callId, step.asks, state));
        call.memory?.add(answer.length);
        return origin.answerEarly?.(answer, (notification) => held.notify(notification)) === true;
      },
      // Before it is answered the call writes them itself.
      notify() {},
    };
    const held = new HeldCall({
      id,
      caller: caller.id,
      isKept: binding?.key !== undefined,
      first,
      abort: () => origin.abort?.(),
      onEnd: () => this.#end(caller, id),
    });
    this.#held.set(id, held);
    call.held = held;
    return held;
  }

  #end(caller: Caller, id: string): void {
    this.#held.delete(id);
    this.#pool.give(caller, 1);
  }
}

const CANNOT_ASK = "The client of this call cannot be asked now.";
