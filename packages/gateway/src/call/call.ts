import type { Fault } from "@recourse/core";
import type { Revision } from "@recourse/core/wire";
import { type Abilities, NO_ABILITIES } from "./abilities.ts";
import type { CallBinding } from "./binding.ts";
import type { Caller } from "./caller.ts";
import type { Departure } from "./ending.ts";
import type { RequestHead } from "./head.ts";
import type { RequestMessage } from "./message.ts";
import type { CallerAnswer } from "./server-request.ts";
import type { CallerSession } from "./session.ts";
import type { Upstream, UpstreamReply } from "./upstream.ts";

/** Looks at the bytes of a body. One that is too large is then read to its end, up to a bound, without being kept. */
interface BodyObserver {
  take(bytes: Uint8Array): void;
}

/** How a call wants its body read. */
export interface BodyReading {
  /** @default a body that is too large is refused at once */
  readonly observer?: BodyObserver | undefined;
  /** Asked before bytes are kept; a fault if there is no memory for them. @default there always is */
  readonly hold?: ((bytes: number) => Fault | undefined) | undefined;
}

/** The bytes that are held for one call. */
interface HeldMemory {
  /** Takes bytes; false if the caller holds its share already. */
  take(bytes: number): boolean;
  /** Counts bytes that are held already. */
  add(bytes: number): void;
  /** Gives all of them back. */
  end(): void;
}

/** What a call needs of the connection it came by. */
export interface CallOrigin {
  readonly head: RequestHead;
  /** Aborted when the caller goes away. */
  readonly signal: AbortSignal;
  /** The same, at less cost. @default only the signal says it */
  readonly departure?: Departure;
  /** Aborted when the gateway stops and waits for calls no longer. @default never */
  readonly stopped?: AbortSignal;
  /**
   * Reads the whole body; a fault if it is too large, too slow, or broken off. The observer gets the bytes of a body
   * that is too large to be kept; `hold` is asked before bytes are kept.
   */
  readBody(options?: BodyReading): Promise<Buffer | Fault>;
  /** Ends the call as if the caller had gone away. @default it cannot be ended */
  abort?(): void;
  /**
   * Lets a page read the answer: the value says which one, as `Access-Control-Allow-Origin` does. @default browsers keep the
   * answer from every page
   */
  allowPage?(allowedOrigin: string): void;
  /** Sends a notification before the answer; from then on the answer is a stream of events. */
  notify(message: Buffer): void;
  /**
   * Answers the request although its call continues. The end of the response does not end the call any more, and
   * notifications go to `onNotification` from then on. False if there is no caller left to answer. @default it cannot
   * be answered early
   */
  answerEarly?(message: Buffer, onNotification: (message: Buffer) => void): boolean;
  /** Whether the caller reads a stream of events, so that it can be asked something before the answer. @default false */
  readonly canAsk?: boolean;
  /**
   * Sends a request to the caller before the answer, as `notify` does. False if it was not sent: the caller reads no
   * streams, has left, or has left too much unread. @default it is never sent
   */
  ask?(message: Buffer): boolean;
  /**
   * Answers at once with a stream of events that stays open until the call ends, and returns a function that writes
   * into it: false if the caller has left, or has left too much unread. Undefined if the caller reads no streams.
   * @default it reads none
   */
  openStream?(): ((message: Buffer) => boolean) | undefined;
}

/** The way to end a call of the older era from outside, by `notifications/cancelled`. */
export interface Cancellation {
  /** Aborts what is under way. Set by `attemptCall` while it waits for the upstream. */
  run: (() => void) | undefined;
  /** Set by `attemptCall` when there is nothing left to end. */
  isOver: boolean;
}

/** The steps of a call through the gateway, as operators see them. One name may stand for several steps of the pipeline. */
export const CALL_STEPS = [
  "head",
  "authenticate",
  "message",
  "resolve",
  "limits",
  "check",
  "breaker",
  "begin",
  "attempt",
  "judge",
] as const;

export type CallStepName = (typeof CALL_STEPS)[number];

/** What an MCP client says about itself. */
export interface CallerClient {
  readonly name: string;
  readonly version: string | undefined;
}

/** Names of steps before any is known. */
const NO_STEPS: readonly CallStepName[] = [];

/** One request on its way through the gateway. Each step adds what it found out, and the steps after it rely on that. */
export class Call {
  readonly origin: CallOrigin;
  /** Monotonic time of arrival, in ms. */
  readonly startedMs: number;
  /** What the steps are called, one name for each. Set by the runner, like the next two. */
  stepNames: readonly CallStepName[] = NO_STEPS;
  /** The step that runs, or ran last. */
  stepAt = 0;
  /** Steps that waited, and the monotonic time at which each had waited, in turn: undefined before the first. */
  stepTimes: number[] | undefined = undefined;
  /** Set by `authenticateCaller`. */
  caller: Caller | undefined = undefined;
  /** The session that the request names; undefined if it names none. Set by `findSession`. */
  session: CallerSession | undefined = undefined;
  /** The log level that the caller has set for its session; undefined if it has set none. Set by `findSession`. */
  logLevel: string | undefined = undefined;
  /** What the client said about itself when its session began; requests of the newer era say it each time. Set by `findSession`. */
  sessionClient: CallerClient | undefined = undefined;
  /** What the caller can be asked for. Set by `findAbilities`. */
  abilities: Abilities = NO_ABILITIES;
  /** Set by `readMessage`. */
  message: RequestMessage | undefined = undefined;
  /** The answer to a question of an upstream, if the message is an answer and not a request. Set by `readMessage`. */
  callerAnswer: CallerAnswer | undefined = undefined;
  /** How many bytes of a body were looked at. Set by `readMessage`. */
  bodyBytes = 0;
  /** The id to answer with, as the JSON that was sent; undefined if it is missing or unknown. Set by `readMessage`. */
  id: string | undefined = undefined;
  /** The message is in order, so what fails from here on fails within the protocol. Set by `readMessage`. */
  isAccepted = false;
  /** The message calls a tool and its id is known, although it is refused: too large, or too deep. Set by `readMessage`. */
  isRefusedCall = false;
  /** The revision of the protocol that the caller speaks. Set by `readMessage`. */
  revision: Revision | undefined = undefined;
  /** Monotonic time at which the call ends at the latest. Set by `readMessage`. */
  deadlineMs = Number.POSITIVE_INFINITY;
  /** Set by `resolveRoute`. */
  route: Route | undefined = undefined;
  /** Set by `resolveRoute` for calls that a notification of the caller can end. */
  cancellation: Cancellation | undefined = undefined;
  /** The idempotency key as the upstream gets it: a digest of caller, tool and key. Set by `checkBinding`. */
  key: string | undefined = undefined;
  /** What binds the call to its arguments; undefined for most calls. Set by `checkBinding`. */
  binding: CallBinding | undefined = undefined;
  /** The answers that the call brings to an earlier request for input; undefined for most calls. Set by `checkRound`. */
  round: Round | undefined = undefined;
  /** The held call that this one continues; undefined for most calls. Set by `checkRound`. */
  leg: Leg | undefined = undefined;
  /** The call was answered with a question and continues: its outcome is for a later call. Set by `HeldCalls`. */
  held: HeldEnd | undefined = undefined;
  /** The name of the limit that refuses the call, as operators know it: a pattern of tools, or what the limit is about. Set by `takeLimits`. */
  limitedBy: string | undefined = undefined;
  /** The circuit breaker refuses the call, but a stored outcome may still be given. Set by `askBreaker` for bound calls. */
  refusal: Fault | undefined = undefined;
  /** Changes a fault before it is sent. Set by `beginBoundCall` for calls whose outcome is kept. @default it is sent as it is */
  amend: ((fault: Fault) => Fault) | undefined = undefined;
  /**
   * Frees what the call holds, if the call is not over and continues in another round. Set by `beginBoundCall`.
   * @default it holds nothing
   */
  reopen: (() => Promise<void>) | undefined = undefined;
  /**
   * Moves the time at which the key of the call counts as late, to this many ms from now plus the usual grace; false if
   * the claim is lost, or the store is down. Set by `beginBoundCall` for calls with a key. @default the call holds no
   * key
   */
  extendClaim: ((leftMs: number) => Promise<boolean>) | undefined = undefined;
  /** What is to be done once the answer is written, with the fault as it was sent. Added to by `askBreaker` and `beginBoundCall`. */
  afterwards: ((sent: Fault | undefined) => void)[] | undefined = undefined;
  /** The call finds out whether its upstream or tool works again. Set by `askBreaker`. */
  isProbe = false;
  /** The reply to a probe whose caller had less time than the upstream. Set by `attemptCall`. */
  late: Promise<UpstreamReply> | undefined = undefined;
  /** What the call holds of the memory: its request, and its answer until the caller has read it. Set by `readMessage`. */
  memory: HeldMemory | undefined = undefined;
  /**
   * The fetched tokens that the upstream was shown in this call; undefined if its credential is not fetched. Set by
   * `attemptCall`.
   */
  shownTokens: readonly string[] | undefined = undefined;
  /** The message was handed to its upstream, so it may have left. Set by `attemptCall`. */
  wasSent = false;
  /** Set by `attemptCall`. */
  reply: UpstreamReply | undefined = undefined;
  /**
   * What the upstream's answer means for the gateway, if it is a failure; the caller gets it in other words. Set by
   * `judge`.
   */
  judged: Fault | undefined = undefined;
  /** The JSON-RPC response as bytes, once it is known to be a success; undefined for a notification. Set by `judge`. */
  answer: Buffer | undefined = undefined;
  /** The upstream asks for input, so the call is not over. Set by `judge`. */
  asksForInput = false;
  /** How many questions of its upstream the call has put to its caller. */
  askedCount = 0;
  /**
   * How long the call waited for its caller, in ms. It counts neither against the deadline nor as duration of the call.
   */
  waitedMs = 0;
  /** A question of the upstream got no result, so what fails then may be the caller's doing. Set while the caller is asked. */
  lacksAnswer = false;
  /** How often an upstream of the newer era was answered by asking the caller on its stream. Set by `askForInput`. */
  inputRounds = 0;
  /** The upstream may answer with a task in place of a result. Set by `attemptCall`. */
  mayStartTask = false;
  /** The failure of the task that the answer is about. The answer itself is a success. Set by `judge`. */
  taskFailure: TaskFailure | undefined = undefined;
  /** The failure is that of the tool whose task was asked for, so it is written like the answer of the tool. Set by `judge`. */
  isTaskResult = false;
  /** The HTTP status of a fault if neither its reason nor its kind has one, or of a success without an answer. */
  status: number | undefined = undefined;
  /** The error behind a fault, for the operator only. */
  cause: unknown = undefined;
  /** The fault was sent before, by the call whose key this one repeats: it goes out as it was, and is no new incident. Set by `beginBoundCall`. */
  isRepeat = false;
  /** Foreign text was hidden from the caller, so it has to be found in an incident. */
  textHidden = false;

  constructor(origin: CallOrigin, startedMs: number) {
    this.origin = origin;
    this.startedMs = startedMs;
  }
}

/** How a task has failed, in the answer to a request about it. */
export interface TaskFailure {
  readonly fault: Fault;
  /** The same as it was understood, before it was made fit for the caller. */
  readonly judged: Fault;
  /** For the operator only. */
  readonly cause: unknown;
  /** Text of the upstream was hidden from the caller. */
  readonly textHidden: boolean;
  /** The answer has the failure itself; otherwise only a sentence about it. */
  readonly isInline: boolean;
  /** The failure is a result of the tool; otherwise a JSON-RPC error. */
  readonly isResult: boolean;
}

/** Facts of a listed tool that other steps need. */
export interface RoutedTool {
  /** The name that callers use. */
  readonly name: string;
  readonly readOnly: boolean;
  readonly idempotent: boolean;
  readonly hasOutputSchema: boolean;
  readonly inputSchema: unknown;
  /** Units of the cost limit. */
  readonly cost: number;
}

/** A message that goes to an upstream. */
export interface UpstreamRoute {
  readonly kind: "upstream";
  readonly upstream: Upstream;
  /** Name or URI, as the upstream knows it; undefined if the method has none. */
  readonly target: string | undefined;
  /** The tool, for `tools/call`. */
  readonly tool: RoutedTool | undefined;
  /** The task, for a request about one. @default none */
  readonly task?: RoutedTask | undefined;
}

/** The task that a request is about. */
export interface RoutedTask {
  /** Its id, as the caller knows it. */
  readonly id: string;
  /** What tells the caller's sessions at the upstream apart: that of the session that started the task. Undefined for any. */
  readonly session: string | undefined;
  /** What the caller could be asked when it started the task. */
  readonly abilities: Abilities;
  /** The tool that it runs; undefined if it is not known, or not listed any more. */
  readonly tool: RoutedTool | undefined;
}

/** Where a message goes. */
export type Route =
  | UpstreamRoute
  | {
      /** The gateway answers it itself: the result as JSON, or a fault. */
      readonly kind: "local";
      answer(call: Call): string | Fault | Promise<string | Fault>;
      /** The answer comes when the caller leaves or the gateway stops: no deadline applies. @default false */
      readonly isEndless?: boolean;
      /** How many messages it makes the gateway send to upstreams: so often it counts against the limits. @default 0 */
      readonly messages?: number;
    }
  /** A notification that needs nothing. */
  | { readonly kind: "ignored" };

/** What a call sends to its upstream in answer to a request for input. */
export interface Round {
  /** The state of the upstream, as it gave it; undefined if it gave none. */
  readonly state: string | undefined;
  /** The answers as JSON; undefined if there are none. */
  readonly responses: Buffer | undefined;
}

/** A call that brings answers to the questions of one that is held, and waits for what comes of it. */
export interface Leg {
  /** The id of the process that holds the call. */
  readonly replica: string;
  /** The id of the call there. */
  readonly held: string;
  /** The answers by the keys of their questions, each as the JSON that was sent. */
  readonly responses: ReadonlyMap<string, Buffer>;
}

/** What came of a call: the JSON-RPC response, or the fault as it was stamped. */
export type HeldOutcome = { readonly answer: Buffer } | { readonly fault: Fault };

/** Takes what came of a held call. */
export interface HeldEnd {
  /** The response of the call was written, with a question in it. */
  readonly isAnswered: boolean;
  /** The call is over. Undefined if its outcome is to be written to its own response. */
  end(outcome: HeldOutcome | undefined): void;
}

/** One step: undefined lets the call continue, a fault ends it. It returns a promise only if it waits. */
export type Step = (call: Call) => Fault | undefined | Promise<Fault | undefined>;
