import { toSentFault } from "../../fault/amend.ts";
import type { Fault, Param } from "../../fault/fault.ts";
import { type Kind, knownKind } from "../../fault/kinds.ts";
import { not_found } from "../../reasons/library/resource.ts";
import { failed as tool_failed } from "../../reasons/library/tool.ts";
import { render } from "../../render/render.ts";
import { arrayAt, type JsonObject, memberAt, objectAt, stringAt } from "../../wire/json.ts";
import { FAULT_KEY } from "../../wire/names.ts";
import { FIXED_STATUS, hasResultTypes, LATEST_REVISION, LEGAL_CODES, type Revision } from "../../wire/revisions.ts";
import { createDecoder } from "../define.ts";
import type { DecodeContext, Dialect, EncodeContext } from "../dialect.ts";
import { firstText, type ReplyParts, splitReply } from "../envelope.ts";
import { readPeerFault } from "../peer-fault.ts";
import { MCP_REASON_BY_CODE, readRpcError } from "../rpc.ts";
import { calledTool, LOOK_BEFORE_REPEATING, peerQuote } from "../sentence.ts";

/** Options for writing a fault for MCP. */
export interface McpContext extends EncodeContext {
  /** The negotiated protocol revision. @default the newest */
  readonly revision?: Revision | undefined;
}

/** Codes for single reasons, in order of preference. The first that the revision allows is written. */
const CODES_BY_REASON: Readonly<Record<string, readonly number[]>> = {
  "protocol/parse_error": [-32700],
  "protocol/method_not_found": [-32601],
  "protocol/header_mismatch": [-32020, -32600],
  "protocol/missing_client_capability": [-32021, -32602],
  "protocol/version_unsupported": [-32022, -32602],
  "protocol/malformed_call": [-32602],
  "protocol/request_state_invalid": [-32602],
  "elicitation/url_required": [-32042],
  "tool/not_found": [-32602],
  "tool/unreachable": [-32602],
  "resource/not_found": [-32002, -32602],
};

/** The code of each kind outside tool calls. MCP has few codes, so most kinds are internal errors to it. */
const CODE_BY_KIND = {
  invalid_input: -32602,
  invalid_request: -32600,
  unauthenticated: -32603,
  forbidden: -32603,
  approval_required: -32603,
  rate_limited: -32603,
  overloaded: -32603,
  timeout: -32603,
  unavailable: -32603,
  upstream_failed: -32603,
  not_found: -32602,
  conflict: -32603,
  precondition_failed: -32603,
  unsupported: -32603,
  quota_exhausted: -32603,
  cancelled: -32603,
  internal: -32603,
  unknown: -32603,
} as const satisfies Record<Kind, number>;

/**
 * The JSON-RPC code that a fault is written with; undefined means a tool result.
 * A failed tool and wrong arguments are tool results in every revision, because clients show those to the model.
 */
function mcpCodeFor(fault: Fault, context: McpContext): number | undefined {
  const legal = LEGAL_CODES[context.revision ?? LATEST_REVISION];
  const own = CODES_BY_REASON[fault.reason]?.find((code) => legal.includes(code));
  // A tool that did not find a resource has run. Only a request for the resource itself gets the resource's code.
  const ran = context.method === "tools/call" && fault.reason === "resource/not_found";
  if (own !== undefined && !ran) return own;
  const kind = knownKind(fault);
  const ofTool = context.method === undefined || context.method === "tools/call";
  // A malformed MCP message never reached the tool. A tool that sent something malformed elsewhere has run.
  const reached = kind !== "invalid_request" || !/^(?:protocol|content)\//.test(fault.reason);
  return ofTool && reached ? undefined : CODE_BY_KIND[kind];
}

/** The HTTP status that the revision requires for a fault; 200 if it requires none. */
export function mcpHttpStatus(fault: Fault, context: McpContext): number {
  const code = mcpCodeFor(fault, context);
  return (code === undefined ? undefined : FIXED_STATUS[context.revision ?? LATEST_REVISION][code]) ?? 200;
}

/** A tool result or a JSON-RPC error. `status` is set if the revision requires an HTTP status other than 200. */
export type McpWire =
  | { readonly result: JsonObject }
  | {
      readonly error: { readonly code: number; readonly message: string; readonly data: JsonObject };
      readonly status?: number;
    };

/** Writes a fault as the tool result or JSON-RPC error that revision and method require. */
function encodeMcp(fault: Fault, context: McpContext = {}): McpWire {
  const code = mcpCodeFor(fault, context);
  if (code === undefined) return { result: failedResult(fault, context) };
  const status = FIXED_STATUS[context.revision ?? LATEST_REVISION][code];
  const error = { code, message: mcpErrorMessage(fault, context), data: mcpErrorData(fault, code) };
  return status === undefined ? { error } : { error, status };
}

/** Requests that models make. All others are made by the host. */
const METHODS_OF_MODELS: readonly string[] = ["tools/call", "resources/read", "prompts/get"];

/** Hosts show their model the message of an error and nothing else, so it says what to do next. */
function mcpErrorMessage(fault: Fault, { method = "tools/call" }: McpContext): string {
  if (!METHODS_OF_MODELS.includes(method)) return fault.message;
  // The next reader recognises a bare error by its URI alone, and must not take more for words of this server.
  const uri = isBareMissingResource(fault) ? String(fault.params?.["uri"]) : undefined;
  return render(uri === undefined ? fault : not_found.fault({ uri }), { for: "model" });
}

function failedResult(fault: Fault, context: McpContext): JsonObject {
  return {
    ...(hasResultTypes(context.revision ?? LATEST_REVISION) && { resultType: "complete" }),
    content: [{ type: "text", text: render(fault, { for: "model" }) }],
    isError: true,
    _meta: { [FAULT_KEY]: toSentFault(fault) },
  };
}

/** Checks whether `data` is only the URI of a missing resource. The official client recognises no other data. */
function isBareMissingResource(fault: Fault): boolean {
  const known = typeof fault.params?.["uri"] === "string" && fault.effect === "none" && fault.basis !== "guessed";
  return fault.reason === "resource/not_found" && known;
}

function mcpErrorData(fault: Fault, code: number): JsonObject {
  if (isBareMissingResource(fault)) return { uri: fault.params?.["uri"] };
  return { ...requiredData(fault, code), [FAULT_KEY]: toSentFault(fault) };
}

function requiredData(fault: Fault, code: number): JsonObject {
  if (code === -32021) {
    return { requiredCapabilities: capabilityTree(onlyStrings(fault.params?.["capabilities"])) };
  }
  if (code === -32022) {
    return { supported: onlyStrings(fault.params?.["supported"]), requested: fault.params?.["requested"] ?? "" };
  }
  if (code === -32042) return { elicitations: listElicitations(fault) };
  return {};
}

/** The link for the user. MCP requires an id for each. */
function listElicitations(fault: Fault): JsonObject[] {
  const move = fault.recourse.find(({ link }) => link !== undefined);
  const url = move?.link;
  if (url === undefined) return [];
  return [{ mode: "url", elicitationId: move?.approval ?? fault.incident ?? url, url, message: fault.message }];
}

/** The object form of capability names, in which `elicitation/form` is a capability inside another. */
function capabilityTree(paths: readonly string[]): JsonObject {
  const parts = paths.map((path) => /^([^/]*)\/?(.*)$/s.exec(path) ?? []);
  const groups = Map.groupBy(parts, ([, name = ""]) => name);
  return Object.fromEntries(
    [...groups].map(([name, inner]) => [
      name,
      Object.fromEntries(inner.flatMap(([, , within = ""]) => (within === "" ? [] : [[within, {}]]))),
    ]),
  );
}

function onlyStrings(param: Param | undefined): string[] {
  return Array.isArray(param) ? param.filter((one) => typeof one === "string") : [];
}

/** Reads a tool result or a JSON-RPC error of any revision. */
export function decodeMcp(wire: unknown, context: DecodeContext = {}): Fault | undefined {
  const { result, error } = splitReply(wire);
  // A failed result may have an error object of its own, which is not the JSON-RPC error.
  if (result?.["isError"] === true) return faultInResult(result, context) ?? faultFromText(result, context);
  return error === undefined ? undefined : readRpcError(error, context);
}

/** Reads only a fault that was sent as JSON, in a result or in an error. */
export function decodeEmbeddedFault(wire: unknown, context: DecodeContext = {}): Fault | undefined {
  const { result, error } = splitReply(wire);
  if (result?.["isError"] === true) return faultInResult(result, context);
  return readPeerFault(memberAt(error?.data, FAULT_KEY), context);
}

/** Recognises a code of MCP. A code that other systems use too needs the data that MCP requires beside it. */
export function isMcpError({ result, error }: ReplyParts, context: DecodeContext): boolean {
  if (error === undefined || result?.["isError"] === true || MCP_REASON_BY_CODE[error.code] === undefined) return false;
  const hasData = REQUIRED_DATA[error.code];
  return hasData === undefined || hasData(error.data, context);
}

/** The data that tells a code of MCP from the same code of another system. */
const REQUIRED_DATA: Readonly<Record<number, (data: unknown, context: DecodeContext) => boolean>> = {
  [-32002]: (data, { method }) => stringAt(data, "uri") !== undefined || method === "resources/read",
  [-32021]: (data) => objectAt(data, "requiredCapabilities") !== undefined,
  [-32022]: (data) => arrayAt(data, "supported").length > 0,
  [-32042]: (data) => arrayAt(data, "elicitations").length > 0,
};

function faultInResult(result: JsonObject, context: DecodeContext): Fault | undefined {
  return (
    readPeerFault(memberAt(result["_meta"], FAULT_KEY), context) ??
    readPeerFault(objectAt(result["structuredContent"], "fault"), context)
  );
}

/** A failed tool that explains itself with a text only. */
function faultFromText(result: JsonObject, context: DecodeContext): Fault {
  return tool_failed.fault(calledTool(context), {
    ...context,
    recourse: LOOK_BEFORE_REPEATING,
    ...peerQuote(firstText(result)),
    basis: "mapped",
  });
}

/**
 * MCP itself, revisions 2025-06-18, 2025-11-25 and 2026-07-28: the fault travels beside the members that every client
 * reads, in `_meta` of a tool result or in `data` of a JSON-RPC error.
 *
 * A reader gets the same failure. The message of a library reason is composed again, that of any other reason becomes a
 * quotation of the server. A missing resource loses more: its `data` is exactly the URI, so nothing but URI, effect and basis
 * survive.
 *
 * @example
 * import { tool } from "@recourse/faults/reasons";
 * import { mcp } from "@recourse/faults/dialects";
 *
 * const { fault } = tool.timeout({ tool: "search", timeoutMs: 30_000 });
 * const wire = mcp.encode(fault, { method: "tools/call", revision: "2025-11-25" });
 * // { result: { content: [{ type: "text", text: "…" }], isError: true, _meta: { "recourse/fault": { … } } } }
 * mcp.decode(wire); // the same fault
 */
export const mcp: Dialect<McpWire, McpContext> = { name: "mcp", encode: encodeMcp, decode: createDecoder(decodeMcp) };
