import { auth, content, core, type Fault } from "@recourse/faults";
import { type ConsumeAnswer, PENDING_BOUNDS } from "./approvals.ts";

/** An answer that does not let the call go on. */
export type Refusal = Exclude<ConsumeAnswer, { readonly state: "consumed" }>;

/** Where a person decides about an approval; undefined where there is no page for it. */
export function linkTo(id: string, link: string | undefined): string | undefined {
  return link?.replaceAll("{id}", encodeURIComponent(id));
}

/** The fault for a call that has no approval. */
export function approvalFault(refusal: Refusal, link: string | undefined): Fault {
  switch (refusal.state) {
    case "pending":
    case "expired": {
      const { id, expiresAt, state } = refusal;
      const page = linkTo(id, link);
      const move = { do: "ask_user", approval: id, ...(page !== undefined && { link: page }) } as const;
      const reason = state === "pending" ? auth.approval_required : auth.approval_expired;
      return reason.fault({ approval: id, expiresAt }, { recourse: [move] });
    }
    case "denied":
      return auth.approval_denied.fault({ approval: refusal.id });
    case "full": {
      const { of, waitMs } = refusal;
      const row = { policy: "approvals", unit: `waiting ${of}`, quota: PENDING_BOUNDS[of], remaining: 0 } as const;
      return core.rate_limited.fault(
        {},
        {
          effect: "none",
          retry: { allowed: true, afterMs: Math.ceil(waitMs) },
          limits: [{ ...row, resetMs: Math.ceil(waitMs), scope: "key" }],
        },
      );
    }
    default:
      return refusal satisfies never;
  }
}

/** The fault where approvals cannot be looked up. */
export function unavailableFault(): Fault {
  return auth.approval_unavailable.fault();
}

/** The fault for a tool that a policy refuses. */
export function deniedByPolicy(): Fault {
  return auth.approval_denied_by_policy.fault();
}

/** The fault for arguments that are too long for a person to read. */
export function tooLongFault(size: number, limit: number): Fault {
  return content.too_large.fault({ actualSize: size, maxSize: limit });
}
