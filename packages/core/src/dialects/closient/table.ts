import type { Fault } from "../../fault/fault.ts";
import { KINDS, type Kind, knownKind } from "../../fault/kinds.ts";
import { access_denied, insufficient_scope, unauthorized } from "../../reasons/library/auth.ts";
import * as core from "../../reasons/library/core.ts";
import { bad_request } from "../../reasons/library/protocol.ts";
import type { TableReason } from "../dialect.ts";
import { type OwnCode, ownCodeOf } from "../own-codes.ts";

/** One code of Closient: its reason, and what a writer needs beside the code. */
export interface ClosientCode {
  readonly code: number;
  readonly reason: TableReason;
  readonly status: number;
  readonly retryable: boolean;
}

/** The nine codes of Closient, by the name in the member `error_code`. */
export const CLOSIENT_CODES = {
  unauthorized: { code: -32001, status: 401, retryable: false, reason: unauthorized },
  forbidden: { code: -32002, status: 403, retryable: false, reason: insufficient_scope },
  rate_limited: { code: -32003, status: 429, retryable: true, reason: core.rate_limited },
  bad_request: { code: -32100, status: 400, retryable: false, reason: bad_request },
  validation_error: { code: -32101, status: 422, retryable: false, reason: core.validation_failed },
  unprocessable_entity: { code: -32102, status: 422, retryable: false, reason: core.unprocessable },
  not_found: { code: -32200, status: 404, retryable: false, reason: core.not_found },
  conflict: { code: -32201, status: 409, retryable: false, reason: core.conflict },
  internal_error: { code: -32300, status: 500, retryable: true, reason: core.internal },
} as const satisfies Record<string, ClosientCode>;

type ClosientName = keyof typeof CLOSIENT_CODES;

/** The reason of a code that the table does not have, by its hundreds. Closient may add codes inside these ranges. */
export const CLOSIENT_RANGES: Readonly<Record<number, TableReason>> = {
  [-320]: access_denied,
  [-321]: core.validation_failed,
  [-322]: core.precondition_failed,
  [-323]: core.internal,
};

/** The code of each kind. `retryable` overrides the flag of the code. */
const CLOSIENT_BY_KIND = {
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

export interface ClosientRow extends ClosientCode {
  /** The name in the member `error_code`. */
  readonly name: string;
  readonly title: string;
  /** The code is yours. */
  readonly isOwn: boolean;
}

/** The row of a fault: by its reason if a code has it, else by its kind. The fault's own advice counts first. */
export function closientRowFor(fault: Fault, added: readonly OwnCode[]): ClosientRow {
  const names = Object.keys(CLOSIENT_CODES) as readonly ClosientName[];
  const own = names.find((name) => CLOSIENT_CODES[name].reason.id === fault.reason);
  const choice: { name: ClosientName; retryable?: boolean } = own ? { name: own } : CLOSIENT_BY_KIND[knownKind(fault)];
  const { name } = choice;
  const retryable = fault.retry?.allowed ?? choice.retryable ?? CLOSIENT_CODES[name].retryable;
  const yours = ownCodeOf(fault, added);
  if (yours === undefined) {
    return { ...CLOSIENT_CODES[name], retryable, name, title: closientTitle(name), isOwn: false };
  }
  const ownName = closientName(yours);
  const status = KINDS[knownKind(fault)].httpStatus;
  return { ...yours, status, retryable, name: ownName, title: closientTitle(ownName), isOwn: true };
}

/** The name of a code of yours. With its domain it is never one of Closient's. */
export function closientName({ reason }: OwnCode): string {
  return reason.id.replace("/", "_");
}

/** A name as a title: `not_found` is `Not Found`. */
function closientTitle(name: string): string {
  return name.replaceAll("_", " ").replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
}
