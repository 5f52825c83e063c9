import { hasInputRequired, MAX_TIMER_MS } from "@recourse/core/wire";
import type { Call } from "../call/call.ts";
import type { PausableClock } from "../call/pausable-timer.ts";
import {
  malformedRequest,
  refusedRequest,
  type ServerAnswer,
  type ServerRequest,
  unansweredRequest,
} from "../call/server-request.ts";
import type { UpstreamOptions } from "../config/types.ts";
import type { CredentialCutter } from "../judge/credential-cutter.ts";
import { MAX_QUESTIONS } from "../upstreams/call-questions.ts";
import type { Ask, UnansweredReason } from "./prepare-question.ts";
import { prepareQuestion } from "./prepare-question.ts";

export interface AskCallerParts {
  readonly askOnStream: Ask;
  readonly holdCall?: Ask | undefined;
  readonly cutter: Pick<CredentialCutter, "cutNotification">;
  /** How long to wait for the caller of one call, all its questions together. */
  readonly waitMs: number;
  readonly now: () => number;
}

/** What the upstream reads if there is no answer. */
const UNANSWERED_TEXT = {
  late: "The client did not answer in time.",
  left: "The client has left.",
  withdrawn: "The request was withdrawn.",
} as const satisfies Record<UnansweredReason, string>;

type EndQuestion = (reason: UnansweredReason) => void;

/**
 * The questions that an upstream asks during one call. While at least one of them is open, the time of the call stands still:
 * its deadline, the claim of its key, and the clock that is given.
 */
export class CallerQuestions {
  readonly #call: Call;
  readonly #upstream: UpstreamOptions;
  readonly #parts: AskCallerParts;
  readonly #clock: PausableClock | undefined;
  readonly #open = new Set<EndQuestion>();
  #startedMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #isTimeUp = false;
  /** The last change of the claim. They are made one after the other. */
  #claim: Promise<boolean> | undefined;

  constructor(call: Call, upstream: UpstreamOptions, parts: AskCallerParts, clock?: PausableClock) {
    this.#call = call;
    this.#upstream = upstream;
    this.#parts = parts;
    this.#clock = clock;
  }

  /**
   * Puts a request of the upstream to the caller, and gives its answer, or one that says why the caller gave no answer.
   * It never rejects.
   */
  ask(request: ServerRequest, signal: AbortSignal): Promise<ServerAnswer> {
    const question = this.#check(request);
    if (!Buffer.isBuffer(question)) return Promise.resolve(this.#note(question));
    this.#call.askedCount += 1;
    return this.#put(request.method, question, signal);
  }

  leave(): void {
    this.#endAll("left");
  }

  #check(request: ServerRequest): Buffer | ServerAnswer {
    const { cutter, waitMs } = this.#parts;
    const { abilities, origin, askedCount, shownTokens } = this.#call;
    if (origin.signal.aborted) return unansweredRequest(UNANSWERED_TEXT.left);
    if (askedCount >= MAX_QUESTIONS) return malformedRequest(`One call can ask at most ${MAX_QUESTIONS} times.`);
    if (this.#isTimeUp || this.#waitedMs >= waitMs) return unansweredRequest(UNANSWERED_TEXT.late);
    const upstream = this.#upstream;
    return prepareQuestion(request, { abilities, upstream, head: origin.head, shownTokens, cutter });
  }

  #put(method: string, params: Buffer, withdrawn: AbortSignal): Promise<ServerAnswer> {
    const { promise, resolve } = Promise.withResolvers<ServerAnswer>();
    const left = this.#call.origin.signal;
    const ended = new AbortController();
    // What follows an abort must find the clocks as they are then, so all of it happens at once.
    const finish = (answer: ServerAnswer) => {
      if (!this.#open.delete(end)) return;
      withdrawn.removeEventListener("abort", onWithdrawn);
      left.removeEventListener("abort", onLeft);
      if (this.#open.size === 0) this.#goOn();
      resolve(this.#note(this.#hold(answer)));
    };
    const end: EndQuestion = (reason) => {
      if (!this.#open.has(end)) return;
      ended.abort(reason);
      finish(unansweredRequest(UNANSWERED_TEXT[reason]));
    };
    const onWithdrawn = () => end("withdrawn");
    const onLeft = () => end("left");
    this.#open.add(end);
    if (this.#open.size === 1) this.#standStill();
    withdrawn.addEventListener("abort", onWithdrawn, { once: true });
    left.addEventListener("abort", onLeft, { once: true });
    if (withdrawn.aborted) end("withdrawn");
    const question = { method, params, upstream: this.#upstream.name, signal: ended.signal };
    void this.#answered(question, () => this.#open.has(end)).then(finish, () =>
      finish(unansweredRequest("The client could not be asked.")),
    );
    return promise;
  }

  /** The answer of the caller. It is asked once the key of the call is safe for that long. */
  async #answered(question: Parameters<Ask>[1], isOpen: () => boolean): Promise<ServerAnswer> {
    const { askOnStream, holdCall } = this.#parts;
    if (this.#claim !== undefined && !(await this.#claim)) {
      return unansweredRequest("The client cannot be asked at the moment.");
    }
    if (!isOpen()) return unansweredRequest(UNANSWERED_TEXT.withdrawn);
    const ask = hasInputRequired(this.#call.revision) ? holdCall : askOnStream;
    return ask === undefined ? refusedRequest("The client cannot be asked.") : ask(this.#call, question);
  }

  #note(answer: ServerAnswer): ServerAnswer {
    if ("error" in answer) this.#call.lacksAnswer = true;
    return answer;
  }

  /** An answer is held until the upstream has got it, so it counts against the share of the caller. */
  #hold(answer: ServerAnswer): ServerAnswer {
    const { length } = "result" in answer ? answer.result : answer.error;
    const { memory } = this.#call;
    return memory === undefined || memory.take(length) ? answer : unansweredRequest("The answer is too large.");
  }

  get #waitedMs(): number {
    const sinceMs = this.#open.size === 0 ? 0 : this.#parts.now() - this.#startedMs;
    return this.#call.waitedMs + sinceMs;
  }

  #standStill(): void {
    const { now, waitMs } = this.#parts;
    this.#startedMs = now();
    this.#clock?.pause();
    const leftMs = Math.max(0, waitMs - this.#call.waitedMs);
    this.#timer = setTimeout(
      () => {
        // A timer may be early by a fraction of a millisecond.
        this.#isTimeUp = true;
        this.#endAll("late");
      },
      Math.min(leftMs, MAX_TIMER_MS),
    );
    this.#extend(leftMs);
  }

  #goOn(): void {
    const call = this.#call;
    clearTimeout(this.#timer);
    const waitedMs = this.#parts.now() - this.#startedMs;
    call.waitedMs += waitedMs;
    call.deadlineMs += waitedMs;
    this.#clock?.resume();
    this.#extend(0);
  }

  /**
   * The key of the call must not become late while a person thinks, or another call with it could run. After a change that
   * failed nobody is asked any more: it may still be made, and undo a later one.
   */
  #extend(waitMs: number): void {
    const { extendClaim, deadlineMs } = this.#call;
    if (extendClaim === undefined) return;
    const restMs = Math.max(0, deadlineMs - this.#parts.now());
    const before = this.#claim ?? Promise.resolve(true);
    this.#claim = before.then((isHeld) => isHeld && extendClaim(restMs + waitMs));
  }

  #endAll(reason: UnansweredReason): void {
    for (const end of [...this.#open]) end(reason);
  }
}
