import { core, type Fault } from "@recourse/faults";
import { incidentCause } from "@recourse/faults/proxy";
import { type Answerer, type AnswerOptions, writeFault, writeLastResort, writeSuccess } from "../answer/answer.ts";
import { Call, type Step } from "../call/call.ts";
import { type Observer, runGuarded } from "../call/observer.ts";
import type { HttpOrigin } from "../edge/http-origin.ts";
import { UnderWay } from "../edge/listener.ts";

/** What a call is run by: one configuration, from the beginning of the call to its end. */
interface ServedConfiguration extends Answerer {
  readonly steps: readonly Step[];
  enter(): void;
  leave(): void;
}

/** What calls are run with. */
interface RunnerOptions {
  readonly current: () => ServedConfiguration;
  readonly observer: Observer;
  readonly answers: AnswerOptions;
  /** Monotonic clock, in ms. */
  readonly now: () => number;
}

/** Runs calls: their steps, their answer, and what is observed of them. */
export class PipelineRunner {
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
  #finish(origin: HttpOrigin, call: Call, served: ServedConfiguration, fault: Fault | undefined): void {
    const { observer } = this.#options;
    const sent = this.#answer(origin, call, served, fault);
    const { memory } = call;
    if (memory !== undefined) origin.whenClosed(() => memory.end());
    for (const run of call.afterwards ?? []) runGuarded("after a call", observer, () => run(sent));
    observer.ended(call, sent);
    served.leave();
    this.#underWay.delete(origin);
  }

  /** Writes the answer. Gives the fault as it was sent. */
  #answer(origin: HttpOrigin, call: Call, served: ServedConfiguration, given: Fault | undefined): Fault | undefined {
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
    call.cause = incidentCause(error);
    return core.internal.fault({}, call.route?.kind === "upstream" ? {} : { effect: "none" });
  }
}

/** Runs the steps in turn, up to the first fault. */
function runSteps(steps: readonly Step[], call: Call): Fault | undefined | Promise<Fault | undefined> {
  for (let at = 0; at < steps.length; at++) {
    const outcome = (steps[at] as Step)(call);
    if (outcome instanceof Promise) return runRest(steps, call, at + 1, outcome);
    if (outcome !== undefined) return outcome;
  }
  return undefined;
}

/** The steps after one that waits. One function for all of them: a chain of promises costs more at each step. */
async function runRest(
  steps: readonly Step[],
  call: Call,
  from: number,
  waiting: Promise<Fault | undefined>,
): Promise<Fault | undefined> {
  let fault = await waiting;
  for (let at = from; fault === undefined && at < steps.length; at++) {
    const outcome = (steps[at] as Step)(call);
    fault = outcome instanceof Promise ? await outcome : outcome;
  }
  return fault;
}
