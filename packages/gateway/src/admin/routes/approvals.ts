import { z } from "@hono/zod-openapi";
import { core } from "@recourse/faults";
import type { ApprovalState } from "../../approvals/approvals.ts";
import { type AdminRoute, defineRoute, makeChange, pageOfRows, Refusal } from "../route.ts";
import { APPROVAL, ownId, pageLimit, pageOf, searchText } from "../schemas.ts";

const STATES = ["pending", "approved", "denied", "consumed", "expired"] as const satisfies readonly ApprovalState[];

const APPROVAL_PARAMS = z.strictObject({ id: ownId("The id of the approval.") });

/** Routes that show and decide approvals. */
export const APPROVAL_ROUTES: readonly AdminRoute[] = [
  defineRoute({
    method: "GET",
    path: "/approvals",
    id: "listApprovals",
    role: "viewer",
    summary: "List approvals, the newest first.",
    query: z.strictObject({
      state: z.enum(STATES).describe("Only approvals in this state.").optional(),
      tenant: searchText("Only approvals of this tenant.").optional(),
      limit: pageLimit(50, 200),
      before: ownId("The `next` of the page before: an id.").optional(),
    }),
    answer: pageOf(APPROVAL),
    async handle({ values }, { controls }) {
      const rows = await controls.approvals?.list({ ...values, limit: values.limit + 1 });
      return pageOfRows(rows ?? [], values.limit, (row) => row.id);
    },
  }),
  defineRoute({
    method: "GET",
    path: "/approvals/{id}",
    id: "getApproval",
    role: "viewer",
    summary: "Get one approval.",
    params: APPROVAL_PARAMS,
    answer: APPROVAL,
    async handle({ values }, { controls }) {
      return (await controls.approvals?.find(values.id)) ?? APPROVAL_NOT_FOUND;
    },
  }),
  defineRoute({
    method: "POST",
    path: "/approvals/{id}/decision",
    id: "decideApproval",
    role: "approver",
    summary: "Approve or deny a call that waits for a person.",
    description:
      "Only a pending approval can be decided, once. Anything else is refused with 409. Read the arguments before you decide: the approval counts for exactly this call.",
    params: APPROVAL_PARAMS,
    body: z.strictObject({
      approve: z.boolean().describe("True: the call may be made, once. False: it may not."),
      note: searchText("Why. It is kept in the audit; the caller does not get it.").optional(),
    }),
    answer: APPROVAL,
    async handle(request, parts) {
      const { values, operator } = request;
      const { approvals } = parts.controls;
      const approve = values.approve;
      const known = await approvals?.find(values.id);
      if (approvals === undefined || known === undefined || operator === undefined) return APPROVAL_NOT_FOUND;
      if (known.state !== "pending") return DECIDED;
      return makeChange(request, parts, {
        action: approve ? "approval.approve" : "approval.deny",
        target: known.id,
        facts: { tool: known.tool, tenant: known.tenant, caller: known.caller, note: values.note },
        async make() {
          const decided = await approvals.decide({ id: known.id, approve, by: operator.id });
          if (decided === undefined) return APPROVAL_NOT_FOUND;
          return decided.isDecided ? decided.approval : DECIDED;
        },
      });
    },
  }),
];

const APPROVAL_NOT_FOUND = new Refusal(core.not_found.fault({ what: "approval" }, { effect: "none" }));
const DECIDED = new Refusal(
  core.conflict.fault(
    { what: "the approval was decided, used or expired before" },
    { effect: "none", recourse: [{ do: "refresh" }] },
  ),
);
