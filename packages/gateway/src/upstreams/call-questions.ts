import { ABORTED, race } from "@recourse/core/wire";
import type { PausableClock } from "../call/pausable-timer.ts";
import { refusedRequest, type ServerAnswer, type ServerRequest, unansweredRequest } from "../call/server-request.ts";
import type { UpstreamRequest } from "../call/upstream.ts";

/** A server that asks more often in one call is refused. */
export const MAX_QUESTIONS = 32;
/** What the open questions of one call may hold together. */
const MAX_OPEN_BYTES = 4 * 1_048_576;

/** The questions of one call to its caller: they are counted, and the time of the call stands still while one is open. */
export class CallQuestions {
  /** The time of the call. Set once it is sent. */
  clock: PausableClock | undefined = undefined;
  readonly #onRequest: NonNullable<UpstreamRequest["onRequest"]>;
  #ending: AbortController | undefined = undefined;
  #asked = 0;
  #openBytes = 0;
  #isOver = false;

  constructor(onRequest: NonNullable<UpstreamRequest["onRequest"]>) {
    this.#onRequest = onRequest;
  }

  /** Asks the caller. It never rejects, and ends when the signal is aborted or the call is over. */
  async ask(request: ServerRequest, signal: AbortSignal): Promise<ServerAnswer> {
    const bytes = request.params?.length ?? 0;
    if (this.#isOver) return unansweredRequest(CALL_ENDED);
    if (this.#asked >= MAX_QUESTIONS || this.#openBytes + bytes > MAX_OPEN_BYTES) return refusedRequest(TOO_MANY);
    this.#asked += 1;
    this.#openBytes += bytes;
    this.#ending ??= new AbortController();
    const ending = AbortSignal.any([signal, this.#ending.signal]);
    const { clock } = this;
    clock?.pause();
    try {
      const answer = await race(this.#onRequest(request, ending), { signal: ending });
      return answer === ABORTED ? unansweredRequest(CALL_ENDED) : answer;
    } catch {
      return unansweredRequest("The caller could not be asked.");
    } finally {
      clock?.resume();
      this.#openBytes -= bytes;
    }
  }

  /** The call is over: what is open is withdrawn. */
  end(): void {
    this.#isOver = true;
    this.#ending?.abort();
  }
}

const CALL_ENDED = "The call has ended.";
const TOO_MANY = "The call has asked too much.";
