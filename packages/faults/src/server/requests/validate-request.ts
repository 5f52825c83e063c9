import type { Fault, Issue } from "../../fault/fault.ts";
import { toPointer } from "../../fault/pointer.ts";
import { nearestNames } from "../../fault/suggestions.ts";
import { isObject, type JsonObject } from "../../json/read.ts";
import { invalid_reference } from "../../reasons/library/completion.ts";
import { invalid_cursor } from "../../reasons/library/pagination.ts";
import { not_found as prompt_not_found } from "../../reasons/library/prompt.ts";
import { invalid_params, malformed_call } from "../../reasons/library/protocol.ts";
import { not_found as tool_not_found } from "../../reasons/library/tool.ts";
import type { SdkRequest, SdkServer } from "../../sdk/server.ts";
import { uriFault } from "./uri-fault.ts";

// The SDK's own checks of parameters answer with a validator's dump, under a code that blames the server. So the shape is
// checked before the SDK does.

type Check = (params: JsonObject) => Issue | undefined;

const isText = (value: unknown): value is string => typeof value === "string";

/** The issue of a member that must be a text. */
function textIssue(params: JsonObject, name: string, expected?: string): Issue | undefined {
  return isText(params[name]) ? undefined : issueOf(params, name, expected);
}

/** The issue of a member that, if it is there, must fit. */
function optionalIssue(
  params: JsonObject,
  name: string,
  expected: string,
  fits: (value: unknown) => boolean,
): Issue | undefined {
  return params[name] === undefined || fits(params[name]) ? undefined : issueOf(params, name, expected);
}

function issueOf(params: JsonObject, name: string, expected?: string): Issue {
  const rule = params[name] === undefined ? "required" : "type";
  return { pointer: toPointer([name]), rule, ...(expected !== undefined && { expected }) };
}

const pageIssue: Check = (params) => optionalIssue(params, "cursor", "a cursor", isText);
const uriIssue: Check = (params) => textIssue(params, "uri", "a string");

const LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

/** The issue of a member that must be there and fit. */
function memberIssue(
  params: JsonObject,
  name: string,
  expected: string,
  fits: (value: unknown) => boolean,
): Issue | undefined {
  return fits(params[name]) ? undefined : issueOf(params, name, expected);
}

const isClientInfo = (value: unknown): boolean => isObject(value) && isText(value["name"]) && isText(value["version"]);

/** What the parameters of each method must look like. */
const SHAPES: Readonly<Record<string, Check>> = {
  initialize: (params) =>
    textIssue(params, "protocolVersion", "a string") ??
    memberIssue(params, "capabilities", "an object", isObject) ??
    memberIssue(params, "clientInfo", "an object with name and version", isClientInfo),
  "logging/setLevel": (params) =>
    memberIssue(params, "level", `one of ${LEVELS.join(", ")}`, (level) => LEVELS.includes(level as string)),
  "tools/list": pageIssue,
  "prompts/list": pageIssue,
  "resources/list": pageIssue,
  "resources/templates/list": pageIssue,
  "tools/call": (params) =>
    textIssue(params, "name", "the name of a tool") ?? optionalIssue(params, "arguments", "an object", isObject),
  "prompts/get": (params) =>
    textIssue(params, "name", "the name of a prompt") ??
    optionalIssue(
      params,
      "arguments",
      "an object of strings",
      (value) => isObject(value) && Object.values(value).every(isText),
    ),
  "resources/read": uriIssue,
  "resources/subscribe": uriIssue,
  "resources/unsubscribe": uriIssue,
  "completion/complete": (params) => {
    const { ref, argument } = params;
    if (!isReference(ref)) return issueOf(params, "ref");
    const isArgument = isObject(argument) && isText(argument["name"]) && isText(argument["value"]);
    return isArgument ? undefined : issueOf(params, "argument", "an object with name and value");
  },
};

/** What a completion can be for, and the member that names it. */
const REFERENCES: Readonly<Record<string, string>> = { "ref/prompt": "name", "ref/resource": "uri" };

function isReference(value: unknown): boolean {
  if (!isObject(value) || !isText(value["type"]) || !Object.hasOwn(REFERENCES, value["type"])) return false;
  return isText(value[REFERENCES[value["type"]] ?? ""]);
}

/** What is wrong with the shape of the parameters. */
export function shapeFault(method: string, params: unknown): Fault | undefined {
  const check = Object.hasOwn(SHAPES, method) ? SHAPES[method] : undefined;
  if (check === undefined) return undefined;
  if (params !== undefined && !isObject(params)) return malformedFault(method, []);
  const issue = check(params ?? {});
  return issue && malformedFault(method, [issue]);
}

/** What is wrong with a request, before anything of the server runs; undefined where nothing is. */
export function requestFaultOf(request: SdkRequest, server: SdkServer): Fault | undefined {
  const { method } = request;
  const malformed = shapeFault(method, request.params);
  if (malformed !== undefined) return malformed;
  const { name, uri } = request.params ?? {};
  if (method === "resources/read") return readFaultOf(String(uri), server);
  if (typeof name !== "string") return undefined;
  // Where the SDK has no handler of its own, its registry does not decide.
  if (method === "tools/call" && server._toolHandlersInitialized !== false) {
    const { _registeredTools: tools } = server;
    return isListed(tools, name) ? undefined : tool_not_found.fault({ tool: name }, candidates(tools, name));
  }
  if (method === "prompts/get" && server._promptHandlersInitialized !== false) {
    const { _registeredPrompts: prompts } = server;
    return isListed(prompts, name) ? undefined : prompt_not_found.fault({ prompt: name }, candidates(prompts, name));
  }
  return undefined;
}

/**
 * Whether the called tool has an output schema; undefined where that is not known. A tool that is not listed has none,
 * whether or not it is registered: the two must look alike.
 */
export function hasOutputSchema({ method, params }: SdkRequest, server: SdkServer): boolean | undefined {
  if (method !== "tools/call" || server._toolHandlersInitialized === false) return undefined;
  const { _registeredTools: tools } = server;
  const name = String(params?.["name"]);
  return isListed(tools, name) && tools[name]?.outputSchema !== undefined;
}

/** What is wrong with a URI. One that the server has under this very name is served, whatever escapes it has. */
function readFaultOf(uri: string, { _registeredResources: known = {} }: SdkServer): Fault | undefined {
  return URL.canParse(uri) && Object.hasOwn(known, uri) ? undefined : uriFault(uri);
}

function malformedFault(method: string, issues: readonly Issue[]): Fault {
  if (method.endsWith("/list")) return invalid_cursor.fault({}, { issues });
  const isOfReference = issues.some(({ pointer }) => pointer === "/ref");
  if (isOfReference) return invalid_reference.fault();
  return (method === "tools/call" ? malformed_call : invalid_params).fault({}, { issues });
}

type Registry = Readonly<Record<string, { readonly enabled?: boolean }>>;

/** Unknown and disabled look alike; what every object inherits is not a tool. */
function isListed(registry: Registry, name: string): boolean {
  return Object.hasOwn(registry, name) && registry[name]?.enabled !== false;
}

function candidates(registry: Registry, name: string) {
  const listed = Object.keys(registry).filter((one) => isListed(registry, one));
  const near = nearestNames(name, listed);
  return near.length === 0 ? {} : { recourse: [{ do: "choose_another", candidates: near }] as const };
}
