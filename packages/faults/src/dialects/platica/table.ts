import type { Kind } from "../../fault/kinds.ts";
import { unavailable } from "../../reasons/library/adapter.ts";
import { header_invalid, not_authorized, unauthorized } from "../../reasons/library/auth.ts";
import {
  cancelled,
  conflict,
  internal,
  not_found,
  rate_limited,
  timeout,
  unsupported,
  upstream_failed,
} from "../../reasons/library/core.ts";
import { http_method, malformed_call } from "../../reasons/library/protocol.ts";
import {
  invalid_arguments,
  upstream_failed as service_failed,
  workspace_missing,
  wrong_state,
} from "../../reasons/library/rest.ts";
import type { TableReason } from "../dialect.ts";

/** One status of the REST API, or one code of JSON-RPC. */
export interface Row {
  readonly code: number;
  readonly reason: TableReason;
  /** The system tells its clients to retry. */
  readonly retry?: true;
  /** The status is in none of the system's lists. */
  readonly extension?: true;
}

/** The statuses of failed REST calls, which a tool result carries. */
export const STATUSES = {
  400: { code: 400, reason: invalid_arguments },
  401: { code: 401, reason: unauthorized },
  403: { code: 403, reason: not_authorized },
  404: { code: 404, reason: not_found },
  409: { code: 409, reason: conflict, extension: true },
  422: { code: 422, reason: wrong_state },
  429: { code: 429, reason: rate_limited, retry: true },
  499: { code: 499, reason: cancelled, extension: true },
  500: { code: 500, reason: service_failed, retry: true },
  501: { code: 501, reason: unsupported, extension: true },
  502: { code: 502, reason: upstream_failed, extension: true },
  503: { code: 503, reason: unavailable, retry: true },
  504: { code: 504, reason: timeout, extension: true },
} as const satisfies Record<number, Row>;

/** A status of 5xx that is in no list: nothing is said about retrying. */
const OTHER_5XX: Row = { code: 500, reason: service_failed };

/** The same status as 400, told apart by the words that the system begins with. */
export const WORKSPACE: Row = { code: 400, reason: workspace_missing };
/** What an answer about a missing workspace begins with. */
export const WORKSPACE_WORDS = "Must specify a valid workspace";

/** The JSON-RPC errors for requests that cannot be carried out. */
export const RPC = {
  [-32001]: { code: -32001, reason: header_invalid },
  [-32000]: { code: -32000, reason: http_method },
  [-32602]: { code: -32602, reason: malformed_call },
  [-32603]: { code: -32603, reason: internal, retry: true },
} as const satisfies Record<number, Row>;

/** A row, and whether to repeat where that is not the row's habit. */
export interface Choice {
  readonly row: Row;
  readonly retryable?: boolean;
}

/** The row for each kind, and whether to repeat where the kind differs from the habit of its row. */
export const BY_KIND = {
  invalid_input: { row: STATUSES[400] },
  invalid_request: { row: RPC[-32602] },
  unauthenticated: { row: STATUSES[401] },
  forbidden: { row: STATUSES[403] },
  approval_required: { row: STATUSES[403] },
  rate_limited: { row: STATUSES[429] },
  overloaded: { row: STATUSES[503] },
  timeout: { row: STATUSES[504] },
  unavailable: { row: STATUSES[503] },
  upstream_failed: { row: STATUSES[502] },
  not_found: { row: STATUSES[404] },
  conflict: { row: STATUSES[409] },
  precondition_failed: { row: STATUSES[422] },
  unsupported: { row: STATUSES[501] },
  quota_exhausted: { row: STATUSES[429], retryable: false },
  cancelled: { row: STATUSES[499] },
  internal: { row: STATUSES[500] },
  unknown: { row: STATUSES[500] },
} as const satisfies Record<Kind, Choice>;

/** Every row with a reason of its own. */
export const ROWS: readonly Row[] = [...Object.values<Row>(STATUSES), WORKSPACE, ...Object.values<Row>(RPC)];

/** The row of a status and the sentence beside it; statuses that are in no list go by their hundred. */
export function rowOfStatus(status: number, sentence: string | undefined): Row | undefined {
  if (!(status >= 400 && status <= 599)) return undefined;
  if (status === 400 && isWorkspace(sentence)) return WORKSPACE;
  const own = Object.values<Row>(STATUSES).find((row) => row.code === status);
  return own ?? (status < 500 ? STATUSES[400] : OTHER_5XX);
}

/** Tells whether a sentence begins with the fixed words about workspaces. */
export function isWorkspace(sentence: string | undefined): boolean {
  return sentence?.startsWith(WORKSPACE_WORDS) === true;
}
