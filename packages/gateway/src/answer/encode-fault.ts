import { type Fault, knownKind, shouldReport } from "@recourse/core";
import { http } from "@recourse/core/dialects";
import { edgeStatus, mcpHttpStatus, writeEdgeError, writeReply } from "@recourse/core/proxy";
import {
  arrayAt,
  hasResultTypes,
  LATEST_REVISION,
  objectAt,
  parseRevision,
  prefersProblem,
  RELATED_TASK_KEY,
  stringAt,
} from "@recourse/core/wire";
import type { Call } from "../call/call.ts";
import { callerDialect } from "../call/caller.ts";
import { ENDPOINT_METHODS } from "../edge/cors.ts";

/** A fault as it is sent. */
export interface FaultAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** What a model reads of it: the text of the result, the message of the error, or the detail of the problem. */
  readonly text: string;
  /** The JSON-RPC error or the result, if the answer is one of them. */
  readonly wire: { readonly error?: { readonly code: number }; readonly result?: Readonly<Record<string, unknown>> };
}

/** What the answer says beside the fault. */
interface EncodeOptions {
  /** `WWW-Authenticate` for the faults that need it. */
  readonly challenge: (fault: Fault) => string | undefined;
  /** ISO time. */
  readonly at: string;
}

/** Headers of a problem document that only it has, or that are written elsewhere. */
const HEADERS_OF_EDGE: ReadonlySet<string> = new Set(["content-type", "www-authenticate"]);

/** Writes a fault for the era and the dialect of its caller: within the protocol once the message is known to be in order. */
export function encodeFault(call: Call, fault: Fault, options: EncodeOptions): FaultAnswer {
  const challenge = options.challenge(fault);
  // Some dialects answer every call of a tool with a result.
  const isAnswered = call.isAccepted || (call.isRefusedCall && callerDialect(call)?.envelope !== undefined);
  const isWithin = isAnswered && call.id !== undefined && challenge === undefined;
  if (isWithin) return withinProtocol(call, fault, options);
  return atEdge(call, fault, challenge);
}

/** A failed call: a tool result if a tool was called, else a JSON-RPC error. */
function withinProtocol(call: Call, fault: Fault, { at }: EncodeOptions): FaultAnswer {
  const sent = call.message?.method ?? (call.isRefusedCall ? "tools/call" : "unknown");
  // The failure of a task is reported like the failure of its tool.
  const method = call.isTaskResult ? "tools/call" : sent;
  const revision = call.revision ?? LATEST_REVISION;
  const tool = routedTool(call);
  const place = {
    method,
    context: { _meta: call.message?.meta ?? {} },
    // A tool that does not exist has no schema.
    ...(fault.reason === "tool/not_found" && { outputSchema: false }),
    ...(tool !== undefined && { ...(tool.name !== "" && { tool: tool.name }), outputSchema: tool.hasOutputSchema }),
  };
  const dialect = callerDialect(call);
  const now = () => Date.parse(at);
  const { error, result } = writeReply(
    fault,
    place,
    { testing: { clock: { now } }, ...(dialect !== undefined && { dialect }) },
    revision,
  );
  const status = mcpHttpStatus(fault, { method, revision });
  const headers = { "content-type": "application/json", ...waitHeaders(fault) };
  if (error !== undefined) {
    return { status, headers, body: response(call.id, "error", error), text: error.message ?? "", wire: { error } };
  }
  // A result of the newer era says of which type it is.
  const complete = hasResultTypes(revision) ? { resultType: "complete", ...result } : (result ?? {});
  const typed = sent === "tasks/result" ? withRelatedTask(call, complete) : complete;
  const body = response(call.id, "result", typed);
  return { status: 200, headers, body, text: contentText(typed), wire: { result: typed } };
}

/** A request that was refused before its message was known to be in order. */
function atEdge(call: Call, fault: Fault, challenge: string | undefined): FaultAnswer {
  const status = call.status ?? edgeStatus(fault);
  const problem = http.encode(fault);
  const headers: Record<string, string> = { "cache-control": "no-store" };
  for (const [name, value] of Object.entries(problem.headers)) if (!HEADERS_OF_EDGE.has(name)) headers[name] = value;
  if (challenge !== undefined) headers["www-authenticate"] = challenge;
  if (fault.reason === "protocol/http_method") headers["allow"] = ENDPOINT_METHODS.join(", ");
  if (prefersProblem(call.origin.head.header("accept") ?? null)) {
    headers["content-type"] = "application/problem+json";
    const body = JSON.stringify({ ...problem.body, status });
    return { status, headers, body, text: stringAt(problem.body, "detail") ?? "", wire: {} };
  }
  headers["content-type"] = "application/json";
  const dialect = callerDialect(call);
  const { message } = call;
  const error = writeEdgeError(fault, dialect === undefined ? {} : { dialect }, {
    revision: call.revision ?? parseRevision(call.origin.head.header("mcp-protocol-version")),
    ...(message !== undefined && { request: { method: message.method, meta: message.meta ?? {} } }),
  });
  // All refusals of credentials look alike, whatever was read before.
  const id = knownKind(fault) === "unauthenticated" ? undefined : call.id;
  return { status, headers, body: response(id, "error", error), text: error.message ?? "", wire: { error } };
}

/** The texts of a tool result, as a model reads them. */
function contentText(result: Readonly<Record<string, unknown>>): string {
  const blocks = arrayAt(result, "content") ?? [];
  return blocks.map((block) => stringAt(block, "text") ?? "").join("\n");
}

function response(id: string | undefined, member: "error" | "result", value: object): string {
  const head = id === undefined ? '{"jsonrpc":"2.0"' : `{"jsonrpc":"2.0","id":${id}`;
  return `${head},"${member}":${JSON.stringify(value)}}`;
}

/** The tool that the answer is about. */
function routedTool({ route, isTaskResult }: Call) {
  if (route?.kind !== "upstream") return undefined;
  return isTaskResult ? route.task?.tool : route.tool;
}

/** The result of a task names it, since nothing else in the result does. */
function withRelatedTask(
  { route }: Call,
  result: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const taskId = route?.kind === "upstream" ? route.task?.id : undefined;
  if (taskId === undefined) return result;
  return { ...result, _meta: { ...objectAt(result, "_meta"), [RELATED_TASK_KEY]: { taskId } } };
}

function waitHeaders(fault: Fault): Record<string, string> {
  const [first] = fault.recourse;
  const waitMs = first.do === "retry" ? (first.afterMs ?? fault.retry?.afterMs) : undefined;
  return waitMs === undefined ? {} : { "retry-after": String(Math.ceil(waitMs / 1_000)) };
}

/**
 * Whether a fault is an incident. It is one if an upstream failed or the gateway has a bug. Calls that the gateway
 * itself refuses are not incidents: a limit, a store or an issuer that is down, an open breaker, a missing approval.
 * The switch that caused the refusals is one. Nothing is an incident before the caller is known: otherwise anyone could
 * write into the store.
 */
export function isGatewayIncident(
  call: Pick<Call, "caller" | "reply" | "judged" | "textHidden">,
  fault: Fault,
): boolean {
  const { caller, reply, judged, textHidden } = call;
  // Refused credentials are one constant fault, whatever refused them and why.
  if (caller === undefined || knownKind(fault) === "unauthenticated") return false;
  // Such a call was refused because of a failure of before.
  const wasAsked = reply !== undefined && !(reply.kind === "failed" && reply.isOld === true);
  const hasFailed = (judged !== undefined && wasAsked) || knownKind(fault) === "internal";
  return hasFailed && shouldReport(fault, { textHidden });
}
