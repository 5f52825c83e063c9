import { type FaultError, type Kind, knownKind } from "@recourse/core";
import { callDeadline, callIdempotencyKey, failureSign, requestMeta, requestSignal } from "@recourse/core/proxy";
import { adapter, core, tool as toolReasons } from "@recourse/core/reasons";
import type { BreakerPermit, BreakerSignal } from "@recourse/core/retry";
import { ABORTED, type Clock, runLimited, TIMED_OUT } from "@recourse/core/wire";
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

export interface AdapterCall<Config, Backend> {
  readonly manager: BackendManager<Config, Backend>;
  readonly clock: Clock;
  readonly reasons: DeclaredReasons;
  readonly fail: AdapterFail<FaultSpecs>;
  readonly name: string;
  readonly tool: AnyTool;
  readonly args: unknown;
  readonly context: unknown;
  /** How long the call may take unless its tool has a deadline. */
  readonly deadlineMs: number;
}

/** Runs a tool once within its time limit. It throws only `FaultError`s. */
export function runCall<Config, Backend>(call: AdapterCall<Config, Backend>): Promise<object> {
  return call.manager.track(() => settleCall(call));
}

async function settleCall<Config, Backend>(call: AdapterCall<Config, Backend>): Promise<object> {
  const { manager, clock, name, tool, context, fail } = call;
  const callerMs = callDeadline(requestMeta(context)) ?? Number.POSITIVE_INFINITY;
  const deadlineMs = Math.min(tool.deadlineMs ?? call.deadlineMs, Math.max(0, callerMs - UPSTREAM_ANSWER_MARGIN_MS));
  let permit: BreakerPermit | undefined;
  // Before the handler has begun nothing can have happened, and the call says nothing about the backend.
  let hasBegun = false;
  const knownEffect = () => (hasBegun ? effectByAnnotations(tool) : ({ effect: "none" } as const));
  const record = (signal: BreakerSignal, cause?: unknown) => {
    if (permit !== undefined) manager.record(permit, hasBegun ? signal : "ignored", cause);
  };

  async function work(limit: AbortSignal): Promise<object> {
    const start = await manager.acquire();
    if (!start.ok) throw notAvailable(start.afterMs);
    permit = start.permit;
    limit.throwIfAborted();
    hasBegun = true;
    const key = callIdempotencyKey(requestMeta(context));
    const idempotencyKey = typeof key === "string" && key !== "" ? key : undefined;
    const { backend } = start;
    const given = { backend, fail, signal: limit, deadlineMs, idempotencyKey, request: context };
    const result = await tool.handler(call.args, given);
    if (failureSign(result) === "flag") throw new Error("the tool returned a failure that is not marked as one");
    return result;
  }

  try {
    const caller = requestSignal(context);
    const signal = caller === undefined ? manager.ending : AbortSignal.any([caller, manager.ending]);
    const outcome = await runLimited({ ms: deadlineMs, sleep: clock.sleep, signal, run: work });
    if (outcome === TIMED_OUT) throw toolReasons.timeout({ tool: name, timeoutMs: deadlineMs }, knownEffect());
    if (outcome === ABORTED) throw (manager.ending.aborted ? adapter.unavailable : core.cancelled)({}, knownEffect());
    record("success");
    return outcome;
  } catch (thrown) {
    const error = translate(thrown, call.reasons, tool);
    record(signalOf(error), thrown);
    throw error;
  }
}

/** A backend that is down is answered for at once, with the time to wait before the next call. */
function notAvailable(afterMs: number): FaultError {
  const retry = afterMs > 0 && { retry: { allowed: true, afterMs: Math.ceil(afterMs) } };
  return adapter.unavailable({}, { effect: "none", ...retry });
}

/** What a failure shows about the backend. Any refusal that is not listed comes from one that works. */
const SIGNAL_BY_KIND: Partial<Record<Kind, BreakerSignal>> = {
  unavailable: "failure",
  overloaded: "failure",
  timeout: "failure",
  // What a tool throws may be a bug of its own, or its word to the caller.
  cancelled: "ignored",
  internal: "ignored",
  upstream_failed: "ignored",
};

function signalOf({ fault }: FaultError): BreakerSignal {
  return SIGNAL_BY_KIND[knownKind(fault)] ?? "success";
}
