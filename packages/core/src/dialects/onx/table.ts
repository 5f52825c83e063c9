import type { IssueRule } from "../../fault/fault.ts";
import { failed, not_implemented, unavailable } from "../../reasons/library/adapter.ts";
import { not_authorized, unauthorized } from "../../reasons/library/auth.ts";
import * as core from "../../reasons/library/core.ts";
import { invalid_params, invalid_request, method_not_found, parse_error } from "../../reasons/library/protocol.ts";
import { NAMESPACE } from "../../wire/names.ts";
import type { TableReason } from "../dialect.ts";

/** One code of onX, or a code of ours in a range that onX leaves to implementations. */
export interface OnxRow {
  readonly code: number;
  /** Absent if `retryable` depends on the failure. */
  readonly retryable?: boolean;
  readonly reason: TableReason;
  /** The rule that a field broke, for codes that mean one rule. */
  readonly rule?: IssueRule;
  /** The code is ours and not in onX's own table. */
  readonly extension?: true;
}

/** The eight codes of onX, then eight codes of ours for kinds that onX has no code for. */
export const ONX_ROWS = {
  validation: { code: 2001, retryable: false, reason: core.validation_failed },
  missing: { code: 2002, retryable: false, reason: core.missing_field, rule: "required" },
  format: { code: 2003, retryable: false, reason: core.invalid_format, rule: "format" },
  rateLimit: { code: 3001, retryable: true, reason: core.rate_limited },
  timeout: { code: 3002, retryable: true, reason: core.timeout },
  adapter: { code: 4001, reason: failed },
  backend: { code: 4002, retryable: true, reason: unavailable },
  notImplemented: { code: 5001, retryable: false, reason: not_implemented },
  unauthorized: { code: 1001, retryable: false, reason: unauthorized, extension: true },
  forbidden: { code: 3003, retryable: false, reason: not_authorized, extension: true },
  notFound: { code: 3004, retryable: false, reason: core.not_found, extension: true },
  conflict: { code: 3005, retryable: false, reason: core.conflict, extension: true },
  precondition: { code: 3006, retryable: false, reason: core.precondition_failed, extension: true },
  quota: { code: 3007, retryable: false, reason: core.quota_exhausted, extension: true },
  internal: { code: 4000, retryable: false, reason: core.internal, extension: true },
  cancelled: { code: 4003, retryable: false, reason: core.cancelled, extension: true },
} as const satisfies Record<string, OnxRow>;

/** The reason of a code that is not in the table. The ranges are open to implementations. */
export const ONX_RANGES: readonly { readonly from: number; readonly reason: TableReason }[] = [
  { from: 1000, reason: invalid_request },
  { from: 2000, reason: core.validation_failed },
  { from: 3000, reason: core.precondition_failed },
  { from: 4000, reason: core.internal },
  { from: 5000, reason: failed },
];

/** The JSON-RPC codes for requests that fail before a tool runs. */
export const ONX_RPC = {
  [-32700]: parse_error,
  [-32600]: invalid_request,
  [-32601]: method_not_found,
  [-32602]: invalid_params,
  [-32603]: core.internal,
} as const satisfies Record<number, TableReason>;

export type OnxRpcCode = keyof typeof ONX_RPC & number;

/** The member of `_meta` with the kind of a failure whose code is only the general one. */
export const KIND_KEY = `${NAMESPACE}/kind`;
/** The member of `_meta` with the next moves, which `details.suggestion` says in words. */
export const NEXT_KEY = `${NAMESPACE}/next`;
/** The member of `details.context` with the wait before a retry, in ms. */
export const WAIT_NAME = "retryAfterMs";
