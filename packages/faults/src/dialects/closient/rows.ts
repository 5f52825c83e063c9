import type { Fault } from "../../fault/fault.ts";
import { type Kind, knownKind } from "../../fault/kinds.ts";
import { CLOSIENT_CODES, type ClosientCode, type ClosientName } from "./table.ts";

/** What a writer needs for one code, beside the code itself. */
interface ClosientMembers {
  readonly status: number;
  readonly retryable: boolean;
}

/** The members of each code. */
export const CLOSIENT_MEMBERS = {
  unauthorized: { status: 401, retryable: false },
  forbidden: { status: 403, retryable: false },
  rate_limited: { status: 429, retryable: true },
  bad_request: { status: 400, retryable: false },
  validation_error: { status: 422, retryable: false },
  unprocessable_entity: { status: 422, retryable: false },
  not_found: { status: 404, retryable: false },
  conflict: { status: 409, retryable: false },
  internal_error: { status: 500, retryable: true },
} as const satisfies Record<ClosientName, ClosientMembers>;

/** The code of each kind. `retryable` overrides the flag of the code. */
export const CLOSIENT_BY_KIND = {
  invalid_input: { name: "validation_error" },
  invalid_request: { name: "bad_request" },
  unauthenticated: { name: "unauthorized" },
  forbidden: { name: "forbidden" },
  approval_required: { name: "forbidden" },
  rate_limited: { name: "rate_limited" },
  overloaded: { name: "internal_error" },
  timeout: { name: "internal_error" },
  unavailable: { name: "internal_error" },
  upstream_failed: { name: "internal_error" },
  not_found: { name: "not_found" },
  conflict: { name: "conflict" },
  precondition_failed: { name: "unprocessable_entity" },
  unsupported: { name: "bad_request" },
  quota_exhausted: { name: "rate_limited", retryable: false },
  cancelled: { name: "internal_error", retryable: false },
  internal: { name: "internal_error" },
  unknown: { name: "internal_error" },
} as const satisfies Record<Kind, { readonly name: ClosientName; readonly retryable?: boolean }>;

/** The row that a fault is written as. */
export interface ClosientRow extends ClosientCode, ClosientMembers {
  /** The name in the member `error_code`. */
  readonly name: ClosientName;
  readonly title: string;
}

/** The row of a fault: by its reason where the table has it, else by its kind. The fault's own advice counts first. */
export function closientRowFor(fault: Fault): ClosientRow {
  const names = Object.keys(CLOSIENT_CODES) as readonly ClosientName[];
  const own = names.find((name) => CLOSIENT_CODES[name].reason.id === fault.reason);
  const choice: { name: ClosientName; retryable?: boolean } = own ? { name: own } : CLOSIENT_BY_KIND[knownKind(fault)];
  const { name } = choice;
  const members = CLOSIENT_MEMBERS[name];
  const retryable = fault.retry?.allowed ?? choice.retryable ?? members.retryable;
  return { ...CLOSIENT_CODES[name], ...members, retryable, name, title: titleOf(name) };
}

/** The name as a title: `not_found` is `Not Found`. */
function titleOf(name: ClosientName): string {
  return name.replace(/(?:^|_)[a-z]/g, (start) => start.replace("_", " ").toUpperCase());
}
