import { randomBytes } from "node:crypto";
import type { Fault } from "@recourse/core";
import { core, protocol } from "@recourse/core/reasons";
import { type JsonObject, stringAt } from "@recourse/core/wire";
import type { Call, Step } from "../call/call.ts";
import { type CallerAnswer, refusedRequest, type ServerAnswer, unansweredRequest } from "../call/server-request.ts";
import type { ReplicaBus } from "../stores/replica-bus.ts";
import type { Ask, UnansweredReason } from "./prepare-question.ts";

/** Whom a question was put to. Nobody else can answer it. */
export interface AskedSession {
  readonly caller: string;
  /** Nonce of its session. */
  readonly session: string;
}

/** A question that waits for its answer. */
export interface PendingQuestion {
  readonly id: string;
  readonly answer: Promise<ServerAnswer>;
  close(): void;
}

/**
 * What came of an answer. `taken`: it was passed on. `invalid`: it belongs to a question, and is not a valid answer of
 * the protocol. `unknown`: there is no such question for this caller, or no longer. `away`: the replica that asked does
 * not answer.
 */
export type AnswerOutcome = "taken" | "invalid" | "unknown" | "away";

export interface OpenQuestionsOptions {
  readonly bus: Pick<ReplicaBus, "replica" | "on" | "ask">;
  /** The most open questions of this process. @default 10_000 */
  readonly max?: number;
  /** The most of them to one caller. @default 256 */
  readonly maxPerCaller?: number;
  /** Characters that nobody can guess, safe in a URL. @default 144 random bits */
  readonly random?: () => string;
}

const MAX_OPEN = 10_000;
const MAX_OPEN_PER_CALLER = 256;
/** Answers of one caller that are on their way to other replicas at one moment. */
const MAX_PASSED_PER_CALLER = 64;
const PASS_MS = 2_000;
const ANSWER_KIND = "question.answer";
/** The replica that asked, and characters that nobody can guess. */
const QUESTION_ID_FORM = /^([a-z0-9]{1,64})\.[\w-]{24}$/;

interface WaitingQuestion extends AskedSession {
  readonly resolve: (answer: ServerAnswer) => void;
}

/** The questions that the calls of this replica have put to their callers. Answers reach it at whatever replica they come in. */
export class OpenQuestions {
  readonly #options: OpenQuestionsOptions;
  readonly #waiting = new Map<string, WaitingQuestion>();
  readonly #perCaller = new Counts();
  readonly #passed = new Counts();

  constructor(options: OpenQuestionsOptions) {
    this.#options = options;
    options.bus.on(ANSWER_KIND, (body) => this.#receive(body));
  }

  get size(): number {
    return this.#waiting.size;
  }

  open(to: AskedSession): PendingQuestion | undefined {
    const { bus, max = MAX_OPEN, maxPerCaller = MAX_OPEN_PER_CALLER, random = randomText } = this.#options;
    if (this.#waiting.size >= max || this.#perCaller.count(to.caller) >= maxPerCaller) return undefined;
    const id = `${bus.replica}.${random()}`;
    const { promise, resolve } = Promise.withResolvers<ServerAnswer>();
    this.#waiting.set(id, { ...to, resolve });
    this.#perCaller.add(to.caller, 1);
    return { id, answer: promise, close: () => this.#close(id) };
  }

  /** Passes an answer to the call that waits for it, at this replica or at another. */
  answer(from: AskedSession, { id, answer }: CallerAnswer): AnswerOutcome | Promise<AnswerOutcome> {
    const owner = id === undefined ? undefined : QUESTION_ID_FORM.exec(id)?.[1];
    if (id === undefined || owner === undefined) return "unknown";
    if (owner === this.#options.bus.replica) return this.#take(from, id, answer);
    // Callers that make ids up must not keep the answers of others from being taken.
    if (this.#passed.count(from.caller) >= MAX_PASSED_PER_CALLER) return "away";
    return this.#pass(owner, from, { id, answer });
  }

  async #pass(owner: string, { caller, session }: AskedSession, { id, answer }: CallerAnswer): Promise<AnswerOutcome> {
    const body = { id, caller, session, ...(answer !== undefined && encodeForBus(answer)) };
    this.#passed.add(caller, 1);
    try {
      const said = await this.#options.bus.ask(owner, ANSWER_KIND, body, { timeoutMs: PASS_MS });
      return readPassOutcome(said);
    } finally {
      this.#passed.add(caller, -1);
    }
  }

  /** An answer that came in at another replica. */
  #receive(body: JsonObject): JsonObject {
    const [id, caller, session] = [stringAt(body, "id"), stringAt(body, "caller"), stringAt(body, "session")];
    if (id === undefined || caller === undefined || session === undefined) return { outcome: "unknown" };
    return { outcome: this.#take({ caller, session }, id, decodeFromBus(body)) };
  }

  #take({ caller, session }: AskedSession, id: string, answer: ServerAnswer | undefined): AnswerOutcome {
    const known = this.#waiting.get(id);
    if (known === undefined || known.caller !== caller || known.session !== session) return "unknown";
    this.#close(id);
    known.resolve(answer ?? unansweredRequest("The answer of the client was not valid."));
    return answer === undefined ? "invalid" : "taken";
  }

  #close(id: string): void {
    const known = this.#waiting.get(id);
    if (known === undefined) return;
    this.#waiting.delete(id);
    this.#perCaller.add(known.caller, -1);
  }
}

class Counts {
  readonly #counts = new Map<string, number>();

  count(caller: string): number {
    return this.#counts.get(caller) ?? 0;
  }

  add(caller: string, change: number): void {
    const count = this.count(caller) + change;
    if (count === 0) this.#counts.delete(caller);
    else this.#counts.set(caller, count);
  }
}

function randomText(): string {
  return randomBytes(18).toString("base64url");
}

/** Bytes as text that is never longer than four thirds of them: an answer that may come in also fits into a message. */
function encodeForBus(answer: ServerAnswer): JsonObject {
  return "result" in answer ? { result: answer.result.toString("base64") } : { error: answer.error.toString("base64") };
}

function decodeFromBus(body: JsonObject): ServerAnswer | undefined {
  const [result, error] = [stringAt(body, "result"), stringAt(body, "error")];
  if (result !== undefined) return { result: Buffer.from(result, "base64") };
  return error === undefined ? undefined : { error: Buffer.from(error, "base64") };
}

function readPassOutcome(said: JsonObject | undefined): AnswerOutcome {
  switch (said?.["outcome"]) {
    case "taken":
      return "taken";
    case "invalid":
      return "invalid";
    case "unknown":
      return "unknown";
    default:
      return "away";
  }
}

/** A replica that does not answer may be busy for a moment. */
const OWNER_AWAY_MS = 1_000;

/** A step for answers of callers only. Nearly all messages are none, and do not pay for it. */
export function forAnswers(step: Step): Step {
  return (call) => (call.callerAnswer === undefined ? undefined : step(call));
}

/** Passes the answer of a caller on to the call that waits for it. */
export function takeAnswer(questions: Pick<OpenQuestions, "answer">): Step {
  return (call) => {
    const { callerAnswer = NO_ANSWER, caller, session } = call;
    if (caller === undefined || session === undefined) return settleAnswer(call, "unknown");
    const outcome = questions.answer({ caller: caller.id, session: session.nonce }, callerAnswer);
    return outcome instanceof Promise ? outcome.then((one) => settleAnswer(call, one)) : settleAnswer(call, outcome);
  };
}

const NO_ANSWER: CallerAnswer = { id: undefined, answer: undefined };

function settleAnswer(call: Call, outcome: AnswerOutcome): Fault | undefined {
  // Nothing is left to be done, and the message counts against no limit of calls.
  call.route = { kind: "ignored" };
  switch (outcome) {
    case "taken":
      return undefined;
    case "unknown":
      // Late, doubled, made up, or for another caller: the sender does not learn which.
      return refusal("/id", "the id of a question to this session that waits for an answer");
    case "invalid":
      return refusal("/result", "an object, or an error with code and message");
    case "away":
      return core.unavailable.fault({}, { effect: "none", retry: { allowed: true, afterMs: OWNER_AWAY_MS } });
    default:
      return outcome satisfies never;
  }
}

function refusal(pointer: string, expected: string): Fault {
  return protocol.invalid_request.fault({}, { issues: [{ pointer, rule: "custom", expected }] });
}

/** What the caller reads about a question that it need not answer any more. */
const WITHDRAWN_TEXT = {
  late: "The time to answer is over.",
  withdrawn: "The answer is not needed any more.",
} as const satisfies Record<Exclude<UnansweredReason, "left">, string>;

/** Asks callers of the older era: on the stream of their call, where they answer with a message of its own. */
export function askOnStream(questions: Pick<OpenQuestions, "open">): Ask {
  return async (call, { method, params, signal }) => {
    const { caller, session, origin } = call;
    if (caller === undefined || session === undefined || origin.canAsk !== true) {
      return refusedRequest("The client reads no stream of events, so it cannot be asked.");
    }
    const question = questions.open({ caller: caller.id, session: session.nonce });
    if (question === undefined) return unansweredRequest("Too many questions wait for an answer.");
    const head = `{"jsonrpc":"2.0","id":${JSON.stringify(question.id)},"method":${JSON.stringify(method)},"params":`;
    if (origin.ask?.(Buffer.concat([Buffer.from(head), params, QUESTION_END])) !== true) {
      question.close();
      return unansweredRequest("The client could not be asked.");
    }
    const withdraw = () => {
      question.close();
      const reason = signal.reason as UnansweredReason;
      if (reason !== "left") origin.notify(cancelledMessage(question.id, WITHDRAWN_TEXT[reason]));
    };
    signal.addEventListener("abort", withdraw, { once: true });
    return question.answer;
  };
}

const QUESTION_END = Buffer.from("}");

function cancelledMessage(requestId: string, reason: string): Buffer {
  const params = { requestId, reason };
  return Buffer.from(JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params }));
}
