import { FAULT_KEY, FIXED_STATUS, hasResultTypes, type JsonObject, LATEST_REVISION } from "@recourse/wire";
import { toSentFault } from "../../fault/amend.ts";
import type { Fault, Param } from "../../fault/fault.ts";
import { not_found } from "../../reasons/library/resource.ts";
import { render } from "../../render/render.ts";
import { type McpContext, mcpCodeFor } from "./table.ts";

/** A tool result or a JSON-RPC error. `status` is set if the revision requires an HTTP status other than 200. */
export type McpWire =
  | { readonly result: JsonObject }
  | {
      readonly error: { readonly code: number; readonly message: string; readonly data: JsonObject };
      readonly status?: number;
    };

/** Writes a fault as the tool result or JSON-RPC error that revision and method require. */
export function encodeMcp(fault: Fault, context: McpContext = {}): McpWire {
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

/** The members that MCP requires beside a code. */
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
