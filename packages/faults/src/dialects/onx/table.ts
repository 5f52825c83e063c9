import type { IssueRule } from "../../fault/fault.ts";
import type { Kind } from "../../fault/kinds.ts";
import { failed, not_implemented, unavailable } from "../../reasons/library/adapter.ts";
import { not_authorized, unauthorized } from "../../reasons/library/auth.ts";
import {
  cancelled,
  conflict,
  internal,
  invalid_format,
  missing_field,
  not_found,
  precondition_failed,
  quota_exhausted,
  rate_limited,
  timeout,
  validation_failed,
} from "../../reasons/library/core.ts";
import {
  invalid_params,
  invalid_request,
  malformed_call,
  method_not_found,
  parse_error,
} from "../../reasons/library/protocol.ts";
import type { TableReason } from "../dialect.ts";

/** One code of onX, or a code of ours in a range that onX leaves to implementations. */
export interface OnxRow {
  readonly code: number;
  readonly name: string;
  readonly category: "Protocol" | "Validation" | "Business" | "System" | "Adapter";
  /** Absent where `retryable` depends on the failure. */
  readonly retryable?: boolean;
  readonly reason: TableReason;
  /** The rule that a field broke, for codes that mean one rule. */
  readonly rule?: IssueRule;
  /** The code is ours and not in onX's own table. */
  readonly extension?: true;
}

/** The eight codes of onX, then eight codes of ours for kinds that onX has no code for. */
export const ONX_ROWS = {
  validation: {
    code: 2001,
    name: "VALIDATION_ERROR",
    category: "Validation",
    retryable: false,
    reason: validation_failed,
  },
  missing: {
    code: 2002,
    name: "MISSING_REQUIRED_FIELD",
    category: "Validation",
    retryable: false,
    reason: missing_field,
    rule: "required",
  },
  format: {
    code: 2003,
    name: "INVALID_FORMAT",
    category: "Validation",
    retryable: false,
    reason: invalid_format,
    rule: "format",
  },
  rateLimit: {
    code: 3001,
    name: "RATE_LIMIT_EXCEEDED",
    category: "System",
    retryable: true,
    reason: rate_limited,
  },
  timeout: { code: 3002, name: "TIMEOUT", category: "System", retryable: true, reason: timeout },
  adapter: { code: 4001, name: "ADAPTER_ERROR", category: "Adapter", reason: failed },
  backend: {
    code: 4002,
    name: "BACKEND_UNAVAILABLE",
    category: "System",
    retryable: true,
    reason: unavailable,
  },
  notImplemented: {
    code: 5001,
    name: "NOT_IMPLEMENTED",
    category: "Adapter",
    retryable: false,
    reason: not_implemented,
  },
  unauthorized: {
    code: 1001,
    name: "UNAUTHORIZED",
    category: "Protocol",
    retryable: false,
    reason: unauthorized,
    extension: true,
  },
  forbidden: {
    code: 3003,
    name: "FORBIDDEN",
    category: "Business",
    retryable: false,
    reason: not_authorized,
    extension: true,
  },
  notFound: {
    code: 3004,
    name: "NOT_FOUND",
    category: "Business",
    retryable: false,
    reason: not_found,
    extension: true,
  },
  conflict: {
    code: 3005,
    name: "CONFLICT",
    category: "Business",
    retryable: false,
    reason: conflict,
    extension: true,
  },
  precondition: {
    code: 3006,
    name: "PRECONDITION_FAILED",
    category: "Business",
    retryable: false,
    reason: precondition_failed,
    extension: true,
  },
  quota: {
    code: 3007,
    name: "QUOTA_EXHAUSTED",
    category: "Business",
    retryable: false,
    reason: quota_exhausted,
    extension: true,
  },
  internal: {
    code: 4000,
    name: "INTERNAL_ERROR",
    category: "System",
    retryable: false,
    reason: internal,
    extension: true,
  },
  cancelled: {
    code: 4003,
    name: "CANCELLED",
    category: "System",
    retryable: false,
    reason: cancelled,
    extension: true,
  },
} as const satisfies Record<string, OnxRow>;

/** The row of each kind. `rpc` means a JSON-RPC error, because no tool ran. */
export const ONX_BY_KIND = {
  invalid_input: ONX_ROWS.validation,
  invalid_request: "rpc",
  unauthenticated: ONX_ROWS.unauthorized,
  forbidden: ONX_ROWS.forbidden,
  approval_required: ONX_ROWS.forbidden,
  rate_limited: ONX_ROWS.rateLimit,
  overloaded: ONX_ROWS.backend,
  timeout: ONX_ROWS.timeout,
  unavailable: ONX_ROWS.backend,
  upstream_failed: ONX_ROWS.adapter,
  not_found: ONX_ROWS.notFound,
  conflict: ONX_ROWS.conflict,
  precondition_failed: ONX_ROWS.precondition,
  unsupported: ONX_ROWS.notImplemented,
  quota_exhausted: ONX_ROWS.quota,
  cancelled: ONX_ROWS.cancelled,
  internal: ONX_ROWS.internal,
  unknown: ONX_ROWS.internal,
} as const satisfies Record<Kind, OnxRow | "rpc">;

/** The row for arguments that all break the same rule. */
export const ONX_BY_RULE: Partial<Readonly<Record<IssueRule, OnxRow>>> = {
  required: ONX_ROWS.missing,
  format: ONX_ROWS.format,
};

/** The reason of a code that is not in the table. The ranges are open to implementations. */
export const ONX_RANGES: readonly { readonly from: number; readonly category: string; readonly reason: TableReason }[] =
  [
    { from: 1000, category: "Protocol", reason: invalid_request },
    { from: 2000, category: "Validation", reason: validation_failed },
    { from: 3000, category: "Business", reason: precondition_failed },
    { from: 4000, category: "System", reason: internal },
    { from: 5000, category: "Adapter/Integration", reason: failed },
  ];

/** The JSON-RPC codes for requests that fail before a tool runs. */
export const ONX_RPC = {
  [-32700]: parse_error,
  [-32600]: invalid_request,
  [-32601]: method_not_found,
  [-32602]: invalid_params,
  [-32603]: internal,
} as const satisfies Record<number, TableReason>;

/** A JSON-RPC code that onX uses. */
export type OnxRpcCode = keyof typeof ONX_RPC & number;

/** Reasons that are JSON-RPC errors for every method. */
export const ONX_RPC_BY_REASON: Readonly<Record<string, OnxRpcCode>> = {
  [parse_error.id]: -32700,
  [invalid_request.id]: -32600,
  [method_not_found.id]: -32601,
  [invalid_params.id]: -32602,
  [malformed_call.id]: -32602,
};

/** The JSON-RPC code of a kind for requests other than tool calls, which have no tool result to carry the error. */
export const ONX_RPC_BY_KIND: Partial<Readonly<Record<Kind, OnxRpcCode>>> = {
  invalid_request: -32600,
  invalid_input: -32602,
  not_found: -32602,
};
