import { KINDS, type Kind } from "../../fault/kinds.ts";

/** What a kind looks like as a problem. */
export interface Row {
  readonly status: number;
  readonly title: string;
}

/** The status and the title of each kind. */
export const BY_KIND = {
  invalid_input: { status: KINDS.invalid_input.status, title: "Invalid arguments" },
  invalid_request: { status: KINDS.invalid_request.status, title: "Malformed request" },
  unauthenticated: { status: KINDS.unauthenticated.status, title: "Unauthorized" },
  forbidden: { status: KINDS.forbidden.status, title: "Forbidden" },
  approval_required: { status: KINDS.approval_required.status, title: "Approval required" },
  rate_limited: { status: KINDS.rate_limited.status, title: "Too many requests" },
  overloaded: { status: KINDS.overloaded.status, title: "Overloaded" },
  timeout: { status: KINDS.timeout.status, title: "Timeout" },
  unavailable: { status: KINDS.unavailable.status, title: "Unavailable" },
  upstream_failed: { status: KINDS.upstream_failed.status, title: "Upstream failed" },
  not_found: { status: KINDS.not_found.status, title: "Not found" },
  conflict: { status: KINDS.conflict.status, title: "Conflict" },
  precondition_failed: { status: KINDS.precondition_failed.status, title: "Precondition failed" },
  unsupported: { status: KINDS.unsupported.status, title: "Not supported" },
  quota_exhausted: { status: KINDS.quota_exhausted.status, title: "Quota exhausted" },
  cancelled: { status: KINDS.cancelled.status, title: "Cancelled" },
  internal: { status: KINDS.internal.status, title: "Internal error" },
  unknown: { status: KINDS.unknown.status, title: "Unknown error" },
} as const satisfies Record<Kind, Row>;
