import type { Fault } from "../fault/fault.ts";
import { KINDS, knownKind } from "../fault/kinds.ts";
import { RENEWS, type Renewed } from "./decide.ts";
import { ABORTED, untilAborted } from "./until.ts";

/** What has to be got before this call makes sense again, if anything. */
export function wantedBy(fault: Fault): Renewed | undefined {
  return RENEWS[KINDS[knownKind(fault)].repeat];
}

/** What getting it needs. */
export interface Renewal {
  readonly fault: Fault;
  readonly renew: (fault: Fault) => Promise<Renewed | undefined>;
  /** A person may take long, but not longer than the call. */
  readonly leftMs: number;
  readonly signal: AbortSignal | undefined;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<unknown>;
}

/** What was got before the deadline; nothing when it failed, was late, or the call was aborted. */
export async function getRenewed(renewal: Renewal): Promise<Renewed | undefined> {
  const { fault, renew, leftMs, signal, sleep } = renewal;
  const timer = new AbortController();
  try {
    const work = leftMs === Number.POSITIVE_INFINITY ? renew(fault) : Promise.race([renew(fault), late()]);
    const got = await untilAborted(work, signal);
    return got === ABORTED ? undefined : got;
  } catch {
    return undefined;
  } finally {
    timer.abort();
  }
  async function late(): Promise<undefined> {
    await sleep(leftMs, timer.signal);
  }
}
