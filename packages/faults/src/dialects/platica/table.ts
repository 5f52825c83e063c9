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

/** One status of the REST API, or one JSON-RPC code. */
export interface PlaticaRow {
  readonly code: number;
  readonly reason: TableReason;
  /** Platica's document tells clients to retry. */
  readonly retry?: true;
  /** The status is ours and not in Platica's document. */
  readonly extension?: true;
}

/** The statuses of failed REST calls. A tool result carries them. */
export const PLATICA_STATUSES = {
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
} as const satisfies Record<number, PlaticaRow>;

/** Any other 5xx status. The document says nothing about retrying it. */
const OTHER_5XX: PlaticaRow = { code: 500, reason: service_failed };

/** A missing workspace: status 400 too, recognised by the start of its sentence. */
export const WORKSPACE_ROW: PlaticaRow = { code: 400, reason: workspace_missing };
/** The start of every sentence about a missing workspace. */
export const WORKSPACE_SENTENCE = "Must specify a valid workspace";

/** The JSON-RPC errors for requests that cannot be served. */
export const PLATICA_RPC = {
  [-32001]: { code: -32001, reason: header_invalid },
  [-32000]: { code: -32000, reason: http_method },
  [-32602]: { code: -32602, reason: malformed_call },
  [-32603]: { code: -32603, reason: internal, retry: true },
} as const satisfies Record<number, PlaticaRow>;

/** The row of a kind. `retryable` overrides what the row says. */
export interface PlaticaChoice {
  readonly row: PlaticaRow;
  readonly retryable?: boolean;
}

/** The row of each kind. */
export const PLATICA_BY_KIND = {
  invalid_input: { row: PLATICA_STATUSES[400] },
  invalid_request: { row: PLATICA_RPC[-32602] },
  unauthenticated: { row: PLATICA_STATUSES[401] },
  forbidden: { row: PLATICA_STATUSES[403] },
  approval_required: { row: PLATICA_STATUSES[403] },
  rate_limited: { row: PLATICA_STATUSES[429] },
  overloaded: { row: PLATICA_STATUSES[503] },
  timeout: { row: PLATICA_STATUSES[504] },
  unavailable: { row: PLATICA_STATUSES[503] },
  upstream_failed: { row: PLATICA_STATUSES[502] },
  not_found: { row: PLATICA_STATUSES[404] },
  conflict: { row: PLATICA_STATUSES[409] },
  precondition_failed: { row: PLATICA_STATUSES[422] },
  unsupported: { row: PLATICA_STATUSES[501] },
  quota_exhausted: { row: PLATICA_STATUSES[429], retryable: false },
  cancelled: { row: PLATICA_STATUSES[499] },
  internal: { row: PLATICA_STATUSES[500] },
  unknown: { row: PLATICA_STATUSES[500] },
} as const satisfies Record<Kind, PlaticaChoice>;

/** All rows that a reason can be looked up in. */
export const PLATICA_ROWS: readonly PlaticaRow[] = [
  ...Object.values<PlaticaRow>(PLATICA_STATUSES),
  WORKSPACE_ROW,
  ...Object.values<PlaticaRow>(PLATICA_RPC),
];

/** The row of a status and its sentence. Other 4xx statuses count as 400, other 5xx statuses as 500 without advice. */
export function platicaRowOfStatus(status: number, sentence: string | undefined): PlaticaRow | undefined {
  if (!(status >= 400 && status <= 599)) return undefined;
  if (status === 400 && isWorkspaceSentence(sentence)) return WORKSPACE_ROW;
  const own = Object.values<PlaticaRow>(PLATICA_STATUSES).find((row) => row.code === status);
  return own ?? (status < 500 ? PLATICA_STATUSES[400] : OTHER_5XX);
}

/** Checks whether a sentence is about a missing workspace. */
export function isWorkspaceSentence(sentence: string | undefined): boolean {
  return sentence?.startsWith(WORKSPACE_SENTENCE) === true;
}
