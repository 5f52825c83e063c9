import { type Dialect, EDGE_METHOD, type EncodeContext } from "../../dialects/dialect.ts";
import { mcp } from "../../dialects/mcp/dialect.ts";
import type { Revision } from "../../dialects/mcp/table.ts";
import { JSON_RPC_CODES } from "../../dialects/rpc.ts";
import type { Fault } from "../../fault/fault.ts";
import { type Severity, severityOf } from "../../fault/severity.ts";
import type { Incident } from "../../incidents/incident.ts";
import { integerAt, isObject, memberAt, objectAt } from "../../json/read.ts";
import { header_mismatch, missing_client_capability, version_unsupported } from "../../reasons/library/protocol.ts";
import type { ForeignText } from "../../reasons/thrown/to-fault.ts";
import type { GuardOptions } from "../options.ts";
import { checkedWire, type Wire, type WireForm } from "./checked-wire.ts";

/** A request whose failures are written in some dialect. */
export interface DialectRequest {
  /** JSON-RPC method, such as `tools/call`; `edge` for a message that was refused before its method was known. */
  readonly method: string;
  /** The `_meta` of the request. */
  readonly meta: object;
}

/** A message whose method is not known. */
export const EDGE: DialectRequest = { method: EDGE_METHOD, meta: {} };

/** A dialect for all requests, or a function that chooses one for each request. */
export type DialectChoice = Dialect<unknown> | ((request: DialectRequest) => Dialect<unknown>);

/** Clients act on MCP's code and data for these, so a dialect is used only where it has more than a general code for them. */
const NEGOTIATED: readonly string[] = [version_unsupported.id, missing_client_capability.id, header_mismatch.id];

/** The dialect that is chosen for a request; undefined for `mcp`, and where the choice fails. */
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

/** The options with what a dialect for all requests says about text that others wrote. */
export function withDialectText<T extends Pick<GuardOptions, "foreignText" | "dialect">>(options: T): T {
  const { foreignText, dialect } = options;
  const stated = typeof dialect === "function" ? undefined : dialect?.foreignText;
  return foreignText !== undefined || stated === undefined ? options : { ...options, foreignText: stated };
}

/** What the chosen dialect writes; undefined where none is chosen, its form cannot be sent, or `mcp` has to write this fault. */
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

/** A result with the envelope of a success, where the dialect of the request has one. A failed result has its own. */
export function withEnvelope(result: unknown, choice: DialectChoice | undefined, request: DialectRequest): unknown {
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
  const own = writeInDialect(fault, dialect, request ?? EDGE, edge);
  const { error } = own?.error === undefined ? (mcp.encode(fault, edge) as Wire) : own;
  return error ?? { code: -32603, message: fault.message };
}

/** What an incident says about the answer that the caller got. */
export function answerFacts(
  fault: Fault,
  { error, result }: Wire,
  choice: DialectChoice | undefined,
  request: DialectRequest,
): Pick<Incident, "code" | "isError" | "severity"> {
  const inResult = integerAt(memberAt(result, "error"), "code");
  const code = error?.code ?? inResult ?? integerAt(memberAt(result, "structuredContent"), "code");
  const severity = rankOf(code, dialectFor(choice, request)) ?? severityOf(fault);
  return { ...(code !== undefined && { code }), isError: result !== undefined, severity };
}

/** Code and severity that a fault has in the chosen dialect, for what no caller is answered with. */
export function codeFacts(
  fault: Fault,
  choice: DialectChoice | undefined,
  request: DialectRequest,
): Pick<Incident, "code" | "severity"> {
  const dialect = dialectFor(choice, request);
  const code = dialect?.codes?.codeOf(fault, { method: request.method });
  if (typeof code !== "number") return { severity: severityOf(fault) };
  return { code, severity: rankOf(code, dialect) ?? severityOf(fault) };
}

function rankOf(code: number | undefined, dialect: Dialect<unknown> | undefined): Severity | undefined {
  try {
    return code === undefined ? undefined : dialect?.errorSeverity?.(code);
  } catch {
    return undefined;
  }
}
