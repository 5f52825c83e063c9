import { NAMESPACE } from "@recourse/wire";
import type { IssueRule } from "../../fault/fault.ts";
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
import { invalid_params, invalid_request, method_not_found, parse_error } from "../../reasons/library/protocol.ts";
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
  validation: {
    code: 2001,
    retryable: false,
    reason: validation_failed,
  },
  missing: {
    code: 2002,
    retryable: false,
    reason: missing_field,
    rule: "required",
  },
  format: {
    code: 2003,
    retryable: false,
    reason: invalid_format,
    rule: "format",
  },
  rateLimit: {
    code: 3001,
    retryable: true,
    reason: rate_limited,
  },
  timeout: { code: 3002, retryable: true, reason: timeout },
  adapter: { code: 4001, reason: failed },
  backend: {
    code: 4002,
    retryable: true,
    reason: unavailable,
  },
  notImplemented: {
    code: 5001,
    retryable: false,
    reason: not_implemented,
  },
  unauthorized: {
    code: 1001,
    retryable: false,
    reason: unauthorized,
    extension: true,
  },
  forbidden: {
    code: 3003,
    retryable: false,
    reason: not_authorized,
    extension: true,
  },
  notFound: {
    code: 3004,
    retryable: false,
    reason: not_found,
    extension: true,
  },
  conflict: {
    code: 3005,
    retryable: false,
    reason: conflict,
    extension: true,
  },
  precondition: {
    code: 3006,
    retryable: false,
    reason: precondition_failed,
    extension: true,
  },
  quota: {
    code: 3007,
    retryable: false,
    reason: quota_exhausted,
    extension: true,
  },
  internal: {
    code: 4000,
    retryable: false,
    reason: internal,
    extension: true,
  },
  cancelled: {
    code: 4003,
    retryable: false,
    reason: cancelled,
    extension: true,
  },
} as const satisfies Record<string, OnxRow>;

/** The reason of a code that is not in the table. The ranges are open to implementations. */
export const ONX_RANGES: readonly { readonly from: number; readonly reason: TableReason }[] = [
  { from: 1000, reason: invalid_request },
  { from: 2000, reason: validation_failed },
  { from: 3000, reason: precondition_failed },
  { from: 4000, reason: internal },
  { from: 5000, reason: failed },
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

/** The name and the category of a code. */
interface OnxCodeName {
  readonly name: string;
  readonly category: "Protocol" | "Validation" | "Business" | "System" | "Adapter";
}

/** The names of the codes, for people. Programs that only read or write a fault do not load them. */
export const ONX_CODE_NAMES: Readonly<Record<number, OnxCodeName>> = {
  2001: { name: "VALIDATION_ERROR", category: "Validation" },
  2002: { name: "MISSING_REQUIRED_FIELD", category: "Validation" },
  2003: { name: "INVALID_FORMAT", category: "Validation" },
  3001: { name: "RATE_LIMIT_EXCEEDED", category: "System" },
  3002: { name: "TIMEOUT", category: "System" },
  4001: { name: "ADAPTER_ERROR", category: "Adapter" },
  4002: { name: "BACKEND_UNAVAILABLE", category: "System" },
  5001: { name: "NOT_IMPLEMENTED", category: "Adapter" },
  1001: { name: "UNAUTHORIZED", category: "Protocol" },
  3003: { name: "FORBIDDEN", category: "Business" },
  3004: { name: "NOT_FOUND", category: "Business" },
  3005: { name: "CONFLICT", category: "Business" },
  3006: { name: "PRECONDITION_FAILED", category: "Business" },
  3007: { name: "QUOTA_EXHAUSTED", category: "Business" },
  4000: { name: "INTERNAL_ERROR", category: "System" },
  4003: { name: "CANCELLED", category: "System" },
};

/** The category of each range, by its first code. */
export const ONX_RANGE_CATEGORIES: Readonly<Record<number, string>> = {
  1000: "Protocol",
  2000: "Validation",
  3000: "Business",
  4000: "System",
  5000: "Adapter/Integration",
};

/** The member of `_meta` with the kind of a failure whose code is only the general one. */
export const KIND_KEY = `${NAMESPACE}/kind`;
/** The member of `_meta` with the next moves, which `details.suggestion` says in words. */
export const NEXT_KEY = `${NAMESPACE}/next`;
/** The member of `details.context` with the wait before a retry, in ms. */
export const WAIT_NAME = "retryAfterMs";
