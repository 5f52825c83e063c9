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

/** One code of the system, with what it says on the wire and what it means here. */
export interface Row {
  readonly code: number;
  readonly errorCode: string;
  readonly title: string;
  readonly status: number;
  readonly retryable: boolean;
  readonly reason: TableReason;
}

/** The nine codes of the system. */
export const ROWS = {
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
} as const satisfies Record<string, Row>;

/** The code for each kind, and whether a caller may repeat where the kind differs from the code's own habit. */
export const BY_KIND = {
  invalid_input: { row: ROWS.validation_error },
  invalid_request: { row: ROWS.bad_request },
  unauthenticated: { row: ROWS.unauthorized },
  forbidden: { row: ROWS.forbidden },
  approval_required: { row: ROWS.forbidden },
  rate_limited: { row: ROWS.rate_limited },
  overloaded: { row: ROWS.internal_error },
  timeout: { row: ROWS.internal_error },
  unavailable: { row: ROWS.internal_error },
  upstream_failed: { row: ROWS.internal_error },
  not_found: { row: ROWS.not_found },
  conflict: { row: ROWS.conflict },
  precondition_failed: { row: ROWS.unprocessable_entity },
  unsupported: { row: ROWS.bad_request },
  quota_exhausted: { row: ROWS.rate_limited, retryable: false },
  cancelled: { row: ROWS.internal_error, retryable: false },
  internal: { row: ROWS.internal_error },
  unknown: { row: ROWS.internal_error },
} as const satisfies Record<Kind, { readonly row: Row; readonly retryable?: boolean }>;

/** Codes may be added inside these ranges, so an unknown one still tells its class. */
export const RANGES: readonly { readonly from: number; readonly to: number; readonly reason: TableReason }[] = [
  { from: -32099, to: -32000, reason: access_denied },
  { from: -32199, to: -32100, reason: validation_failed },
  { from: -32299, to: -32200, reason: precondition_failed },
  { from: -32399, to: -32300, reason: internal },
];
