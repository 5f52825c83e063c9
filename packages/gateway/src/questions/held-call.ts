import { memberAt, parseJson } from "@recourse/core/wire";
import { type Abilities, canAnswer } from "../call/abilities.ts";
import type { HeldEnd, HeldOutcome } from "../call/call.ts";
import { skipSpace, valuesOf } from "../call/json-bytes.ts";
import { withSpans } from "../call/json-edit.ts";
import type { RequestMessage } from "../call/message.ts";
import { refusedRequest, type ServerAnswer, unansweredRequest } from "../call/server-request.ts";
import type { CallerQuestion } from "./prepare-question.ts";

export interface AskedQuestion {
  readonly key: string;
  readonly method: string;
  readonly params: Buffer;
}

/** What comes next of a held call: questions, or the end. */
export type HeldStep = { readonly asks: readonly AskedQuestion[] } | HeldOutcome;

/** A leg that waits for what comes next of a held call. */
export interface HeldLeg {
  readonly abilities: Abilities;
  /** It waits no longer. False if its caller has left. */
  give(step: HeldStep): boolean;
  /** Passes a notification on that came meanwhile. */
  notify(message: Buffer): void;
}

export interface HeldCallOptions {
  readonly id: string;
  /** Id of the caller: only this caller may continue the call. */
  readonly caller: string;
  /** The call continues although no leg waits for it. */
  readonly isKept: boolean;
  /** The first one that waits: the response of the call itself. */
  readonly first: HeldLeg;
  readonly abort: () => void;
  readonly onEnd: () => void;
  /** How long to wait for further questions before the caller is asked, in ms. @default 10 */
  readonly gatherMs?: number;
}

interface OpenQuestion extends AskedQuestion {
  /** What of the params decides whether a caller can be asked. */
  readonly about: Readonly<Record<string, unknown>>;
  readonly answer: (answer: ServerAnswer) => void;
}

/** Upstreams that ask several questions at once write them one after the other. */
const GATHER_MS = 10;
/** What is asked in one answer. Further questions are asked in the next one. */
const MAX_ASKED_BYTES = 4 * 1_024 * 1_024;

/**
 * A call whose caller is asked by an answer. It continues, and the leg that brings the answers waits for what comes
 * next: the outcome, or further questions. At most one waits at a time.
 */
export class HeldCall implements HeldEnd {
  readonly id: string;
  readonly caller: string;
  readonly #options: HeldCallOptions;
  readonly #open = new Map<string, OpenQuestion>();
  #leg: HeldLeg | undefined;
  #asked = 0;
  #isAnswered = false;
  #isOver = false;
  #gathering: NodeJS.Timeout | undefined = undefined;

  constructor(options: HeldCallOptions) {
    this.id = options.id;
    this.caller = options.caller;
    this.#options = options;
    this.#leg = options.first;
  }

  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  /** Puts a question to the leg that waits, or to the next one that comes. */
  ask({ method, params, signal }: CallerQuestion): Promise<ServerAnswer> {
    if (this.#isOver || signal.aborted) return Promise.resolve(unansweredRequest(CALL_OVER));
    // Who was not reached once never got the state that it would come back with.
    if (this.#leg === undefined && !this.#isAnswered) return Promise.resolve(unansweredRequest(NOT_ANSWERED));
    this.#asked += 1;
    const key = `q${this.#asked}`;
    const { promise, resolve } = Promise.withResolvers<ServerAnswer>();
    const forget = () => this.#answer(key, unansweredRequest(NOT_ANSWERED));
    const answer = (given: ServerAnswer) => {
      signal.removeEventListener("abort", forget);
      resolve(given);
    };
    signal.addEventListener("abort", forget, { once: true });
    // It was checked before, and has become longer by the name of its upstream.
    const asked = parseJson(params.toString(), Number.POSITIVE_INFINITY);
    const about = { mode: memberAt(asked, "mode"), tools: memberAt(asked, "tools") && [] };
    this.#open.set(key, { key, method, params, about, answer });
    this.#gather();
    return promise;
  }

  /**
   * Takes answers, and then gives what comes next to the leg. False if another leg waits already: then nothing is
   * taken. What answers no open question is ignored.
   */
  join(leg: HeldLeg, responses: ReadonlyMap<string, Buffer>): boolean {
    if (this.#leg !== undefined || this.#isOver) return false;
    this.#leg = leg;
    for (const [key, result] of responses) this.#answer(key, { result });
    // What the caller left out is asked again.
    if (this.#open.size > 0) this.#gather();
    return true;
  }

  leave(leg: HeldLeg): void {
    if (this.#leg !== leg) return;
    this.#leg = undefined;
    if (!this.#options.isKept) this.#options.abort();
  }

  notify(message: Buffer): void {
    this.#leg?.notify(message);
  }

  end(outcome: HeldOutcome | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#gathering);
    for (const key of [...this.#open.keys()]) this.#answer(key, unansweredRequest(CALL_OVER));
    const leg = this.#leg;
    this.#leg = undefined;
    if (outcome !== undefined) leg?.give(outcome);
    this.#options.onEnd();
  }

  #answer(key: string, answer: ServerAnswer): void {
    const question = this.#open.get(key);
    this.#open.delete(key);
    question?.answer(answer);
  }

  #gather(): void {
    if (this.#leg === undefined || this.#gathering !== undefined) return;
    this.#gathering = setTimeout(() => {
      this.#gathering = undefined;
      this.#askLeg();
    }, this.#options.gatherMs ?? GATHER_MS);
  }

  #askLeg(): void {
    const leg = this.#leg;
    if (leg === undefined) return;
    const asks: AskedQuestion[] = [];
    let bytes = 0;
    for (const { key, method, params, about } of [...this.#open.values()]) {
      // Each call of the caller states what it can be asked.
      if (!canAnswer(leg.abilities, method, about)) {
        this.#answer(key, refusedRequest(NOT_DECLARED));
        continue;
      }
      bytes += params.length;
      if (asks.length > 0 && bytes > MAX_ASKED_BYTES) break;
      asks.push({ key, method, params });
    }
    if (asks.length === 0) return;
    this.#leg = undefined;
    const isFirst = !this.#isAnswered;
    this.#isAnswered = true;
    if (leg.give({ asks }) || !isFirst) return;
    this.#isAnswered = false;
    for (const { key } of asks) this.#answer(key, unansweredRequest(NOT_ANSWERED));
  }
}

const NOT_ANSWERED = "The user of this call gave no answer.";
const NOT_DECLARED = "The client of this call cannot be asked this.";
const CALL_OVER = "The call is over.";

/** The response that asks a caller, as bytes. The params of the questions stay as they are. `id` is JSON. */
export function encodeAsks(id: string, asks: readonly AskedQuestion[], state: string): Buffer {
  const pieces: Buffer[] = [
    Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":{"resultType":"input_required","inputRequests":{`),
  ];
  asks.forEach(({ key, method, params }, at) => {
    const comma = at === 0 ? "" : ",";
    const begin = `${comma}${JSON.stringify(key)}:{"method":${JSON.stringify(method)},"params":`;
    pieces.push(Buffer.from(begin), params, Buffer.from("}"));
  });
  pieces.push(Buffer.from(`},"requestState":${JSON.stringify(state)}}}`));
  return Buffer.concat(pieces);
}

/** A JSON-RPC response with another id. The rest stays as it is. */
export function withResponseId(response: Buffer, id: string): Buffer {
  const known = valuesOf(response, skipSpace(response, 0), "id");
  return known.length === 0 ? response : withSpans(response, known, id);
}

/**
 * A notification of a held call as the call that waits for it may read it: progress goes by the token of that call, and
 * is dropped if it has none.
 */
export function forLeg(notification: Buffer, { meta }: RequestMessage): Buffer | undefined {
  const start = skipSpace(notification, 0);
  const method = valuesOf(notification, start, "method").at(-1);
  if (method === undefined) return undefined;
  if (notification.toString("utf8", method.start, method.end) !== '"notifications/progress"') return notification;
  const token = meta?.["progressToken"];
  if (typeof token !== "string" && typeof token !== "number") return undefined;
  const params = valuesOf(notification, start, "params").at(-1);
  const known = params === undefined ? [] : valuesOf(notification, params.start, "progressToken");
  return known.length === 0 ? undefined : withSpans(notification, known, JSON.stringify(token));
}
