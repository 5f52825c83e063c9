import { type Fault, formatId, shouldReport, stampFault } from "@recourse/faults";
import { deliverIncident } from "@recourse/faults/proxy";
import type { Sink } from "@recourse/faults/server";
import { randomBytes } from "@recourse/wire";

/** Where failures are reported that no guard reports. */
export interface FailureLog {
  readonly sink: Sink;
  readonly now: () => number;
}

/**
 * Reports a failed call of a tool, unless the failure is the caller's mistake. Returns the fault as it is sent: with the id of
 * the incident if it was reported.
 */
export function reportFailure(
  tool: string,
  { fault, cause }: { readonly fault: Fault; readonly cause?: unknown },
  { sink, now }: FailureLog,
): Fault {
  if (!shouldReport(fault, { textHidden: false })) return fault;
  const at = new Date(now()).toISOString();
  const reported = stampFault(fault, { incident: fault.incident ?? formatId(now(), randomBytes()), at });
  deliverIncident(sink, { fault: reported, at, tool, ...(cause !== undefined && { cause }) });
  return reported;
}
