import { adapter, core, type FaultError, type Kind, knownKind, tool as toolReasons } from "@recourse/faults";
import { callDeadline, callIdempotencyKey, failureSign, requestMeta, requestSignal } from "@recourse/faults/proxy";
import type { BreakerPermit, BreakerSignal } from "@recourse/faults/retry";
import { ABORTED, type Clock, runLimited, TIMED_OUT } from "@recourse/wire";
import { UPSTREAM_ANSWER_MARGIN_MS } from "../sdk.ts";
import {
  type AdapterFail,
  type DeclaredReasons,
  effectByAnnotations,
  type FaultSpecs,
  translate,
} from "./adapter-error.ts";
import type { BackendManager } from "./backend-manager.ts";
import type { AnyTool } from "./spec.ts";

/** One call of an adapter's tool. */
export interface AdapterCall<Config, Backend> {
  readonly manager: BackendManager<Config, Backend>;
  readonly clock: Clock;
  readonly reasons: DeclaredReasons;
  readonly fail: AdapterFail<FaultSpecs>;
  /** The name of the tool. */
  readonly name: string;
  readonly tool: AnyTool;
  readonly args: unknown;
  /** The context that the SDK passes to a handler. */
  readonly context: unknown;
  /** How long the call may take unless its tool has a deadline. */
  readonly deadlineMs: number;
}

/** Runs a tool once within its time limit. It throws only `FaultError`s. */
export function runCall<Config, Backend>(call: AdapterCall<Config, Backend>): Promise<object> {
  return call.manager.track(() => new CallRun(call).run());
}

class CallRun<Config, Backend> {
  readonly #call: AdapterCall<Config, Backend>;
  readonly #deadlineMs: number;
  /** Set once the call may use the backend. */
  #permit: BreakerPermit | undefined;
  /** Whether the handler has begun: before that nothing can have happened. */
  #hasBegun = false;

  constructor(call: AdapterCall<Config, Backend>) {
    this.#call = call;
    const callerMs = callDeadline(requestMeta(call.context)) ?? Number.POSITIVE_INFINITY;
    this.#deadlineMs = Math.min(
      call.tool.deadlineMs ?? call.deadlineMs,
      Math.max(0, callerMs - UPSTREAM_ANSWER_MARGIN_MS),
    );
  }

  async run(): Promise<object> {
    try {
      const result = await this.#runInTime();
      this.#record("success");
      return result;
    } catch (thrown) {
      const error = translate(thrown, this.#call.reasons, this.#call.tool);
      this.#record(signalOf(error), thrown);
      throw error;
    }
  }

  async #runInTime(): Promise<object> {
    const { manager, clock, name, context } = this.#call;
    const signal = requestSignal(context);
    const stop = signal === undefined ? manager.ending : AbortSignal.any([signal, manager.ending]);
    const outcome = await runLimited({
      ms: this.#deadlineMs,
      sleep: clock.sleep,
      signal: stop,
      run: (limit) => this.#work(limit),
    });
    switch (outcome) {
      case TIMED_OUT:
        throw toolReasons.timeout({ tool: name, timeoutMs: this.#deadlineMs }, this.#knownEffect());
      case ABORTED:
        throw manager.ending.aborted
          ? adapter.unavailable({}, this.#knownEffect())
          : core.cancelled({}, this.#knownEffect());
      default:
        return outcome;
    }
  }

  async #work(limit: AbortSignal): Promise<object> {
    const { manager, tool, args, context, fail } = this.#call;
    const start = await manager.acquire();
    if (!start.ok) throw notAvailable(start.afterMs);
    this.#permit = start.permit;
    limit.throwIfAborted();
    this.#hasBegun = true;
    const key = callIdempotencyKey(requestMeta(context));
    const { backend } = start;
    const result = await tool.handler(args, {
      backend,
      fail,
      signal: limit,
      deadlineMs: this.#deadlineMs,
      idempotencyKey: typeof key === "string" && key !== "" ? key : undefined,
      request: context,
    });
    if (failureSign(result) === "flag") throw new Error("the tool returned a failure that is not marked as one");
    return result;
  }

  /** What is known about the effect of an aborted call. */
  #knownEffect() {
    return this.#hasBegun ? effectByAnnotations(this.#call.tool) : ({ effect: "none" } as const);
  }

  /** A call that never reached the backend says nothing about it. */
  #record(signal: BreakerSignal, cause?: unknown): void {
    if (this.#permit !== undefined) this.#call.manager.record(this.#permit, this.#hasBegun ? signal : "ignored", cause);
  }
}

/** A backend that is down is answered for at once, with the time to wait before the next call. */
function notAvailable(afterMs: number): FaultError {
  const retry = afterMs > 0 && { retry: { allowed: true, afterMs: Math.ceil(afterMs) } };
  return adapter.unavailable({}, { effect: "none", ...retry });
}

/** Kinds of a backend that is down, too busy or silent. */
const FAILING: readonly Kind[] = ["unavailable", "overloaded", "timeout"];
/** Kinds that show nothing about the backend: what a tool throws may be a bug of its own, or its word to the caller. */
const INCONCLUSIVE: readonly Kind[] = ["cancelled", "internal", "upstream_failed"];

/** What a failure shows about the backend. Any refusal that is not listed comes from one that works. */
function signalOf({ fault }: FaultError): BreakerSignal {
  const kind = knownKind(fault);
  if (INCONCLUSIVE.includes(kind)) return "ignored";
  return FAILING.includes(kind) ? "failure" : "success";
}
