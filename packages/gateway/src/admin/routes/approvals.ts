import { core } from "@recourse/faults";
import type { ApprovalState } from "../../approvals/approvals.ts";
import { makeChange } from "../change.ts";
import { pageOfRows } from "../paging.ts";
import { Refusal, type Route } from "../route.ts";
import { choice, id, limit, object, pageOf, SCHEMAS, text } from "../schemas.ts";

const STATES = ["pending", "approved", "denied", "consumed", "expired"] as const satisfies readonly ApprovalState[];

/** Routes that show and decide approvals. */
export const APPROVAL_ROUTES = [
  {
    method: "GET",
    path: "/approvals",
    id: "listApprovals",
    role: "viewer",
    summary: "List approvals, the newest first.",
    query: {
      state: choice(STATES, "Only approvals in this state."),
      tenant: text("Only approvals of this tenant."),
      limit: limit(50, 200),
      before: id("The `next` of the page before: an id."),
    },
    answer: pageOf(SCHEMAS.Approval),
    async handle({ values }, { controls }) {
      const most = values.count("limit");
      const rows = await controls.approvals?.list({
        state: STATES.find((state) => state === values.text("state")),
        tenant: values.text("tenant"),
        before: values.text("before"),
        limit: most + 1,
      });
      return pageOfRows(rows ?? [], most, (row) => row.id);
    },
  },
  {
    method: "GET",
    path: "/approvals/{id}",
    id: "getApproval",
    role: "viewer",
    summary: "Get one approval.",
    params: { id: id("The id of the approval.") },
    answer: SCHEMAS.Approval,
    async handle({ values }, { controls }) {
      return (await controls.approvals?.find(values.id("id"))) ?? NOT_FOUND;
    },
  },
  {
    method: "POST",
    path: "/approvals/{id}/decision",
    id: "decideApproval",
    role: "approver",
    summary: "Approve or deny a call that waits for a person.",
    description:
      "Only a pending approval can be decided, once. Anything else is refused with 409. Read the arguments before you decide: the approval counts for exactly this call.",
    params: { id: id("The id of the approval.") },
    body: object({ approve: { type: "boolean", description: "True: the call may be made, once. False: it may not." } }),
    answer: SCHEMAS.Approval,
    async handle(request, parts) {
      const { values, operator } = request;
      const { approvals } = parts.controls;
      const approve = values.flag("approve");
      const known = await approvals?.find(values.id("id"));
      if (approvals === undefined || known === undefined || operator === undefined) return NOT_FOUND;
      if (known.state !== "pending") return DECIDED;
      return makeChange(request, parts, {
        action: approve ? "approval.approve" : "approval.deny",
        target: known.id,
        facts: { tool: known.tool, tenant: known.tenant, caller: known.caller },
        async make() {
          const decided = await approvals.decide({ id: known.id, approve, by: operator.id });
          if (decided === undefined) return NOT_FOUND;
          return decided.isDecided ? decided.approval : DECIDED;
        },
      });
    },
  },
] as const satisfies readonly Route[];

const NOT_FOUND = new Refusal(core.not_found.fault({ what: "approval" }, { effect: "none" }));
const DECIDED = new Refusal(
  core.conflict.fault(
    { what: "the approval was decided, used or expired before" },
    { effect: "none", recourse: [{ do: "refresh" }] },
  ),
);
