import type { Fault } from "../../fault/fault.ts";
import { knownKind } from "../../fault/kinds.ts";
import type { JsonObject } from "../../json/read.ts";
import { invalid_arguments } from "../../reasons/library/tool.ts";
import { relayBody } from "../../safety/redact-json.ts";
import type { SecretFilter } from "../../safety/secrets.ts";
import { certaintyMembers, certaintyMeta } from "../certainty.ts";
import type { EncodeContext, TableReason } from "../dialect.ts";
import { wireSentence } from "../sentence.ts";
import {
  isWorkspaceSentence,
  PLATICA_BY_KIND,
  PLATICA_ROWS,
  type PlaticaChoice,
  type PlaticaRow,
  WORKSPACE_ROW,
  WORKSPACE_SENTENCE,
} from "./table.ts";
import { toZod, zodLine } from "./zod.ts";

/** Options for writing a fault for Platica. */
export interface PlaticaContext extends EncodeContext {
  /** Body of the REST answer, to pass on unchanged. Only known secrets are removed. @default none: a body is written */
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
        readonly structuredContent: JsonObject;
        readonly _meta?: JsonObject;
      };
    }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: JsonObject } };

/** Writes a fault as the answer of the REST API, as a list of wrong arguments, or as a JSON-RPC error. */
export function encodePlatica(fault: Fault, context: PlaticaContext = {}): PlaticaWire {
  if (isArgumentFault(fault, context)) return argumentResult(fault);
  const row = platicaRowFor(fault);
  if (row.code < 0) {
    const data = { ...platicaRetryable(fault, row.retry), ...certaintyMembers(fault, row.reason) };
    return { error: { code: row.code, message: wireSentence(fault), ...(Object.keys(data).length > 0 && { data }) } };
  }
  const relayed = context.raw === undefined ? undefined : relayBody(context.raw, context.secrets);
  const body = relayed?.object ?? platicaBody(fault, row);
  const structured = { ...body, code: row.code, ...platicaRetryable(fault, row.retry) };
  return platicaResult(fault, row.reason, relayed?.text ?? JSON.stringify(structured), structured);
}

/** The row that a fault is written as: by its reason where the table has it, else by its kind. */
export function platicaRowFor(fault: Fault): PlaticaRow {
  return PLATICA_ROWS.find((row) => row.reason.id === fault.reason) ?? PLATICA_BY_KIND[knownKind(fault)].row;
}

/** Checks whether the tool's own schema refused the arguments, so that no REST call was made. */
export function isArgumentFault(fault: Fault, context: PlaticaContext): boolean {
  const ofRest = fault.reason.startsWith("rest/") || context.raw !== undefined;
  return knownKind(fault) === "invalid_input" && fault.issues !== undefined && !ofRest;
}

/** The member `retryable`, where the row alone would mean something else. */
export function platicaRetryable(fault: Fault, ofRow: true | undefined): { readonly retryable?: boolean } {
  const { retryable }: PlaticaChoice = PLATICA_BY_KIND[knownKind(fault)];
  const allowed = fault.retry?.allowed ?? retryable;
  return allowed === undefined || allowed === ofRow ? {} : { retryable: allowed };
}

/** The sentence that a row is written with. Platica's clients recognise a missing workspace by its sentence alone. */
export function platicaSentence(fault: Fault, row: PlaticaRow): string {
  const sentence = wireSentence(fault);
  return row === WORKSPACE_ROW && !isWorkspaceSentence(sentence) ? WORKSPACE_SENTENCE : sentence;
}

function argumentResult(fault: Fault): PlaticaWire {
  const issues = (fault.issues ?? []).map(toZod);
  const text = issues.map(zodLine).join("\n");
  return platicaResult(fault, invalid_arguments, text, { issues, ...platicaRetryable(fault, undefined) });
}

function platicaResult(fault: Fault, reason: TableReason, text: string, structuredContent: JsonObject): PlaticaWire {
  const meta = certaintyMeta(certaintyMembers(fault, reason));
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
