import type { VirtualClock } from "@recourse/test-kit/virtual-clock";
import { FaultError } from "../../src/fault/error.ts";
import type { Fault } from "../../src/fault/fault.ts";
import { timeout } from "../../src/reasons/library/core.ts";
import type { AttemptFailure, DecisionRecord, RetryEngine, RetryEngineStatus } from "../../src/retry/index.ts";
import type { ScriptedCall } from "./scripted-calls.ts";

/** One attempt as the peer saw it. Without an end it was still running when the call ended. */
export interface AttemptRecord {
  readonly startMs: number;
  readonly leftMs: number;
  /** The status of the engine when the attempt began. */
  readonly status: RetryEngineStatus;
  endMs?: number;
  fault?: Fault | undefined;
}

/** Everything that was observed of one call. */
export interface CallRecord {
  readonly beganMs: number;
  readonly endedMs: number;
  readonly attempts: readonly AttemptRecord[];
  readonly entries: readonly DecisionRecord[];
  readonly reauthorizations: number;
  readonly outcome: { readonly ok: true } | AttemptFailure;
}

/** The fault of an attempt that exceeded the deadline. */
export const LATE: Fault = timeout.fault({}, { origin: { layer: "client" } });

/** Runs a scripted call. Its attempts end by the deadline, but ignore an abort. */
export async function runScripted(clock: VirtualClock, engine: RetryEngine, call: ScriptedCall): Promise<CallRecord> {
  const beganMs = clock.now();
  const attempts: AttemptRecord[] = [];
  const entries: DecisionRecord[] = [];
  let reauthorizations = 0;
  const abort = new AbortController();
  if (call.abortMs !== undefined) {
    if (call.abortMs < 0) abort.abort();
    else clock.at(beganMs + call.abortMs, () => abort.abort());
  }
  const { reauthorization } = call;
  const outcome = await engine.run<{ ok: true }>(
    {
      tool: "scripted",
      repeatable: call.repeatable,
      deadlineMs: call.deadlineMs,
      signal: call.abortMs === undefined ? undefined : abort.signal,
      onDecision: (entry) => entries.push(entry),
      reauthorize:
        reauthorization &&
        (async () => {
          reauthorizations += 1;
          await clock.sleep(reauthorization.takesMs);
          if (reauthorization.gets === "throws") throw new Error("no reauthorization");
          return reauthorization.gets === "nothing" ? undefined : reauthorization.gets;
        }),
    },
    async ({ attempt, leftMs }) => {
      const step = call.steps[Math.min(attempt, call.steps.length) - 1] ?? call.steps[0];
      const record: AttemptRecord = { startMs: clock.now(), leftMs, status: engine.status() };
      attempts.push(record);
      await clock.sleep(Math.min(step.takesMs, leftMs));
      record.endMs = clock.now();
      record.fault = step.takesMs > leftMs ? LATE : step.fault;
      if (record.fault === undefined) return { ok: true };
      if (step.throws === true) throw new FaultError(record.fault);
      return { ok: false, fault: record.fault };
    },
  );
  return { beganMs, endedMs: clock.now(), attempts: [...attempts], entries, reauthorizations, outcome };
}
