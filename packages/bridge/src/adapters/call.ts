import { adapter, core, type FaultError, KINDS, knownKind, tool as tools } from "@recourse/faults";
import type { Clock } from "./clock.ts";
import { isDisguised } from "./disguised.ts";
import type { Evidence } from "./health.ts";
import type { Keeper } from "./keeper.ts";
import { LATE, limited, STOPPED } from "./limit.ts";
import type { DeclaredReasons } from "./reasons.ts";
import { readRequest } from "./request.ts";
import type { AnyTool } from "./spec.ts";
import { translate, vouchedFor } from "./translate.ts";

/** A caller gives up at its deadline, and its server a little before: the answer has to be there by then. */
const ANSWER_MARGIN_MS = 100;

/** One call of a tool. */
export interface Call<Config, Backend> {
  readonly keeper: Keeper<Config, Backend>;
  readonly clock: Clock;
  readonly reasons: DeclaredReasons;
  readonly name: string;
  readonly tool: AnyTool;
  readonly args: unknown;
  /** What the SDK hands to a handler. */
  readonly context: unknown;
  /** How long a call may take where its tool does not say. */
  readonly timeoutMs: number;
}

/** Runs a tool once, in time; throws a FaultError and nothing else. */
export function runCall<Config, Backend>(call: Call<Config, Backend>): Promise<object> {
  return call.keeper.running.during(() => new Attempt(call).run());
}

class Attempt<Config, Backend> {
  readonly #call: Call<Config, Backend>;
  readonly #limitMs: number;
  /** Whether the tool has begun: before that nothing can have happened. */
  #hasBegun = false;

  constructor(call: Call<Config, Backend>) {
    this.#call = call;
    const { deadlineMs = Number.POSITIVE_INFINITY } = readRequest(call.context);
    this.#limitMs = Math.min(call.tool.timeoutMs ?? call.timeoutMs, Math.max(0, deadlineMs - ANSWER_MARGIN_MS));
  }

  async run(): Promise<object> {
    try {
      const result = await this.#inTime();
      this.#note("alive");
      return result;
    } catch (thrown) {
      const error = translate(thrown, this.#call.reasons, this.#call.tool);
      this.#note(evidenceOf(error), thrown);
      throw error;
    }
  }

  async #inTime(): Promise<object> {
    const { keeper, clock, name, context } = this.#call;
    const { signal } = readRequest(context);
    const stop = signal === undefined ? keeper.ending : AbortSignal.any([signal, keeper.ending]);
    // Work that could not end in time is not begun.
    const outcome =
      this.#limitMs === 0
        ? LATE
        : await limited({ ms: this.#limitMs, clock, signal: stop, run: (limit) => this.#work(limit) });
    switch (outcome) {
      case LATE:
        throw tools.timeout({ tool: name, timeoutMs: this.#limitMs }, this.#doubt());
      case STOPPED:
        throw keeper.ending.aborted ? adapter.unavailable({}, this.#doubt()) : core.cancelled({}, this.#doubt());
      default:
        return outcome;
    }
  }

  async #work(limit: AbortSignal): Promise<object> {
    const { keeper, tool, args, context } = this.#call;
    const start = await keeper.take();
    if (!start.ok) throw refused(start.afterMs);
    limit.throwIfAborted();
    this.#hasBegun = true;
    const { key } = readRequest(context);
    const { backend } = start;
    const result = await tool.handler(args, {
      backend,
      signal: limit,
      timeoutMs: this.#limitMs,
      key,
      request: context,
    });
    if (isDisguised(result)) throw new Error("the tool returned a failure that is not marked as one");
    return result;
  }

  /** What is known about the effect of a call that was given up. */
  #doubt() {
    return this.#hasBegun ? vouchedFor(this.#call.tool) : ({ effect: "none" } as const);
  }

  /** Calls that never reached the backend say nothing about it. */
  #note(evidence: Evidence, cause?: unknown): void {
    if (this.#hasBegun) this.#call.keeper.note(evidence, cause);
  }
}

/** A backend that is down answers at once, and tells when it makes sense to ask again. */
function refused(afterMs: number): FaultError {
  const retry = afterMs > 0 && { retry: { allowed: true, afterMs: Math.ceil(afterMs) } };
  return adapter.unavailable({}, { effect: "none", ...retry });
}

/** Kinds that a circuit breaker counts are failures of the backend; a refusal with another kind came from one that works. */
function evidenceOf({ fault }: FaultError): Evidence {
  const kind = knownKind(fault);
  if (kind === "cancelled") return "nothing";
  return KINDS[kind].breaker ? "failing" : "alive";
}
