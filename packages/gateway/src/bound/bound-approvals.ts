import { randomUUID } from "node:crypto";
import type { Fault } from "@recourse/faults";
import { deniedByPolicy, unavailableFault } from "../approvals/approval-faults.ts";
import { createApprovalRules } from "../approvals/approval-rules.ts";
import type { ApprovalRequest, ApprovalStore } from "../approvals/approvals.ts";
import { canAskByUrl } from "../approvals/ask-by-url.ts";
import { takeApproval } from "../approvals/take-approval.ts";
import type { Caller } from "../auth/caller.ts";
import type { ApprovalsConfig } from "../config/types.ts";
import type { Call } from "../pipeline/call.ts";
import { dialectOf } from "../pipeline/caller-dialect.ts";

/** An approval that a call has used up. */
export interface TakenApproval {
  /** The call provably never left, or goes on in another round: the approval may be used again. It never rejects. */
  giveBack(): Promise<void>;
}

/** The approvals of a configuration, as bound calls need them. */
export interface BoundApprovals {
  /** Whether calls of a tool need an approval or are refused. */
  needs(tool: string): boolean;
  /** What has to be approved; a fault where a policy refuses the call, undefined where nobody has to be asked. */
  requestFor(caller: Caller, tool: string, canonicalArguments: string): ApprovalRequest | Fault | undefined;
  /** Uses the approval up; a fault, or a result that sends the user to a page, where there is none. */
  take(call: Call, request: ApprovalRequest): Promise<TakenApproval | Fault | { readonly inputRequired: string }>;
}

/** The approvals of a configuration; undefined where no tool needs one. `createId` names attempts. */
export function createBoundApprovals(
  config: ApprovalsConfig | undefined,
  store: ApprovalStore | undefined,
  createId: () => string = randomUUID,
): BoundApprovals | undefined {
  if (config === undefined) return undefined;
  const rules = createApprovalRules(config);
  return {
    needs: rules.needs,
    requestFor(caller, tool, canonicalArguments) {
      const request = rules.requestFor({ caller, tool, arguments: canonicalArguments });
      return request === "denied" ? deniedByPolicy() : request;
    },
    async take(call, request) {
      const { message, revision, origin, round } = call;
      // Without a store nobody can be asked.
      if (store === undefined) return unavailableFault();
      const id = createId();
      const taken = await takeApproval(store, request, {
        call: id,
        link: config.link,
        // An address names the approval, and in some dialects every call ends with an envelope. A call within a round would
        // come back without its answers to the upstream.
        canAskByUrl:
          message !== undefined &&
          round === undefined &&
          dialectOf(call)?.envelope === undefined &&
          canAskByUrl(message, revision),
        signal: origin.signal,
      });
      if ("reason" in taken || "inputRequired" in taken) return taken;
      // A store that is away remembers what it owes.
      return { giveBack: () => store.giveBack(taken.id, id).catch(() => {}) };
    },
  };
}
