// The resources of the server, their templates and subscriptions.

import { completion, prompt as promptReasons, resource as resourceReasons } from "@recourse/core/reasons";
import { type JsonObject, objectAt, stringAt } from "@recourse/core/wire";
import { type MethodContext, type MethodHandler, missingParameter, paginate } from "./state.ts";

interface PeerResource {
  readonly name: string;
  readonly subscribable?: boolean;
  readonly text: string;
}

const PEER_RESOURCES: Readonly<Record<string, PeerResource>> = {
  "mcp://config": { name: "config", subscribable: true, text: "colour = blue" },
  "mcp://manual": { name: "manual", text: "Read me." },
};

const URI_TEMPLATES: Readonly<Record<string, string>> = { "logs://{date}": "Logs of {date}." };

function uriOf({ request }: MethodContext): string {
  const uri = stringAt(request.params, "uri");
  if (uri === undefined) throw missingParameter("uri");
  if (!/^[A-Za-z][A-Za-z0-9+.-]*:/.test(uri)) throw resourceReasons.invalid_uri({ uri, reason: "missing_scheme" });
  if (/[\s<>"{}|\\^`]|%(?![0-9A-Fa-f]{2})/.test(uri)) throw resourceReasons.uri_syntax();
  return uri;
}

function resourceOf(context: MethodContext): { readonly uri: string; readonly resource: PeerResource } {
  const uri = uriOf(context);
  const resource = Object.hasOwn(PEER_RESOURCES, uri) ? PEER_RESOURCES[uri] : undefined;
  if (resource === undefined) throw resourceReasons.not_found({ uri });
  return { uri, resource };
}

const listResources: MethodHandler = (context) =>
  paginate(
    context,
    "resources",
    Object.entries(PEER_RESOURCES).map(([uri, { name }]) => ({ uri, name })),
  );

const listTemplates: MethodHandler = (context) =>
  paginate(
    context,
    "resourceTemplates",
    Object.keys(URI_TEMPLATES).map((uriTemplate) => ({ uriTemplate, name: uriTemplate })),
  );

const readResource: MethodHandler = (context) => {
  const { uri, resource } = resourceOf(context);
  return { contents: [{ uri, mimeType: "text/plain", text: resource.text }] };
};

const subscribe: MethodHandler = (context) => {
  const { uri, resource } = resourceOf(context);
  const { subscribed } = context.session;
  if (resource.subscribable !== true) throw resourceReasons.subscription_failed({ uri, reason: "not_subscribable" });
  if (subscribed.has(uri)) throw resourceReasons.subscription_failed({ uri, reason: "already_subscribed" });
  subscribed.add(uri);
  return {};
};

const unsubscribe: MethodHandler = (context) => {
  context.session.subscribed.delete(uriOf(context));
  return {};
};

/** Changes a resource and notifies its subscribers. */
const touchResource: MethodHandler = (context) => {
  const { uri } = resourceOf(context);
  const message: JsonObject = { jsonrpc: "2.0", method: "notifications/resources/updated", params: { uri } };
  for (const { subscribed, notify } of context.state.sessions.values()) {
    if (subscribed.has(uri)) notify?.(message);
  }
  return {};
};

export const RESOURCE_METHODS = {
  "resources/list": listResources,
  "resources/templates/list": listTemplates,
  "resources/read": readResource,
  "resources/subscribe": subscribe,
  "resources/unsubscribe": unsubscribe,
  "resources/touch": touchResource,
} as const satisfies Record<string, MethodHandler>;

// The prompts of the server, and the completion of their arguments.

/** A prompt: its arguments, each with the values to choose from, and the template of its text. */
interface Prompt {
  readonly arguments: Readonly<Record<string, readonly string[]>>;
  readonly text: string;
}

const PROMPTS: Readonly<Record<string, Prompt>> = {
  write_essay: { arguments: { topic: ["rain", "rivers", "roads"] }, text: "Write about {topic}." },
};

function promptAt(name: string): Prompt | undefined {
  return Object.hasOwn(PROMPTS, name) ? PROMPTS[name] : undefined;
}

const listPrompts: MethodHandler = (context) =>
  paginate(
    context,
    "prompts",
    Object.entries(PROMPTS).map(([name, prompt]) => ({
      name,
      arguments: Object.keys(prompt.arguments).map((argument) => ({ name: argument, required: true })),
    })),
  );

const getPrompt: MethodHandler = ({ request }) => {
  const name = stringAt(request.params, "name") ?? "";
  const prompt = promptAt(name);
  if (prompt === undefined) throw promptReasons.not_found({ prompt: name });
  const values = objectAt(request.params, "arguments") ?? {};
  for (const argument of Object.keys(prompt.arguments))
    if (stringAt(values, argument) === undefined) throw promptReasons.argument_missing({ prompt: name, argument });
  const text = prompt.text.replaceAll(/\{(\w+)\}/g, (_, slot: string) => stringAt(values, slot) ?? "");
  return { messages: [{ role: "user", content: { type: "text", text } }] };
};

const completeArgument: MethodHandler = ({ request }) => {
  const reference = objectAt(request.params, "ref");
  const name = stringAt(reference, "name");
  if (stringAt(reference, "type") !== "ref/prompt" || name === undefined) throw completion.invalid_reference();
  const prompt = promptAt(name);
  if (prompt === undefined) throw completion.not_found();
  const argument = objectAt(request.params, "argument");
  const wanted = stringAt(argument, "name") ?? "";
  const source = Object.hasOwn(prompt.arguments, wanted) ? prompt.arguments[wanted] : undefined;
  if (source === undefined) throw completion.invalid_argument();
  const start = stringAt(argument, "value") ?? "";
  return {
    completion: { values: source.filter((value) => value.startsWith(start)) },
  } satisfies JsonObject;
};

export const PROMPT_METHODS = {
  "prompts/list": listPrompts,
  "prompts/get": getPrompt,
  "completion/complete": completeArgument,
} as const satisfies Record<string, MethodHandler>;
