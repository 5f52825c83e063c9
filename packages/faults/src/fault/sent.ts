import { isSameRecourse } from "./amend.ts";
import { deriveRecourse } from "./build.ts";
import type { Fault } from "./fault.ts";
import { knownKind } from "./kinds.ts";
import { noteSentForm } from "./provenance.ts";

/** A fault on a wire. Every reader derives the moves that are missing. */
export type SentFault = Omit<Fault, "recourse" | "cause"> & {
  readonly recourse?: Fault["recourse"];
  readonly cause?: SentFault;
};

/**
 * The fault as it is sent: without the moves that `readFault` derives from the other members, in its causes too. Everything
 * else is sent, `class` as well, since a reader that does not know the kind needs it.
 */
export function toSentFault(fault: Fault): SentFault {
  const { recourse, cause, ...rest } = fault;
  const sent = {
    ...rest,
    ...(!isDerived(fault) && { recourse }),
    ...(cause !== undefined && { cause: toSentFault(cause) }),
  };
  noteSentForm(sent, fault);
  return sent;
}

/** Whether a reader that knows nothing else about the call derives the same moves. */
function isDerived(fault: Fault): boolean {
  const { effect, retry, issues, recourse } = fault;
  return isSameRecourse(deriveRecourse({ kind: knownKind(fault), effect, retry, issues }), recourse);
}
