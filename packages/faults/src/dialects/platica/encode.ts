import type { Fault } from "../../fault/fault.ts";
import { knownKind } from "../../fault/kinds.ts";
import { FAULT_KEY } from "../../json/names.ts";
import type { JsonObject } from "../../json/read.ts";
import { invalid_arguments } from "../../reasons/library/tool.ts";
import { type RelayedBody, relayBody } from "../../safety/redact-json.ts";
import type { SecretFilter } from "../../safety/secrets.ts";
import { carriedMembers, carriedMeta } from "../carried-members.ts";
import { EDGE_METHOD, type EncodeContext, type TableReason } from "../dialect.ts";
import { wireSentence } from "../sentence.ts";
import { PLATICA_BY_KIND, type PlaticaChoice, platicaRowFor } from "./choose-row.ts";
import { isWorkspaceSentence, PLATICA_RPC, type PlaticaRow, WORKSPACE_ROW, WORKSPACE_SENTENCE } from "./table.ts";
import { toZod, zodText } from "./zod.ts";

/** Options for writing a fault for Platica. */
export interface PlaticaContext extends EncodeContext {
  /**
   * Body of the REST answer, to pass on unchanged as text, and parsed where it is a JSON object. Only known secrets are
   * removed. The fault stands beside it in `_meta`.
   * @default none: a body is written
   */
  readonly raw?: string | undefined;
  /** Secrets of this request, besides those that the process registered. @default none */
  readonly secrets?: SecretFilter | undefined;
}

/** A tool result with the REST answer or the wrong arguments, or a JSON-RPC error. */
export type PlaticaWire =
  | {
      readonly result: {
        readonly isError: true;
        readonly content: readonly [{ readonly type: "text"; readonly text: string }];
        readonly structuredContent?: JsonObject;
        readonly _meta?: JsonObject;
      };
    }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: JsonObject } };

/** Writes a fault as the answer of the REST API, as a list of wrong arguments, or as a JSON-RPC error. */
export function encodePlatica(fault: Fault, context: PlaticaContext = {}): PlaticaWire {
  const relayed = bodyToRelay(context);
  if (relayed !== undefined) return relayedResult(fault, relayed);
  if (isArgumentFault(fault, context)) return argumentResult(fault);
  const row = platicaRowFor(fault, context);
  if (row.code < 0) {
    const data = { ...platicaRetryable(fault, row.retry), ...carriedMembers(fault, row.reason) };
    const message = platicaSentence(fault, row);
    return { error: { code: row.code, message, ...(Object.keys(data).length > 0 && { data }) } };
  }
  const body = { ...platicaBody(fault, row), ...platicaRetryable(fault, row.retry) };
  return platicaResult(fault, row.reason, JSON.stringify(body), body);
}

/** The body of the REST answer, where there is one that may be passed on. */
export function bodyToRelay({ raw = "", secrets }: PlaticaContext): RelayedBody | undefined {
  return raw === "" ? undefined : relayBody(raw, secrets);
}

/** The body of the service is not touched, so the fault stands beside it. */
function relayedResult(fault: Fault, { text, object }: RelayedBody): PlaticaWire {
  return {
    result: {
      isError: true,
      content: [{ type: "text", text }],
      ...(object !== undefined && { structuredContent: object }),
      _meta: { [FAULT_KEY]: fault },
    },
  };
}

/** Checks whether the tool's own schema refused the arguments, so that no REST call was made. */
export function isArgumentFault(fault: Fault, context: PlaticaContext): boolean {
  const isRefused = knownKind(fault) === "invalid_input" && fault.issues !== undefined;
  return isRefused && !fault.reason.startsWith("rest/") && context.method !== EDGE_METHOD;
}

/** The member `retryable`, where the row alone would mean something else. */
export function platicaRetryable(fault: Fault, ofRow: true | undefined): { readonly retryable?: boolean } {
  const { retryable }: PlaticaChoice = PLATICA_BY_KIND[knownKind(fault)];
  const allowed = fault.retry?.allowed ?? retryable;
  return allowed === undefined || allowed === ofRow ? {} : { retryable: allowed };
}

/** The sentence by which clients tell -32001 from the same code of other systems. */
const HEADER_SENTENCE = "Unauthorized: missing or invalid Authorization header.";

/** The sentence that a row is written with. Clients recognise a missing workspace, and a missing header, by it alone. */
export function platicaSentence(fault: Fault, row: PlaticaRow): string {
  const sentence = wireSentence(fault);
  // Refused credentials are one constant answer at the edge, whatever refused them.
  const isOwn = fault.quote === undefined || row.reason.id !== fault.reason;
  if (row === PLATICA_RPC[-32001] && isOwn) return HEADER_SENTENCE;
  return row === WORKSPACE_ROW && !isWorkspaceSentence(sentence) ? WORKSPACE_SENTENCE : sentence;
}

function argumentResult(fault: Fault): PlaticaWire {
  const issues = (fault.issues ?? []).map(toZod);
  const text = issues.map(zodText).join("\n");
  return platicaResult(fault, invalid_arguments, text, { issues, ...platicaRetryable(fault, undefined) });
}

function platicaResult(fault: Fault, reason: TableReason, text: string, structuredContent: JsonObject): PlaticaWire {
  const meta = carriedMeta(carriedMembers(fault, reason));
  return {
    result: {
      isError: true,
      content: [{ type: "text", text }],
      structuredContent,
      ...(Object.keys(meta).length > 0 && { _meta: meta }),
    },
  };
}

function platicaBody(fault: Fault, row: PlaticaRow): JsonObject {
  return {
    code: row.code,
    error: platicaSentence(fault, row),
    ...(fault.issues !== undefined && { errors: fault.issues.map(toZod) }),
  };
}
