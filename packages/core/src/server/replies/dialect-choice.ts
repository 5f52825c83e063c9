import { type Dialect, EDGE_METHOD, type EncodeContext } from "../../dialects/dialect.ts";
import { asRpcError, type RpcError } from "../../dialects/envelope.ts";
import { mcp } from "../../dialects/mcp/dialect.ts";
import type { Fault } from "../../fault/fault.ts";
import { type Severity, severityOf } from "../../fault/severity.ts";
import type { Incident } from "../../incidents/incident.ts";
import { header_mismatch, missing_client_capability, version_unsupported } from "../../reasons/library/protocol.ts";
import type { ForeignText } from "../../reasons/thrown/to-fault.ts";
import { integerAt, isObject, memberAt, objectAt } from "../../wire/json.ts";
import { JSON_RPC_CODES, type Revision } from "../../wire/revisions.ts";
import type { DialectChoice, DialectRequest, GuardOptions } from "../options.ts";

/** The `error` member of a JSON-RPC answer. */
export type WireForm = Pick<RpcError, "code"> & Partial<RpcError>;

/** What a dialect wrote: a tool result, a JSON-RPC error, or something else. */
export interface Wire {
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: WireForm;
}

/**
 * What a dialect wrote, as JSON; undefined if it is neither a JSON-RPC error nor the result of a failed tool. Whatever else
 * was sent would be lost in the transport, and the caller would wait for its whole timeout. It throws if JSON cannot
 * encode it.
 */
function checkedWire(written: unknown): Wire | undefined {
  const wire: unknown = JSON.parse(JSON.stringify(written) ?? "null");
  const error = memberAt(wire, "error");
  if (error !== undefined) return asRpcError(error)?.message === undefined ? undefined : (wire as Wire);
  const result = memberAt(wire, "result");
  const isFailed = isObject(result) && result["isError"] === true && Array.isArray(result["content"]);
  return isFailed ? (wire as Wire) : undefined;
}

export const EDGE_REQUEST: DialectRequest = { method: EDGE_METHOD, meta: {} };

/** Clients act on MCP's code and data for these, so a dialect is used only if it has more than a general code for them. */
const NEGOTIATED: readonly string[] = [version_unsupported.id, missing_client_capability.id, header_mismatch.id];

/** The dialect that is chosen for a request; undefined for `mcp`, and if the choice fails. */
export function dialectFor(choice: DialectChoice | undefined, request: DialectRequest): Dialect<unknown> | undefined {
  try {
    const chosen = typeof choice === "function" ? choice(request) : choice;
    return chosen === (mcp as Dialect<unknown>) ? undefined : chosen;
  } catch {
    return undefined;
  }
}

/** What callers read of text that others wrote: as the option says, or else as the dialect of the request does. */
export function foreignTextFor(
  { foreignText, dialect }: Pick<GuardOptions, "foreignText" | "dialect">,
  request: DialectRequest,
): ForeignText | undefined {
  return foreignText ?? dialectFor(dialect, request)?.foreignText;
}

export function withDialectText<T extends Pick<GuardOptions, "foreignText" | "dialect">>(options: T): T {
  const { foreignText, dialect } = options;
  const stated = typeof dialect === "function" ? undefined : dialect?.foreignText;
  return foreignText !== undefined || stated === undefined ? options : { ...options, foreignText: stated };
}

/** What the chosen dialect writes; undefined if none is chosen, its form cannot be sent, or `mcp` has to write this fault. */
export function writeInDialect(
  fault: Fault,
  choice: DialectChoice | undefined,
  request: DialectRequest,
  context: EncodeContext,
): Wire | undefined {
  try {
    const wire = checkedWire(dialectFor(choice, request)?.encode(fault, context));
    const isGeneral = JSON_RPC_CODES.includes(wire?.error?.code ?? 0);
    return isGeneral && NEGOTIATED.includes(fault.reason) ? undefined : wire;
  } catch {
    return undefined;
  }
}

/** A result with the envelope of a success, if the dialect of the request has one. A failed result has its own. */
export function withDialectEnvelope(
  result: unknown,
  choice: DialectChoice | undefined,
  request: DialectRequest,
): unknown {
  const { envelope } = dialectFor(choice, request) ?? {};
  if (envelope === undefined || !isObject(result) || result["isError"] === true) return result;
  return { ...result, _meta: { ...objectAt(result, "_meta"), ...envelope.success } };
}

/** Writes the JSON-RPC error for a message that reached no handler. Nothing has run, so it is never a tool result. */
export function writeEdgeError(
  fault: Fault,
  { dialect, docsBase }: Pick<GuardOptions, "dialect" | "docsBase">,
  { request, ...context }: { readonly request?: DialectRequest; readonly revision?: Revision } = {},
): WireForm {
  const edge = { ...context, method: EDGE_METHOD, docsBase };
  const own = writeInDialect(fault, dialect, request ?? EDGE_REQUEST, edge);
  const { error } = own?.error === undefined ? (mcp.encode(fault, edge) as Wire) : own;
  return error ?? { code: -32603, message: fault.message };
}

/** What an incident says about the answer that the caller got. */
export function describeAnswer(
  fault: Fault,
  { error, result }: Wire,
  choice: DialectChoice | undefined,
  request: DialectRequest,
): Pick<Incident, "code" | "isError" | "severity"> {
  const inResult = integerAt(memberAt(result, "error"), "code");
  const code = error?.code ?? inResult ?? integerAt(memberAt(result, "structuredContent"), "code");
  const severity = codeSeverity(code, dialectFor(choice, request)) ?? severityOf(fault);
  return { ...(code !== undefined && { code }), isError: result !== undefined, severity };
}

/** Code and severity that a fault has in the chosen dialect, for what no caller is answered with. */
export function describeCode(
  fault: Fault,
  choice: DialectChoice | undefined,
  request: DialectRequest,
): Pick<Incident, "code" | "severity"> {
  const dialect = dialectFor(choice, request);
  const code = dialect?.codes?.codeOf(fault, { method: request.method });
  if (typeof code !== "number") return { severity: severityOf(fault) };
  return { code, severity: codeSeverity(code, dialect) ?? severityOf(fault) };
}

function codeSeverity(code: number | undefined, dialect: Dialect<unknown> | undefined): Severity | undefined {
  try {
    return code === undefined ? undefined : dialect?.errorSeverity?.(code);
  } catch {
    return undefined;
  }
}
