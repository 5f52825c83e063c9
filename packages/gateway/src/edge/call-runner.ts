import { core, type Fault } from "@recourse/faults";
import { causeOf } from "@recourse/faults/internal-do-not-use";
import { Call } from "../pipeline/call.ts";
import { runSteps, type Step } from "../pipeline/step.ts";
import type { Observer } from "../telemetry/observer.ts";
import { guarded } from "../telemetry/unexpected.ts";
import { type Answerer, type AnswerOptions, writeFault, writeLastResort, writeSuccess } from "./answer.ts";
import type { HttpOrigin } from "./http-origin.ts";
import { UnderWay } from "./under-way.ts";

/** What a call is run by: one configuration, from the beginning of the call to its end. */
export interface Served extends Answerer {
  readonly steps: readonly Step[];
  enter(): void;
  leave(): void;
}

/** What calls are run with. */
export interface RunnerOptions {
  readonly current: () => Served;
  readonly observer: Observer;
  readonly answers: AnswerOptions;
  /** Monotonic clock, in ms. */
  readonly now: () => number;
}

/** Runs calls: their steps, their answer, and what is observed of them. */
export class CallRunner {
  readonly #options: RunnerOptions;
  readonly #underWay = new UnderWay<HttpOrigin>();

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  /** How many calls are under way. */
  get size(): number {
    return this.#underWay.size;
  }

  /** Answers one request. */
  run(origin: HttpOrigin): void {
    const { observer, now, current } = this.#options;
    const served = current();
    const call = new Call(origin, now());
    served.enter();
    this.#underWay.add(origin);
    observer.began(call);
    let outcome: ReturnType<typeof runSteps>;
    try {
      outcome = runSteps(served.steps, call);
    } catch (error) {
      outcome = this.#broken(call, error);
    }
    if (outcome instanceof Promise) {
      outcome.then(
        (fault) => this.#finish(origin, call, served, fault),
        (error: unknown) => this.#finish(origin, call, served, this.#broken(call, error)),
      );
    } else {
      this.#finish(origin, call, served, outcome);
    }
  }

  /** Waits until no call is under way, or the signal is aborted. */
  idle(signal: AbortSignal): Promise<void> {
    return this.#underWay.idle(signal);
  }

  /** Ends the calls that are under way. */
  abortAll(): void {
    for (const origin of this.#underWay) origin.stop();
  }

  /** Whatever goes wrong from here on, the call has ended afterwards: otherwise the gateway would wait for it for ever. */
  #finish(origin: HttpOrigin, call: Call, served: Served, fault: Fault | undefined): void {
    const { observer } = this.#options;
    const sent = this.#answer(origin, call, served, fault);
    const { memory } = call;
    if (memory !== undefined) origin.whenClosed(() => memory.end());
    for (const run of call.afterwards ?? []) guarded("after a call", observer, () => run(sent));
    observer.ended(call, sent);
    served.leave();
    this.#underWay.delete(origin);
  }

  /** Writes the answer. Gives the fault as it was sent. */
  #answer(origin: HttpOrigin, call: Call, served: Served, given: Fault | undefined): Fault | undefined {
    const { answers } = this.#options;
    try {
      if (given !== undefined) return writeFault(origin, call, call.amend?.(given) ?? given, served, answers);
      writeSuccess(origin, call, answers);
      return undefined;
    } catch (error) {
      const fault = this.#broken(call, error);
      writeLastResort(origin, answers);
      return fault;
    }
  }

  /** A bug of the gateway. Whether the upstream was asked is known. */
  #broken(call: Call, error: unknown): Fault {
    this.#options.observer.unexpected(error, "call");
    call.cause = causeOf(error);
    return core.internal.fault({}, call.route?.kind === "upstream" ? {} : { effect: "none" });
  }
}
