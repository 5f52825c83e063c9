import { type Dialect, EDGE_METHOD, type EncodeContext } from "../../dialects/dialect.ts";
import { asRpcError } from "../../dialects/envelope.ts";
import { mcp } from "../../dialects/mcp/dialect.ts";
import type { Fault } from "../../fault/fault.ts";
import { type Severity, severityOf } from "../../fault/severity.ts";
import type { Incident } from "../../incidents/incident.ts";
import { header_mismatch, missing_client_capability, version_unsupported } from "../../reasons/library/protocol.ts";
import { toClock } from "../../wire/clock.ts";
import { integerAt, isObject, memberAt } from "../../wire/json.ts";
import { JSON_RPC_CODES, parseRevision, type Revision } from "../../wire/revisions.ts";
import type { DialectChoice, DialectRequest, GuardOptions } from "../options.ts";
import { rememberSent } from "../release.ts";
import { chosenDialect, EDGE_REQUEST, type Wire, type WireForm } from "./dialect-choice.ts";
import { dialectRequest, type ReplyPlace } from "./reply.ts";

/** The dialect that is chosen for a request; undefined for `mcp`, and if the choice fails. */
export function dialectFor(choice: DialectChoice | undefined, request: DialectRequest): Dialect<unknown> | undefined {
  const chosen = chosenDialect(choice, request);
  return chosen === (mcp as Dialect<unknown>) ? undefined : chosen;
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

/** Clients act on MCP's code and data for these, so a dialect is used only if it has more than a general code for them. */
const NEGOTIATED: readonly string[] = [version_unsupported.id, missing_client_capability.id, header_mismatch.id];

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

/** The answer for a fault, and what an incident says about it. */
export function describedReply(
  fault: Fault,
  place: ReplyPlace,
  options: Pick<GuardOptions, "dialect" | "docsBase" | "testing">,
  version?: string,
) {
  const wire = writeReply(fault, place, options, version);
  return { wire, facts: describeAnswer(fault, wire, options.dialect, dialectRequest(place)) };
}

/** The answer for a fault, in the dialect of the request and the protocol version that was negotiated. */
export function writeReply(
  fault: Fault,
  place: ReplyPlace,
  options: Pick<GuardOptions, "dialect" | "docsBase" | "testing">,
  version?: string,
): Wire {
  const { tool, outputSchema, uriTemplate } = place;
  const isCall = place.method === "tools/call" && place.asError !== true;
  const method = isCall || place.method !== "tools/call" ? place.method : "unknown";
  const revision = parseRevision(version);
  const context = { method, tool, outputSchema, uriTemplate, revision, docsBase: options.docsBase } as object;
  const own = options.dialect && writeInDialect(fault, options.dialect, dialectRequest(place), timed(context, options));
  if (own?.error !== undefined && place.asResult !== true) {
    // The HTTP edge of this process must not take the code of a dialect for one of MCP.
    rememberSent(own.error);
    return own;
  }
  // Only a tool can fail with a result. A dialect that has neither a result nor an error, such as `http`, does not fit.
  if (isCall && own?.result !== undefined) return own;
  const { error, result } = mcp.encode(fault, context) as Wire;
  return error === undefined ? { result: result ?? {} } : { error: { ...error, code: place.code ?? error.code } };
}

/** A system may demand a time even if the fault must not have one of its own, as on refused credentials. */
function timed(context: object, { testing }: Pick<GuardOptions, "testing">): object {
  return { ...context, at: new Date(toClock(testing).now()).toISOString() };
}
