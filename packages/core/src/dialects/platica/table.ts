import type { Fault, IssueRule } from "../../fault/fault.ts";
import { type Kind, knownKind } from "../../fault/kinds.ts";
import { unavailable } from "../../reasons/library/adapter.ts";
import { header_invalid, not_authorized, unauthorized } from "../../reasons/library/auth.ts";
import * as core from "../../reasons/library/core.ts";
import { http_method, malformed_call } from "../../reasons/library/protocol.ts";
import * as rest from "../../reasons/library/rest.ts";
import { EDGE_METHOD, type EncodeContext, type TableReason } from "../dialect.ts";

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
  400: { code: 400, reason: rest.invalid_arguments },
  401: { code: 401, reason: unauthorized },
  403: { code: 403, reason: not_authorized },
  404: { code: 404, reason: core.not_found },
  409: { code: 409, reason: core.conflict, extension: true },
  422: { code: 422, reason: rest.wrong_state },
  429: { code: 429, reason: core.rate_limited, retry: true },
  499: { code: 499, reason: core.cancelled, extension: true },
  500: { code: 500, reason: rest.upstream_failed, retry: true },
  501: { code: 501, reason: core.unsupported, extension: true },
  502: { code: 502, reason: core.upstream_failed, extension: true },
  503: { code: 503, reason: unavailable, retry: true },
  504: { code: 504, reason: core.timeout, extension: true },
} as const satisfies Record<number, PlaticaRow>;

/** Any other 5xx status. The document says nothing about retrying it. */
const OTHER_5XX: PlaticaRow = { code: 500, reason: rest.upstream_failed };

/** A missing workspace: status 400 too, recognised by the start of its sentence. */
export const WORKSPACE_ROW: PlaticaRow = { code: 400, reason: rest.workspace_missing };
/** The start of every sentence about a missing workspace. */
export const WORKSPACE_SENTENCE = "Must specify a valid workspace";

/** The JSON-RPC errors for requests that cannot be served. */
export const PLATICA_RPC = {
  [-32001]: { code: -32001, reason: header_invalid },
  [-32000]: { code: -32000, reason: http_method },
  [-32602]: { code: -32602, reason: malformed_call },
  [-32603]: { code: -32603, reason: core.internal, retry: true },
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

export function isWorkspaceSentence(sentence: string | undefined): boolean {
  return sentence?.startsWith(WORKSPACE_SENTENCE) === true;
}

type Status = keyof typeof PLATICA_STATUSES;
type RpcCode = keyof typeof PLATICA_RPC;

/** The status or code of a kind. `retryable` overrides what its row says. */
export interface PlaticaChoice {
  readonly code: Status | RpcCode;
  readonly retryable?: boolean;
}

export const PLATICA_BY_KIND = {
  invalid_input: { code: 400 },
  invalid_request: { code: -32602 },
  unauthenticated: { code: 401 },
  forbidden: { code: 403 },
  approval_required: { code: 403 },
  rate_limited: { code: 429 },
  overloaded: { code: 503 },
  timeout: { code: 504 },
  unavailable: { code: 503 },
  upstream_failed: { code: 502 },
  not_found: { code: 404 },
  conflict: { code: 409 },
  precondition_failed: { code: 422 },
  unsupported: { code: 501 },
  quota_exhausted: { code: 429, retryable: false },
  cancelled: { code: 499 },
  internal: { code: 500 },
  unknown: { code: 500 },
} as const satisfies Record<Kind, PlaticaChoice>;

/** Reasons whose kind has another code. A tool that does not exist has not run, and its name is a JSON-RPC parameter. */
const BY_REASON: Readonly<Record<string, RpcCode>> = { "tool/not_found": -32602 };

/** The code of each kind for a message that was refused before any tool ran. Platica has no code for the others. */
const AT_EDGE: Partial<Readonly<Record<Kind, RpcCode>>> = {
  unauthenticated: -32001,
  invalid_request: -32602,
  invalid_input: -32602,
  internal: -32603,
};

/** The status of the same failure if the service reported it, since that is never an error of the protocol. */
const OF_SERVICE: Readonly<Record<number, Status>> = { [-32001]: 401, [-32000]: 501, [-32602]: 400, [-32603]: 500 };

const PLATICA_ROWS: readonly PlaticaRow[] = /* @__PURE__ */ collectRows();

function collectRows(): PlaticaRow[] {
  return [...Object.values(PLATICA_STATUSES), WORKSPACE_ROW, ...Object.values(PLATICA_RPC)];
}

/** The row that a fault is written as: by its reason if the table has it, else by its kind. */
export function platicaRowFor(fault: Fault, { method }: EncodeContext): PlaticaRow {
  const kind = knownKind(fault);
  const own = PLATICA_ROWS.find((row) => row.reason.id === fault.reason);
  const edge = method === EDGE_METHOD && (own === undefined || own.code > 0) ? AT_EDGE[kind] : undefined;
  const code = edge ?? own?.code ?? BY_REASON[fault.reason] ?? PLATICA_BY_KIND[kind].code;
  const status = isServiceFault(fault) ? OF_SERVICE[code] : undefined;
  if (status === undefined && own?.code === code) return own;
  const rows: Readonly<Record<number, PlaticaRow>> = { ...PLATICA_STATUSES, ...PLATICA_RPC };
  return rows[status ?? code] ?? PLATICA_STATUSES[500];
}

function isServiceFault({ reason, origin }: Fault): boolean {
  return origin.layer === "upstream" || reason.startsWith("rest/");
}

export const ZOD_MESSAGES = {
  required: "Required",
  type: "Invalid type",
  format: "Invalid format",
  range: "Out of range",
  length: "Wrong length",
  choice: "Invalid option",
  unknown: "Unrecognized key",
  duplicate: "Duplicate",
  custom: "Invalid input",
} as const satisfies Record<IssueRule, string>;
