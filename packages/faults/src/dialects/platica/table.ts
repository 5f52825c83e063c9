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

/** The row of a status and its sentence. Other 4xx statuses count as 400, other 5xx statuses as 500 without advice. */
export function platicaRowOfStatus(status: number, sentence: string | undefined): PlaticaRow | undefined {
  if (!(status >= 400 && status <= 599)) return undefined;
  if (status === 400 && isWorkspaceSentence(sentence)) return WORKSPACE_ROW;
  const own = Object.values<PlaticaRow>(PLATICA_STATUSES).find((row) => row.code === status);
  return own ?? (status < 500 ? PLATICA_STATUSES[400] : OTHER_5XX);
}

/** The sentences that tell Platica's JSON-RPC errors from those of other systems with the same codes. */
export const PLATICA_SENTENCES: Readonly<Record<number, RegExp>> = {
  [-32001]: /^Unauthorized: missing or invalid Authorization header\b/i,
  [-32000]: /\b(?:accepts only|only accepts) POST\b/i,
};

/** Checks whether a sentence is about a missing workspace. */
export function isWorkspaceSentence(sentence: string | undefined): boolean {
  return sentence?.startsWith(WORKSPACE_SENTENCE) === true;
}
