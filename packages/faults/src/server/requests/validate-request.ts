import type { Fault } from "../../fault/fault.ts";
import { nearestNames } from "../../fault/suggestions.ts";
import { isObject, type JsonObject } from "../../json/read.ts";
import { invalid_reference } from "../../reasons/library/completion.ts";
import { invalid_cursor } from "../../reasons/library/pagination.ts";
import { not_found as prompt_not_found } from "../../reasons/library/prompt.ts";
import { invalid_params, malformed_call } from "../../reasons/library/protocol.ts";
import { invalid_uri } from "../../reasons/library/resource.ts";
import { not_found as tool_not_found } from "../../reasons/library/tool.ts";
import type { SdkRequest, SdkServer } from "../../sdk/server.ts";

// The SDK's own checks of parameters answer with a validator's dump, under a code that blames the server. So the shape is
// checked before the SDK does.

type Check = (params: JsonObject) => boolean;

const isText = (value: unknown): value is string => typeof value === "string";
const isOptional = (value: unknown, check: (value: unknown) => boolean): boolean => value === undefined || check(value);
const isPage: Check = ({ cursor }) => isOptional(cursor, isText);

/** What the parameters of each method must look like. */
const SHAPES: Readonly<Record<string, Check>> = {
  "tools/list": isPage,
  "prompts/list": isPage,
  "resources/list": isPage,
  "resources/templates/list": isPage,
  "tools/call": ({ name, arguments: args }) => isText(name) && isOptional(args, isObject),
  "prompts/get": ({ name, arguments: args }) =>
    isText(name) && isOptional(args, (value) => isObject(value) && Object.values(value).every(isText)),
  "resources/read": ({ uri }) => isText(uri),
  "resources/subscribe": ({ uri }) => isText(uri),
  "resources/unsubscribe": ({ uri }) => isText(uri),
  "completion/complete": ({ ref, argument }) =>
    isReference(ref) && isObject(argument) && isText(argument["name"]) && isText(argument["value"]),
};

/** What a completion can be for, and the member that names it. */
const REFERENCES: Readonly<Record<string, string>> = { "ref/prompt": "name", "ref/resource": "uri" };

function isReference(value: unknown): boolean {
  if (!isObject(value) || !isText(value["type"]) || !Object.hasOwn(REFERENCES, value["type"])) return false;
  return isText(value[REFERENCES[value["type"]] ?? ""]);
}

function isWellFormed(method: string, params: unknown): boolean {
  const check = Object.hasOwn(SHAPES, method) ? SHAPES[method] : undefined;
  return check === undefined || (isOptional(params, isObject) && check((params as JsonObject | undefined) ?? {}));
}

/** What is wrong with a request, before anything of the server runs; undefined where nothing is. */
export function requestFaultOf(request: SdkRequest, server: SdkServer): Fault | undefined {
  const { method } = request;
  if (!isWellFormed(method, request.params)) return malformedFault(method, request.params);
  const { name, uri } = request.params ?? {};
  if (method === "resources/read" && !URL.canParse(String(uri))) return invalid_uri.fault();
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

function malformedFault(method: string, params: SdkRequest["params"]): Fault {
  if (method.endsWith("/list")) return invalid_cursor.fault();
  if (method === "completion/complete" && !isReference(params?.["ref"])) return invalid_reference.fault();
  return (method === "tools/call" ? malformed_call : invalid_params).fault();
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
