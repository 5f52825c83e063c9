import { toSentFault } from "../../fault/amend.ts";
import type { Fault, Issue, IssueRule } from "../../fault/fault.ts";
import { knownKind } from "../../fault/kinds.ts";
import { ruleCode } from "../../fault/zod-codes.ts";
import { invalid_arguments } from "../../reasons/library/tool.ts";
import { type RelayedBody, relayBody } from "../../safety/redact-json.ts";
import type { SecretFilter } from "../../safety/secrets.ts";
import { fromPointer, type JsonObject } from "../../wire/json.ts";
import { FAULT_KEY } from "../../wire/names.ts";
import { carriedMembers, carriedMeta } from "../carried-members.ts";
import { EDGE_METHOD, type EncodeContext, type TableReason } from "../dialect.ts";
import { wireSentence } from "../sentence.ts";
import { NO_DISCRIMINATOR } from "../zod.ts";
import {
  isWorkspaceSentence,
  PLATICA_BY_KIND,
  PLATICA_RPC,
  type PlaticaChoice,
  type PlaticaRow,
  platicaRowFor,
  WORKSPACE_ROW,
  WORKSPACE_SENTENCE,
  ZOD_MESSAGES,
} from "./table.ts";

/** Options for writing a fault for Platica. */
export interface PlaticaContext extends EncodeContext {
  /**
   * Body of the REST answer, to pass on unchanged as text, and parsed if it is a JSON object. Only known secrets are
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
    const data = { ...platicaRetryable(fault, row.retry), ...carriedMembers(fault, row) };
    const message = platicaSentence(fault, row);
    return { error: { code: row.code, message, ...(Object.keys(data).length > 0 && { data }) } };
  }
  const body = { ...platicaBody(fault, row), ...platicaRetryable(fault, row.retry) };
  return platicaResult(fault, row.reason, JSON.stringify(body), body);
}

/** The body of the REST answer, if there is one that may be passed on. */
function bodyToRelay({ raw = "", secrets }: PlaticaContext): RelayedBody | undefined {
  return raw === "" ? undefined : relayBody(raw, secrets);
}

/** The body of the service is not touched, so the fault stands beside it. */
function relayedResult(fault: Fault, { text, object }: RelayedBody): PlaticaWire {
  return {
    result: {
      isError: true,
      content: [{ type: "text", text }],
      ...(object !== undefined && { structuredContent: object }),
      _meta: { [FAULT_KEY]: toSentFault(fault) },
    },
  };
}

/** Checks whether the tool's own schema refused the arguments, so that no REST call was made. */
export function isArgumentFault(fault: Fault, context: PlaticaContext): boolean {
  const isRefused = knownKind(fault) === "invalid_input" && fault.issues !== undefined;
  return isRefused && !fault.reason.startsWith("rest/") && context.method !== EDGE_METHOD;
}

/** The member `retryable`, if the row alone would mean something else. */
function platicaRetryable(fault: Fault, ofRow: true | undefined): { readonly retryable?: boolean } {
  const { retryable }: PlaticaChoice = PLATICA_BY_KIND[knownKind(fault)];
  const allowed = fault.retry?.allowed ?? retryable;
  return allowed === undefined || allowed === ofRow ? {} : { retryable: allowed };
}

/** The sentence that a row is written with. Clients recognise a missing workspace, and a missing header, by it alone. */
function platicaSentence(fault: Fault, row: PlaticaRow): string {
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
  const meta = carriedMeta(carriedMembers(fault, { reason }));
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

type BoundRule = "range" | "length";

/** The Zod 4 code of each rule, unless the issue says more. The code of a bound depends on its end, so bounds are not here. */
const ZOD_CODES = {
  required: "invalid_type",
  type: "invalid_type",
  format: "invalid_format",
  choice: "invalid_value",
  unknown: "unrecognized_keys",
  duplicate: "custom",
  custom: "custom",
} as const satisfies Record<Exclude<IssueRule, BoundRule>, string>;

// An author may describe a bound without saying which end was passed. If the words name one end, it is that one.
const AT_LEAST = /[>≥]|\bat least\b|\b(?:more|greater) than\b|\bmin/i;
const AT_MOST = /[<≤]|\bat most\b|\b(?:no more|less) than\b|\bup to\b|\bmax/i;

/** The Zod code of an issue. A bound whose end is unknown is `custom`, neither too small nor too big. */
export function zodCode({ rule, expected = "", code }: Issue): string {
  const known = code === "invalid_union" && rule !== "unknown" ? code : ruleCode(rule, code);
  if (known !== undefined) return known;
  if (rule !== "range" && rule !== "length") return ZOD_CODES[rule];
  if (rule === "range" && expected.includes("multiple of")) return "not_multiple_of";
  const [low, high] = [AT_LEAST.test(expected), AT_MOST.test(expected)];
  if (low === high) return "custom";
  return low ? "too_small" : "too_big";
}

/** Zod's name for the type whose bound was broken. */
function zodOrigin({ rule, expected = "" }: Issue): string {
  if (rule === "range") return "number";
  return /item|element|entr/i.test(expected) ? "array" : "string";
}

export function zodPath(pointer: string): (string | number)[] {
  return fromPointer(pointer).map((key) => (/^(?:0|[1-9]\d{0,8})$/.test(key) ? Number(key) : key));
}

/** An expectation that is a sentence of its own, such as “Must be a day on or after the first”. */
const SENTENCE = /^\p{Lu}\p{Ll}|^must\b/u;

/** Writes an issue as a Zod issue, with the sentence of its author in place of Zod's. */
export function toZod(
  issue: Issue,
): JsonObject & { readonly path: readonly (string | number)[]; readonly message: string } {
  const code = zodCode(issue);
  const { expected, message, suggestion, keys } = issue;
  const hint = suggestion === undefined ? "" : `; did you mean "${suggestion.replaceAll('"', "'")}"?`;
  return {
    path: zodPath(issue.pointer),
    // The full stop marks our message. One of Zod's own may end with the received value instead.
    message:
      message ??
      (expected === undefined
        ? `${ZOD_MESSAGES[issue.rule]}${hint}`
        : `${ZOD_MESSAGES[issue.rule]}: ${SENTENCE.test(expected) ? "" : "expected "}${expected}${hint || "."}`),
    code,
    ...(expected !== undefined && { expected }),
    ...(code.startsWith("too_") && { origin: zodOrigin(issue) }),
    ...(code === "invalid_union" && issue.rule === "choice" && { note: NO_DISCRIMINATOR }),
    // Zod's path leads to the object that has the key.
    ...(code === "unrecognized_keys" && keys !== undefined && { keys }),
  };
}

/** The text of an issue: `path: message`, with a line for each unknown key, whose path ends with the key. */
export function zodText({ path, message, keys }: ReturnType<typeof toZod>): string {
  const paths = Array.isArray(keys) ? keys.map((key) => [...path, key]) : [path];
  return paths.map((keysTo) => (keysTo.length === 0 ? message : `${keysTo.join(".")}: ${message}`)).join("\n");
}

/** The sentence by which clients tell -32001 from the same code of other systems. */
const HEADER_SENTENCE = "Unauthorized: missing or invalid Authorization header.";
