import type { Fault } from "@recourse/faults";
import type { Revision } from "@recourse/wire";
import type { CallBinding } from "./binding.ts";
import type { Caller } from "./caller.ts";
import type { RequestHead } from "./head.ts";
import type { RequestMessage } from "./message.ts";
import type { Upstream, UpstreamReply } from "./upstream.ts";

/** Looks at the bytes of a body. One that is too large is then read to its end, up to a bound, without being kept. */
interface BodyObserver {
  take(bytes: Uint8Array): void;
}

/** How a call wants its body read. */
export interface BodyReading {
  /** @default a body that is too large is refused at once */
  readonly observer?: BodyObserver | undefined;
  /** Asked before bytes are kept; a fault where there is no memory for them. @default there always is */
  readonly hold?: ((bytes: number) => Fault | undefined) | undefined;
}

/** The bytes that are held for one call. */
interface HeldMemory {
  /** Takes bytes; false where the caller holds its share already. */
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
  /** Aborted when the gateway stops and waits for calls no longer. @default never */
  readonly stopped?: AbortSignal;
  /**
   * Reads the whole body; a fault where it is too large, too slow, or broken off. The observer gets the bytes of a body that is
   * too large to be kept; `hold` is asked before bytes are kept.
   */
  readBody(options?: BodyReading): Promise<Buffer | Fault>;
  /** Ends the call as if the caller had gone away. @default it cannot be ended */
  abort?(): void;
  /** Sends a notification before the answer; from then on the answer is a stream of events. */
  notify(message: Buffer): void;
}

/** The way to end a call of the older era from outside, by `notifications/cancelled`. */
export interface Cancellation {
  /** Aborts what is under way. Set by `attemptCall` while it waits for the upstream. */
  run: (() => void) | undefined;
  /** Set by `attemptCall` when there is nothing left to end. */
  isOver: boolean;
}

/** One request on its way through the gateway. Each step adds what it found out, and the steps after it rely on that. */
export class Call {
  readonly origin: CallOrigin;
  /** Monotonic time of arrival, in ms. */
  readonly startedMs: number;
  /** Set by `authenticateCaller`. */
  caller: Caller | undefined = undefined;
  /** Set by `readMessage`. */
  message: RequestMessage | undefined = undefined;
  /** How many bytes of a body were looked at. Set by `readMessage`. */
  bodyBytes = 0;
  /** The id to answer with, as the JSON that was sent; undefined where there is none, or none is known. Set by `readMessage`. */
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
  /** The circuit breaker refuses the call, but a stored outcome may still be given. Set by `askBreaker` for bound calls. */
  refusal: Fault | undefined = undefined;
  /** Changes a fault before it is sent. Set by `beginBoundCall` for calls whose outcome is kept. @default it is sent as it is */
  amend: ((fault: Fault) => Fault) | undefined = undefined;
  /** Frees what the call holds, where it is not over and goes on in another round. Set by `beginBoundCall`. @default it holds nothing */
  reopen: (() => Promise<void>) | undefined = undefined;
  /** What is to be done once the answer is written, with the fault as it was sent. Added to by `askBreaker` and `beginBoundCall`. */
  afterwards: ((sent: Fault | undefined) => void)[] | undefined = undefined;
  /** The call finds out whether its upstream or tool works again. Set by `askBreaker`. */
  isProbe = false;
  /** The reply to a probe whose caller had less time than the upstream. Set by `attemptCall`. */
  late: Promise<UpstreamReply> | undefined = undefined;
  /** What the call holds of the memory: its request, and its answer until the caller has read it. Set by `readMessage`. */
  memory: HeldMemory | undefined = undefined;
  /** The message was handed to its upstream, so it may have left. Set by `attemptCall`. */
  wasSent = false;
  /** Set by `attemptCall`. */
  reply: UpstreamReply | undefined = undefined;
  /** What the upstream's answer means for the gateway, where it is a failure; the caller gets it in other words. Set by `judge`. */
  judged: Fault | undefined = undefined;
  /** The JSON-RPC response as bytes, once it is known to be a success; undefined for a notification. Set by `judge`. */
  answer: Buffer | undefined = undefined;
  /** The upstream asks for input, so the call is not over. Set by `judge`. */
  asksForInput = false;
  /** The HTTP status of a fault, where neither its reason nor its kind says it. */
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
  /** Name or URI, as the upstream knows it; undefined where the method has none. */
  readonly target: string | undefined;
  /** The tool, for `tools/call`. */
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
    }
  /** A notification that needs nothing. */
  | { readonly kind: "ignored" };

/** What a call sends to its upstream in answer to a request for input. */
export interface Round {
  /** The state of the upstream, as it gave it; undefined where it gave none. */
  readonly state: string | undefined;
  /** The answers as JSON; undefined where there are none. */
  readonly responses: Buffer | undefined;
}

/** One step: undefined lets the call go on, a fault ends it. It returns a promise only where it waits. */
export type Step = (call: Call) => Fault | undefined | Promise<Fault | undefined>;
