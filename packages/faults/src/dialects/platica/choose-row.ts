// Chooses the status or code that a fault is written with. Readers do not need these tables.
import type { Fault } from "../../fault/fault.ts";
import { type Kind, knownKind } from "../../fault/kinds.ts";
import { EDGE_METHOD, type EncodeContext } from "../dialect.ts";
import { PLATICA_RPC, PLATICA_STATUSES, type PlaticaRow, WORKSPACE_ROW } from "./table.ts";

type Status = keyof typeof PLATICA_STATUSES;
type RpcCode = keyof typeof PLATICA_RPC;

/** The status or code of a kind. `retryable` overrides what its row says. */
export interface PlaticaChoice {
  readonly code: Status | RpcCode;
  readonly retryable?: boolean;
}

/** The status or code of each kind. */
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

/** The status of the same failure where the service reported it, since that is never an error of the protocol. */
const OF_SERVICE: Readonly<Record<number, Status>> = { [-32001]: 401, [-32000]: 501, [-32602]: 400, [-32603]: 500 };

/** All rows that a reason can be looked up in. */
export const PLATICA_ROWS: readonly PlaticaRow[] = /* @__PURE__ */ listRows();

function listRows(): PlaticaRow[] {
  return [...Object.values(PLATICA_STATUSES), WORKSPACE_ROW, ...Object.values(PLATICA_RPC)];
}

/** The row that a fault is written as: by its reason where the table has it, else by its kind. */
export function platicaRowFor(fault: Fault, { method }: EncodeContext): PlaticaRow {
  const kind = knownKind(fault);
  const own = PLATICA_ROWS.find((row) => row.reason.id === fault.reason);
  const edge = method === EDGE_METHOD && (own === undefined || own.code > 0) ? AT_EDGE[kind] : undefined;
  const code = edge ?? own?.code ?? BY_REASON[fault.reason] ?? PLATICA_BY_KIND[kind].code;
  const status = isOfService(fault) ? OF_SERVICE[code] : undefined;
  if (status === undefined && own?.code === code) return own;
  const rows: Readonly<Record<number, PlaticaRow>> = { ...PLATICA_STATUSES, ...PLATICA_RPC };
  return rows[status ?? code] ?? PLATICA_STATUSES[500];
}

function isOfService({ reason, origin }: Fault): boolean {
  return origin.layer === "upstream" || reason.startsWith("rest/");
}
