import type { Fault } from "@recourse/core";
import { incidentCause } from "@recourse/core/proxy";
import { core } from "@recourse/core/reasons";
import {
  type Answerer,
  type AnswerOptions,
  reportHeldFault,
  writeFault,
  writeLastResort,
  writeSuccess,
} from "../answer/answer.ts";
import { writeTaskFailure } from "../answer/failed-task.ts";
import { Call, type Step } from "../call/call.ts";
import { type Observer, runGuarded } from "../call/observer.ts";
import type { HttpOrigin } from "../edge/http-origin.ts";
import { UnderWay } from "../edge/listener.ts";
import type { StepsByMethod } from "./pipeline.ts";

/** What a call is run by: one configuration, from the beginning of the call to its end. */
interface ServedConfiguration extends Answerer {
  readonly steps: StepsByMethod;
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
      const method = stepMethod(origin.head.method);
      call.stepNames = served.steps.names[method];
      outcome = runSteps(served.steps[method], call, now);
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

  /**
   * Whatever goes wrong from here on, the call has ended afterwards: otherwise the gateway would wait for it forever.
   */
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
      if (call.held?.isAnswered === true) return this.#endHeld(origin, call, served, given);
      call.held?.end(undefined);
      if (given !== undefined) return writeFault(origin, call, call.amend?.(given) ?? given, served, answers);
      if (call.taskFailure !== undefined && call.answer !== undefined) {
        const parts = { origin, answerer: served, options: answers };
        call.answer = writeTaskFailure(call, call.answer, call.taskFailure, parts);
      }
      writeSuccess(origin, call, answers);
      return undefined;
    } catch (error) {
      const fault = this.#broken(call, error);
      call.held?.end({ fault });
      writeLastResort(origin, answers);
      return fault;
    }
  }

  /** Hands what came of a held call to the call that waits for it. Gives the fault as it is sent there. */
  #endHeld(origin: HttpOrigin, call: Call, served: ServedConfiguration, given: Fault | undefined): Fault | undefined {
    const { answers } = this.#options;
    // Every request of the newer era has an answer, so what has none has failed.
    const failed = given ?? (call.answer === undefined ? core.internal.fault() : undefined);
    const sent = failed && reportHeldFault(origin, call, call.amend?.(failed) ?? failed, served, answers);
    if (sent !== undefined) call.held?.end({ fault: sent });
    else if (call.answer !== undefined) call.held?.end({ answer: call.answer });
    return sent;
  }

  /** A bug of the gateway. Whether the upstream was asked is known. */
  #broken(call: Call, error: unknown): Fault {
    this.#options.observer.unexpected(error, "call");
    call.cause = incidentCause(error);
    return core.internal.fault({}, call.route?.kind === "upstream" ? {} : { effect: "none" });
  }
}

/** Whose steps a method of HTTP has. What the endpoint does not know is refused by those for calls. */
function stepMethod(method: string): "POST" | "GET" | "DELETE" {
  return method === "GET" || method === "DELETE" ? method : "POST";
}

/** Runs the steps in turn, up to the first fault. */
function runSteps(
  steps: readonly Step[],
  call: Call,
  now: () => number,
): Fault | undefined | Promise<Fault | undefined> {
  for (let at = 0; at < steps.length; at++) {
    call.stepAt = at;
    const outcome = (steps[at] as Step)(call);
    if (outcome instanceof Promise) return runRest(steps, call, now, outcome);
    if (outcome !== undefined) return outcome;
  }
  return undefined;
}

/**
 * The steps after one that waits. One function for all of them: a chain of promises costs more at each step. The clock
 * is read only if a step has waited: what the others take counts for the next one that waits, or for the last.
 */
async function runRest(
  steps: readonly Step[],
  call: Call,
  now: () => number,
  waiting: Promise<Fault | undefined>,
): Promise<Fault | undefined> {
  let fault = await waiting;
  call.stepTimes = [call.stepAt, now()];
  for (let at = call.stepAt + 1; fault === undefined && at < steps.length; at++) {
    call.stepAt = at;
    const outcome = (steps[at] as Step)(call);
    if (outcome instanceof Promise) {
      fault = await outcome;
      call.stepTimes.push(at, now());
    } else fault = outcome;
  }
  return fault;
}
