import { z } from "@hono/zod-openapi";
import { core } from "@recourse/core/reasons";
import type { Approval } from "../../approvals/approvals.ts";
import type { AdminParts } from "../parts.ts";
import { type AdminRoute, defineRoute, makeChange, pageOfRows, Refusal } from "../route.ts";
import { APPROVAL, ownId, pageLimit, pageOf, searchText } from "../schemas.ts";

/** A state, or all that a person decided. */
const LISTED_STATES = [...APPROVAL.shape.state.options, "decided"] as const;
/** Ids of callers are lists of names. */
const MAX_APPROVAL_CALLER = 1_024;
const MAX_NOTE = 500;

const APPROVAL_PARAMS = z.strictObject({ id: ownId("The id of the approval.") });

export const APPROVAL_ROUTES: readonly AdminRoute[] = [
  defineRoute({
    method: "GET",
    path: "/approvals",
    id: "listApprovals",
    role: "viewer",
    summary: "List approvals, the newest first; with `state=pending` the next to expire first.",
    query: z.strictObject({
      state: z
        .enum(LISTED_STATES)
        .describe(
          "Only approvals in this state. `decided`: all that a person decided, including those that have expired since.",
        )
        .optional(),
      tenant: searchText("Only approvals of this tenant.").optional(),
      tool: searchText("Only approvals of this tool.", 512).optional(),
      caller: searchText("Only approvals of this caller, by its id.", MAX_APPROVAL_CALLER).optional(),
      limit: pageLimit(50, 200),
      before: ownId("The `next` of the previous page: an id.").optional(),
    }),
    answer: pageOf(APPROVAL),
    async handle({ values }, parts) {
      const rows = (await parts.controls.approvals?.list({ ...values, limit: values.limit + 1 })) ?? [];
      const page = pageOfRows(rows, values.limit, (row) => row.id);
      return { ...page, items: page.items.map((row) => describeApproval(row, parts)) };
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
    async handle({ values }, parts) {
      const found = await parts.controls.approvals?.find(values.id);
      return found === undefined ? APPROVAL_NOT_FOUND : describeApproval(found, parts);
    },
  }),
  defineRoute({
    method: "POST",
    path: "/approvals/{id}/decision",
    id: "decideApproval",
    role: "approver",
    summary: "Approve or deny a call that waits for a person.",
    description:
      "You can decide only a pending approval, and only once. Anything else is refused with 409. Read the arguments before you decide: the approval is valid for exactly this call.",
    params: APPROVAL_PARAMS,
    body: z.strictObject({
      approve: z.boolean().describe("True: the call may be made, once. False: it may not."),
      note: searchText(
        "The reason for the decision. It is kept with the approval and in the audit; the caller does not get it.",
        MAX_NOTE,
      ).optional(),
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
          const decided = await approvals.decide({ id: known.id, approve, by: operator.id, note: values.note });
          if (decided === undefined) return APPROVAL_NOT_FOUND;
          return decided.isDecided ? describeApproval(decided.approval, parts) : DECIDED;
        },
      });
    },
  }),
];

/** An approval as it is answered: with what its upstream says about the tool now. */
export function describeApproval(approval: Approval, { findTool }: Pick<AdminParts, "findTool">) {
  return { ...approval, ...findTool(approval.tool) };
}

const APPROVAL_NOT_FOUND = new Refusal(core.not_found.fault({ what: "approval" }, { effect: "none" }));
const DECIDED = new Refusal(
  core.conflict.fault(
    { what: "the approval was decided, used or expired before" },
    { effect: "none", recourse: [{ do: "refresh" }] },
  ),
);
