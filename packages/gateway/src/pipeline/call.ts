import type { Fault } from "@recourse/faults";
import type { Revision } from "@recourse/faults/internal-do-not-use";
import type { Caller } from "../auth/caller.ts";
import type { Bound } from "../bound/bound.ts";
import type { Route } from "../catalog/route.ts";
import type { BodyOptions } from "../edge/body.ts";
import type { RequestHead } from "../edge/head.ts";
import type { Round } from "../edge/hop-params.ts";
import type { RequestMessage } from "../edge/message.ts";
import type { HeldMemory } from "../shares/held-memory.ts";
import type { UpstreamReply } from "../upstreams/upstream.ts";

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
  readBody(options?: Pick<BodyOptions, "observer" | "hold">): Promise<Buffer | Fault>;
  /** Ends the call as if the caller had gone away. @default it cannot be ended */
  abort?(): void;
  /** Sends a notification before the answer; from then on the answer is a stream of events. */
  notify(message: Buffer): void;
}

/** The way to end a call of the older era from outside, by `notifications/cancelled`. */
export interface Cancellation {
  /** Aborts what is under way. Set by `attempt` while it waits for the upstream. */
  run: (() => void) | undefined;
  /** Set by `attempt` when there is nothing left to end. */
  isOver: boolean;
}

/** One request on its way through the gateway. Each step adds what it found out, and the steps after it rely on that. */
export class Call {
  readonly origin: CallOrigin;
  /** Monotonic time of arrival, in ms. */
  readonly startedMs: number;
  /** Set by `authenticate`. */
  caller: Caller | undefined = undefined;
  /** Set by `message`. */
  message: RequestMessage | undefined = undefined;
  /** How many bytes of a body were looked at. Set by `message`. */
  bodyBytes = 0;
  /** The id to answer with, as the JSON that was sent; undefined where there is none, or none is known. Set by `message`. */
  id: string | undefined = undefined;
  /** The message is in order, so what fails from here on fails within the protocol. Set by `message`. */
  isAccepted = false;
  /** The message calls a tool and its id is known, although it is refused: too large, or too deep. Set by `message`. */
  isRefusedCall = false;
  /** The revision of the protocol that the caller speaks. Set by `message`. */
  revision: Revision | undefined = undefined;
  /** Monotonic time at which the call ends at the latest. Set by `message`. */
  deadlineMs = Number.POSITIVE_INFINITY;
  /** Set by `resolve`. */
  route: Route | undefined = undefined;
  /** Set by `resolve` for calls that a notification of the caller can end. */
  cancellation: Cancellation | undefined = undefined;
  /** The idempotency key as the upstream gets it: a digest of caller, tool and key. Set by `check-bound`. */
  key: string | undefined = undefined;
  /** What binds the call to its arguments; undefined for most calls. Set by `check-bound`. */
  bound: Bound | undefined = undefined;
  /** The answers that the call brings to an earlier request for input; undefined for most calls. Set by `check-round`. */
  round: Round | undefined = undefined;
  /** The circuit breaker refuses the call, but a stored outcome may still be given. Set by `ask-breaker` for bound calls. */
  refusal: Fault | undefined = undefined;
  /** Changes a fault before it is sent. Set by `begin` for calls whose outcome is kept. @default it is sent as it is */
  amend: ((fault: Fault) => Fault) | undefined = undefined;
  /** Frees what the call holds, where it is not over and goes on in another round. Set by `begin`. @default it holds nothing */
  reopen: (() => Promise<void>) | undefined = undefined;
  /** What is to be done once the answer is written, with the fault as it was sent. Added to by `ask-breaker` and `begin`. */
  afterwards: ((sent: Fault | undefined) => void)[] | undefined = undefined;
  /** The call finds out whether its upstream or tool works again. Set by `ask-breaker`. */
  isProbe = false;
  /** The reply to a probe whose caller had less time than the upstream. Set by `attempt`. */
  late: Promise<UpstreamReply> | undefined = undefined;
  /** What the call holds of the memory: its request, and its answer until the caller has read it. Set by `message`. */
  memory: HeldMemory | undefined = undefined;
  /** The message was handed to its upstream, so it may have left. Set by `attempt`. */
  wasSent = false;
  /** Set by `attempt`. */
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
  /** The fault was sent before, by the call whose key this one repeats: it goes out as it was, and is no new incident. Set by `begin`. */
  isRepeat = false;
  /** Foreign text was hidden from the caller, so it has to be found in an incident. */
  textHidden = false;

  constructor(origin: CallOrigin, startedMs: number) {
    this.origin = origin;
    this.startedMs = startedMs;
  }
}
