import { ABORTED, race, type Sleep, TIMED_OUT } from "../async/race.ts";
import type { Fault } from "../fault/fault.ts";
import type { Reauthorized } from "./decide.ts";

/** What `reauthorizeInTime` needs. */
export interface ReauthorizeRequest {
  readonly fault: Fault;
  readonly reauthorize: (fault: Fault) => Promise<Reauthorized | undefined>;
  /** The time until the deadline of the call. A person may need long, but not longer. */
  readonly leftMs: number;
  readonly signal: AbortSignal | undefined;
  readonly sleep: Sleep;
}

/** Calls the caller's `reauthorize`. Undefined if it fails, is too late, or the call is aborted. */
export async function reauthorizeInTime(request: ReauthorizeRequest): Promise<Reauthorized | undefined> {
  const { fault, reauthorize, leftMs, signal, sleep } = request;
  try {
    const got = await race(reauthorize(fault), { ms: leftMs, sleep, signal });
    return got === TIMED_OUT || got === ABORTED ? undefined : got;
  } catch {
    return undefined;
  }
}
