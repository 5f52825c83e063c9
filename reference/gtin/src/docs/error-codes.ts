/** One error of the system's document: its number, its name in `type` and `error_code`, and the reason that explains it. */
export interface ErrorCode {
  readonly code: number;
  readonly name: string;
  readonly reason: string;
}

/** The nine errors. */
export const ERROR_CODES: readonly ErrorCode[] = [
  { code: -32001, name: "unauthorized", reason: "auth/unauthorized" },
  { code: -32002, name: "forbidden", reason: "auth/insufficient_scope" },
  { code: -32003, name: "rate_limited", reason: "core/rate_limited" },
  { code: -32100, name: "bad_request", reason: "protocol/bad_request" },
  { code: -32101, name: "validation_error", reason: "core/validation_failed" },
  { code: -32102, name: "unprocessable_entity", reason: "core/unprocessable" },
  { code: -32200, name: "not_found", reason: "core/not_found" },
  { code: -32201, name: "conflict", reason: "core/conflict" },
  { code: -32300, name: "internal_error", reason: "core/internal" },
];
