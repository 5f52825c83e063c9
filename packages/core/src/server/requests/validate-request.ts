// The SDK's own checks of parameters answer with a validator's dump, under a code that blames the server. So the shape is
// checked before the SDK does.

import type { Fault, Issue, Origin } from "../../fault/fault.ts";
import { nearestNames } from "../../fault/suggestions.ts";
import { invalid_reference } from "../../reasons/library/completion.ts";
import { invalid_encoding } from "../../reasons/library/content.ts";
import { invalid_cursor } from "../../reasons/library/pagination.ts";
import { not_found as prompt_not_found } from "../../reasons/library/prompt.ts";
import { invalid_params, malformed_call } from "../../reasons/library/protocol.ts";
import { invalid_uri, uri_syntax } from "../../reasons/library/resource.ts";
import { not_found as tool_not_found } from "../../reasons/library/tool.ts";
import { knowsFromRegistry, type SdkRequest, type SdkServer } from "../../sdk/server.ts";
import { isObject, type JsonObject, memberAt, toPointer } from "../../wire/json.ts";

type ParamCheck = (params: JsonObject) => Issue | undefined;

const isTextParam = (value: unknown): value is string => typeof value === "string";

/** The issue of a member that must be a text. */
function textIssue(params: JsonObject, name: string, expected?: string): Issue | undefined {
  return isTextParam(params[name]) ? undefined : shapeIssue(params, name, expected);
}

/** The issue of a member that, if it is there, must fit. */
function optionalIssue(
  params: JsonObject,
  name: string,
  expected: string,
  fits: (value: unknown) => boolean,
): Issue | undefined {
  return params[name] === undefined || fits(params[name]) ? undefined : shapeIssue(params, name, expected);
}

function shapeIssue(params: JsonObject, name: string, expected?: string): Issue {
  const rule = params[name] === undefined ? "required" : "type";
  return { pointer: toPointer([name]), rule, ...(expected !== undefined && { expected }) };
}

const pageIssue: ParamCheck = (params) => optionalIssue(params, "cursor", "a cursor", isTextParam);
const uriIssue: ParamCheck = (params) => textIssue(params, "uri", "a string");

const LOG_LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

/** The issue of a member that must be there and fit. */
function memberIssue(
  params: JsonObject,
  name: string,
  expected: string,
  fits: (value: unknown) => boolean,
): Issue | undefined {
  return fits(params[name]) ? undefined : shapeIssue(params, name, expected);
}

const isClientInfo = (value: unknown): boolean =>
  isObject(value) && isTextParam(value["name"]) && isTextParam(value["version"]);

/** What the parameters of each method must look like. */
const PARAM_SHAPES: Readonly<Record<string, ParamCheck>> = {
  initialize: (params) =>
    textIssue(params, "protocolVersion", "a string") ??
    memberIssue(params, "capabilities", "an object", isObject) ??
    memberIssue(params, "clientInfo", "an object with name and version", isClientInfo),
  "logging/setLevel": (params) =>
    memberIssue(params, "level", `one of ${LOG_LEVELS.join(", ")}`, (level) => LOG_LEVELS.includes(level as string)),
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
      (value) => isObject(value) && Object.values(value).every(isTextParam),
    ),
  "resources/read": uriIssue,
  "resources/subscribe": uriIssue,
  "resources/unsubscribe": uriIssue,
  "completion/complete": (params) => {
    const { ref, argument } = params;
    if (!isReference(ref)) return shapeIssue(params, "ref");
    const isArgument = isObject(argument) && isTextParam(argument["name"]) && isTextParam(argument["value"]);
    return isArgument ? undefined : shapeIssue(params, "argument", "an object with name and value");
  },
};

/** What a completion can be for, and the member that names it. */
const REFERENCES: Readonly<Record<string, string>> = { "ref/prompt": "name", "ref/resource": "uri" };

function isReference(value: unknown): boolean {
  if (!isObject(value) || !isTextParam(value["type"]) || !Object.hasOwn(REFERENCES, value["type"])) return false;
  return isTextParam(value[REFERENCES[value["type"]] ?? ""]);
}

/** What is wrong with the shape of the parameters. */
export function paramsFault(method: string, params: unknown): Fault | undefined {
  const check = Object.hasOwn(PARAM_SHAPES, method) ? PARAM_SHAPES[method] : undefined;
  if (check === undefined) return undefined;
  if (params !== undefined && !isObject(params)) return malformedFault(method, []);
  const issue = check(params ?? {});
  return issue && malformedFault(method, [issue]);
}

/** What is wrong with a request, before anything of the server runs; undefined if nothing is. */
export function requestFault(request: SdkRequest, server: SdkServer): Fault | undefined {
  const { method } = request;
  const malformed = paramsFault(method, request.params);
  if (malformed !== undefined) return malformed;
  const { name, uri } = request.params ?? {};
  if (method === "resources/read") {
    return knowsFromRegistry(server, "resources") ? resourceUriFault(String(uri), server) : undefined;
  }
  if (typeof name !== "string") return undefined;
  // If the SDK has no handler of its own, its registry does not decide.
  if (method === "tools/call" && knowsFromRegistry(server, "tools")) {
    const { _registeredTools: tools } = server;
    return isRegistered(tools, name) ? undefined : tool_not_found.fault({ tool: name }, candidates(tools, name));
  }
  if (method === "prompts/get" && knowsFromRegistry(server, "prompts")) {
    const { _registeredPrompts: prompts } = server;
    return isRegistered(prompts, name)
      ? undefined
      : prompt_not_found.fault({ prompt: name }, candidates(prompts, name));
  }
  return undefined;
}

/**
 * Whether the called tool has an output schema; undefined if that is not known. A tool that is not listed has none,
 * whether or not it is registered: the two must look alike.
 */
export function hasOutputSchema({ method, params }: SdkRequest, server: SdkServer): boolean | undefined {
  if (method !== "tools/call" || !knowsFromRegistry(server, "tools")) return undefined;
  const { _registeredTools: tools } = server;
  const name = String(params?.["name"]);
  return isRegistered(tools, name) && tools[name]?.outputSchema !== undefined;
}

/** What is wrong with a URI. One that the server has under this very name is served, whatever escapes it has. */
function resourceUriFault(uri: string, { _registeredResources: known = {} }: SdkServer): Fault | undefined {
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
function isRegistered(registry: Registry, name: string): boolean {
  return Object.hasOwn(registry, name) && registry[name]?.enabled !== false;
}

function candidates(registry: Registry, name: string) {
  return nearCandidates(
    name,
    Object.keys(registry).filter((one) => isRegistered(registry, one)),
  );
}

/** What to call in place of a name that does not exist, if something listed is near. */
export function nearCandidates(name: string, listed: readonly string[]) {
  const near = nearestNames(name, listed);
  return near.length === 0 ? {} : { recourse: [{ do: "choose_another", candidates: near }] as const };
}

/** A `%` that two hexadecimal digits do not follow. */
const BROKEN_ESCAPE = /%(?![\da-f]{2})/i;
const SCHEME = /^[a-z][a-z\d+.-]*:/i;

/** What is wrong with the form of a URI that no resource has; undefined if nothing is. */
export function uriFault(uri: string, about: { readonly origin?: Origin } = {}): Fault | undefined {
  if (URL.canParse(uri) && !BROKEN_ESCAPE.test(uri)) return undefined;
  return SCHEME.test(uri) ? uri_syntax.fault({}, about) : invalid_uri.fault({ uri, reason: "missing_scheme" }, about);
}

const REPLACEMENT = "\ufffd";
const REPLACEMENT_BYTES = [0xef, 0xbf, 0xbd];

/** The fault of bytes that are not UTF-8, with the place of the first wrong byte. */
export function encodingFault(bytes: Uint8Array): Fault {
  const position = wrongByteAt(bytes);
  return invalid_encoding.fault({ encoding: "utf-8", ...(position !== undefined && { position }) });
}

/** Where the first sequence begins that is not UTF-8. A decoder replaces it, and leaves a replacement that was sent. */
function wrongByteAt(bytes: Uint8Array): number | undefined {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const encoder = new TextEncoder();
  let position = 0;
  let from = 0;
  for (let at = text.indexOf(REPLACEMENT); at !== -1; at = text.indexOf(REPLACEMENT, from)) {
    position += encoder.encode(text.slice(from, at)).length;
    if (REPLACEMENT_BYTES.some((byte, index) => bytes[position + index] !== byte)) return position;
    position += REPLACEMENT_BYTES.length;
    from = at + 1;
  }
  return undefined;
}

const FREE_PARTS: Readonly<Record<string, (params: unknown) => unknown>> = {
  "tools/call": (params) => memberAt(params, "arguments"),
  "prompts/get": (params) => memberAt(params, "arguments"),
  "resources/read": (params) => memberAt(params, "uri"),
  "resources/subscribe": (params) => memberAt(params, "uri"),
  "resources/unsubscribe": (params) => memberAt(params, "uri"),
  "completion/complete": (params) => [
    memberAt(memberAt(params, "argument"), "value"),
    memberAt(memberAt(params, "context"), "arguments"),
  ],
};

/** What a caller sent with a request: its arguments, or the address that it asked for. */
export function callerInput({ method, params }: SdkRequest): unknown {
  return Object.hasOwn(FREE_PARTS, method) ? FREE_PARTS[method]?.(params) : undefined;
}
