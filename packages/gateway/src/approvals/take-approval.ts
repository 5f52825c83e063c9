import { core, type Fault } from "@recourse/faults";
import { ABORTED, race } from "@recourse/faults/internal-do-not-use";
import { isDataError } from "@recourse/stores/postgres";
import { approvalFault, linkTo, tooLongFault, unavailableFault } from "./approval-faults.ts";
import type { ApprovalRequest, ApprovalStore, ConsumeAnswer } from "./approvals.ts";
import { inputRequired } from "./ask-by-url.ts";

/** What `takeApproval` needs beside the request. */
export interface TakeOptions {
  /** Unique for each attempt. */
  readonly call: string;
  /** Where a person decides, with `{id}`. */
  readonly link: string | undefined;
  /** The caller can be sent to the page by `input_required`: see `canAskByUrl`. */
  readonly canAskByUrl: boolean;
  readonly signal: AbortSignal;
}

/** The id of the approval that was consumed, the result of a call that has to wait, or a fault. */
export type Taken = { readonly id: string } | { readonly inputRequired: string } | Fault;

/** The longest arguments that a person is asked about, in bytes. */
const MAX_ARGUMENTS = 64 * 1_024;

/** Consumes the approval of a call, or says how to get one. Where it gives no id, no approval is used up. */
export async function takeApproval(
  store: Pick<ApprovalStore, "consume" | "giveBack">,
  request: ApprovalRequest,
  { call, link, canAskByUrl, signal }: TakeOptions,
): Promise<Taken> {
  const size = Buffer.byteLength(request.arguments);
  if (size > MAX_ARGUMENTS) return tooLongFault(size, MAX_ARGUMENTS);
  if (signal.aborted) return core.cancelled.fault({}, { effect: "none" });
  const work = store.consume(request, call);
  let answer: ConsumeAnswer | typeof ABORTED;
  try {
    answer = await race(work, { signal });
  } catch (cause) {
    // The store is there, and refuses this call only: to wait would not help.
    return isDataError(cause) ? core.internal.fault({}, { effect: "none" }) : unavailableFault();
  }
  if (answer === ABORTED || signal.aborted) {
    void work.then((late) => (late.state === "consumed" ? store.giveBack(late.id, call) : undefined)).catch(() => {});
    return core.cancelled.fault({}, { effect: "none" });
  }
  if (answer.state === "consumed") return { id: answer.id };
  if (canAskByUrl && (answer.state === "pending" || answer.state === "expired")) {
    const page = linkTo(answer.id, link);
    const fault = approvalFault(answer, link);
    if (page !== undefined) return { inputRequired: inputRequired(page, fault.message) };
  }
  return approvalFault(answer, link);
}
