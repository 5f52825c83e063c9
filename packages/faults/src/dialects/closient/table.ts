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

/** One code of Closient and its reason. What only a writer needs is in `rows.ts`. */
export interface ClosientCode {
  readonly code: number;
  readonly reason: TableReason;
}

/** The nine codes of Closient, by the name in the member `error_code`. */
export const CLOSIENT_CODES = {
  unauthorized: { code: -32001, reason: unauthorized },
  forbidden: { code: -32002, reason: insufficient_scope },
  rate_limited: { code: -32003, reason: rate_limited },
  bad_request: { code: -32100, reason: bad_request },
  validation_error: { code: -32101, reason: validation_failed },
  unprocessable_entity: { code: -32102, reason: unprocessable },
  not_found: { code: -32200, reason: not_found },
  conflict: { code: -32201, reason: conflict },
  internal_error: { code: -32300, reason: internal },
} as const satisfies Record<string, ClosientCode>;

/** The name of a code. */
export type ClosientName = keyof typeof CLOSIENT_CODES;

/** The reason of a code that the table does not have, by its hundreds. Closient may add codes inside these ranges. */
export const CLOSIENT_RANGES: Readonly<Record<number, TableReason>> = {
  [-320]: access_denied,
  [-321]: validation_failed,
  [-322]: precondition_failed,
  [-323]: internal,
};
