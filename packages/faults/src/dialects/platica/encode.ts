import type { Fault } from "../../fault/fault.ts";
import { knownKind } from "../../fault/kinds.ts";
import { invalid_arguments } from "../../reasons/library/tool.ts";
import type { SecretFilter } from "../../safety/secrets.ts";
import { certaintyMeta, certaintyOf } from "../certainty.ts";
import type { EncodeContext, TableReason } from "../dialect.ts";
import { proseOf } from "../prose.ts";
import type { Json } from "../wire.ts";
import { relay } from "./raw.ts";
import { BY_KIND, type Choice, isWorkspace, ROWS, type Row, WORKSPACE, WORKSPACE_WORDS } from "./table.ts";
import { lineOf, toZod } from "./zod.ts";

/** What encoding for Platica may be told. */
export interface PlaticaContext extends EncodeContext {
  /** The body of the REST answer, to be relayed as it is; only known secrets are looked for in it. */
  readonly raw?: string | undefined;
  /** Secrets of this request, besides those of the process. */
  readonly secrets?: SecretFilter | undefined;
}

/** A tool result with the REST answer or the wrong arguments, or a JSON-RPC error. */
export type PlaticaWire =
  | {
      readonly result: {
        readonly isError: true;
        readonly content: readonly [{ readonly type: "text"; readonly text: string }];
        readonly structuredContent: Json;
        readonly _meta?: Json;
      };
    }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: Json } };

/** The row that a fault goes out as: by its reason where the system has one, else by its kind. */
export function rowFor(fault: Fault): Row {
  return ROWS.find((row) => row.reason.id === fault.reason) ?? BY_KIND[knownKind(fault)].row;
}

/** Whether a fault is about arguments that the tool's own schema refused, so that no REST call was made. */
export function isArguments(fault: Fault, context: PlaticaContext): boolean {
  const ofRest = fault.reason.startsWith("rest/") || context.raw !== undefined;
  return knownKind(fault) === "invalid_input" && fault.issues !== undefined && !ofRest;
}

/** The word on repeating that the wire would not tell by itself. */
export function retryableOf(fault: Fault, habit: true | undefined): { readonly retryable?: boolean } {
  const { retryable }: Choice = BY_KIND[knownKind(fault)];
  const allowed = fault.retry?.allowed ?? retryable;
  return allowed === undefined || allowed === habit ? {} : { retryable: allowed };
}

/** Writes a fault as the answer of the REST API, as a list of wrong arguments, or as a JSON-RPC error. */
export function encode(fault: Fault, context: PlaticaContext = {}): PlaticaWire {
  if (isArguments(fault, context)) return argumentsOf(fault);
  const row = rowFor(fault);
  if (row.code < 0) {
    const data = { ...retryableOf(fault, row.retry), ...certaintyOf(fault, row.reason) };
    return { error: { code: row.code, message: proseOf(fault), ...(Object.keys(data).length > 0 && { data }) } };
  }
  const relayed = context.raw === undefined ? undefined : relay(context.raw, context.secrets);
  const said = relayed?.body ?? bodyOf(fault, row);
  const structured = { ...said, code: row.code, ...retryableOf(fault, row.retry) };
  return resultOf(fault, row.reason, relayed?.text ?? JSON.stringify(structured), structured);
}

function argumentsOf(fault: Fault): PlaticaWire {
  const issues = (fault.issues ?? []).map(toZod);
  const text = issues.map(lineOf).join("\n");
  return resultOf(fault, invalid_arguments, text, { issues, ...retryableOf(fault, undefined) });
}

function resultOf(fault: Fault, reason: TableReason, text: string, structuredContent: Json): PlaticaWire {
  const meta = certaintyMeta(certaintyOf(fault, reason));
  return {
    result: {
      isError: true,
      content: [{ type: "text", text }],
      structuredContent,
      ...(Object.keys(meta).length > 0 && { _meta: meta }),
    },
  };
}

/** The body that is declared for a fault: its status, its sentence, the arguments to correct. */
function bodyOf(fault: Fault, row: Row): Json {
  const prose = proseOf(fault);
  // Its clients know this case by the words alone.
  const error = row === WORKSPACE && !isWorkspace(prose) ? WORKSPACE_WORDS : prose;
  return {
    code: row.code,
    error,
    ...(fault.issues !== undefined && { errors: fault.issues.map(toZod) }),
  };
}
