import type { Kind } from "../../fault/kinds.ts";
import { access_denied, insufficient_scope, unauthorized } from "../../reasons/library/auth.ts";
import {
  conflict,
  internal,
  not_found,
  precondition_failed,
  rate_limited,
  unprocessable,
  validation_failed,
} from "../../reasons/library/core.ts";
import { bad_request } from "../../reasons/library/protocol.ts";
import type { TableReason } from "../dialect.ts";

/** One code of Closient: its members on the wire, and its reason. */
export interface ClosientRow {
  readonly code: number;
  /** The name in the member `error_code`. */
  readonly errorCode: string;
  readonly title: string;
  readonly status: number;
  readonly retryable: boolean;
  readonly reason: TableReason;
}

/** The nine codes of Closient. */
export const CLOSIENT_ROWS = {
  unauthorized: {
    code: -32001,
    errorCode: "unauthorized",
    title: "Unauthorized",
    status: 401,
    retryable: false,
    reason: unauthorized,
  },
  forbidden: {
    code: -32002,
    errorCode: "forbidden",
    title: "Forbidden",
    status: 403,
    retryable: false,
    reason: insufficient_scope,
  },
  rate_limited: {
    code: -32003,
    errorCode: "rate_limited",
    title: "Rate Limited",
    status: 429,
    retryable: true,
    reason: rate_limited,
  },
  bad_request: {
    code: -32100,
    errorCode: "bad_request",
    title: "Bad Request",
    status: 400,
    retryable: false,
    reason: bad_request,
  },
  validation_error: {
    code: -32101,
    errorCode: "validation_error",
    title: "Validation Error",
    status: 422,
    retryable: false,
    reason: validation_failed,
  },
  unprocessable_entity: {
    code: -32102,
    errorCode: "unprocessable_entity",
    title: "Unprocessable Entity",
    status: 422,
    retryable: false,
    reason: unprocessable,
  },
  not_found: {
    code: -32200,
    errorCode: "not_found",
    title: "Not Found",
    status: 404,
    retryable: false,
    reason: not_found,
  },
  conflict: {
    code: -32201,
    errorCode: "conflict",
    title: "Conflict",
    status: 409,
    retryable: false,
    reason: conflict,
  },
  internal_error: {
    code: -32300,
    errorCode: "internal_error",
    title: "Internal Error",
    status: 500,
    retryable: true,
    reason: internal,
  },
} as const satisfies Record<string, ClosientRow>;

/** The row of each kind. `retryable` overrides the flag of the row. */
export const CLOSIENT_BY_KIND = {
  invalid_input: { row: CLOSIENT_ROWS.validation_error },
  invalid_request: { row: CLOSIENT_ROWS.bad_request },
  unauthenticated: { row: CLOSIENT_ROWS.unauthorized },
  forbidden: { row: CLOSIENT_ROWS.forbidden },
  approval_required: { row: CLOSIENT_ROWS.forbidden },
  rate_limited: { row: CLOSIENT_ROWS.rate_limited },
  overloaded: { row: CLOSIENT_ROWS.internal_error },
  timeout: { row: CLOSIENT_ROWS.internal_error },
  unavailable: { row: CLOSIENT_ROWS.internal_error },
  upstream_failed: { row: CLOSIENT_ROWS.internal_error },
  not_found: { row: CLOSIENT_ROWS.not_found },
  conflict: { row: CLOSIENT_ROWS.conflict },
  precondition_failed: { row: CLOSIENT_ROWS.unprocessable_entity },
  unsupported: { row: CLOSIENT_ROWS.bad_request },
  quota_exhausted: { row: CLOSIENT_ROWS.rate_limited, retryable: false },
  cancelled: { row: CLOSIENT_ROWS.internal_error, retryable: false },
  internal: { row: CLOSIENT_ROWS.internal_error },
  unknown: { row: CLOSIENT_ROWS.internal_error },
} as const satisfies Record<Kind, { readonly row: ClosientRow; readonly retryable?: boolean }>;

/** The reason of a code that the table does not have. Closient may add codes inside these ranges. */
export const CLOSIENT_RANGES: readonly { readonly from: number; readonly to: number; readonly reason: TableReason }[] =
  [
    { from: -32099, to: -32000, reason: access_denied },
    { from: -32199, to: -32100, reason: validation_failed },
    { from: -32299, to: -32200, reason: precondition_failed },
    { from: -32399, to: -32300, reason: internal },
  ];
