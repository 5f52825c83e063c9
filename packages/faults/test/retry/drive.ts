import { FaultError } from "../../src/fault/error.ts";
import type { Fault } from "../../src/fault/fault.ts";
import { timeout } from "../../src/reasons/library/core.ts";
import type { Engine, EngineStatus, Entry, Failed } from "../../src/retry/index.ts";
import type { VirtualClock } from "./clock.ts";
import type { Scripted } from "./script.ts";

/** One attempt as the peer saw it; without an end it was still running when the call was over. */
export interface Made {
  readonly startMs: number;
  readonly leftMs: number;
  /** How the engine stood when it began. */
  readonly status: EngineStatus;
  endMs?: number;
  fault?: Fault | undefined;
}

/** Everything that could be seen of one call. */
export interface Seen {
  readonly beganMs: number;
  readonly endedMs: number;
  readonly made: readonly Made[];
  readonly entries: readonly Entry[];
  readonly renewals: number;
  readonly outcome: { readonly ok: true } | Failed;
}

/** What a client says of an attempt that the deadline cut off. */
export const LATE: Fault = timeout.fault({}, { origin: { layer: "client" } });

/** Makes a scripted call. Its attempts end by the deadline, as they must, but take no notice of an abort. */
export async function drive(clock: VirtualClock, engine: Engine, call: Scripted): Promise<Seen> {
  const beganMs = clock.now();
  const made: Made[] = [];
  const entries: Entry[] = [];
  let renewals = 0;
  const abort = new AbortController();
  if (call.abortMs !== undefined) {
    if (call.abortMs < 0) abort.abort();
    else clock.at(beganMs + call.abortMs, () => abort.abort());
  }
  const { renewal } = call;
  const outcome = await engine.run<{ ok: true }>(
    {
      tool: "scripted",
      repeatable: call.repeatable,
      deadlineMs: call.deadlineMs,
      signal: call.abortMs === undefined ? undefined : abort.signal,
      onDecision: (entry) => entries.push(entry),
      renew:
        renewal &&
        (async () => {
          renewals += 1;
          await clock.sleep(renewal.takesMs);
          if (renewal.gets === "throws") throw new Error("no renewal");
          return renewal.gets === "nothing" ? undefined : renewal.gets;
        }),
    },
    async ({ attempt, leftMs }) => {
      const step = call.steps[Math.min(attempt, call.steps.length) - 1] ?? call.steps[0];
      const one: Made = { startMs: clock.now(), leftMs, status: engine.status() };
      made.push(one);
      await clock.sleep(Math.min(step.takesMs, leftMs));
      one.endMs = clock.now();
      one.fault = step.takesMs > leftMs ? LATE : step.fault;
      if (one.fault === undefined) return { ok: true };
      if (step.throws === true) throw new FaultError(one.fault);
      return { ok: false, fault: one.fault };
    },
  );
  return { beganMs, endedMs: clock.now(), made: [...made], entries, renewals, outcome };
}
