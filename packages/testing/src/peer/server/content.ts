// The resources of the server, their templates and subscriptions.

import { once } from "node:events";
import { connect, createServer } from "node:net";
import {
  completion,
  notification,
  prompt as promptReasons,
  resource as resourceReasons,
  transport,
} from "@recourse/faults";
import { type JsonObject, objectAt, stringAt } from "@recourse/wire";
import { wait } from "../clock.ts";
import { type MethodContext, type MethodHandler, missingParameter, paginate } from "./state.ts";

/** One resource. */
interface PeerResource {
  readonly name: string;
  readonly subscribable?: boolean;
  /** The permission that its readers need. */
  readonly permission?: string;
  readonly read: (context: MethodContext) => Promise<string> | string;
}

const PEER_RESOURCES: Readonly<Record<string, PeerResource>> = {
  "mcp://config": { name: "config", subscribable: true, read: () => "colour = blue" },
  "mcp://manual": { name: "manual", read: () => "Read me." },
  "mcp://vault": { name: "vault", permission: "read:protected", read: () => "treasure" },
  // Reading it runs into a bug.
  "mcp://broken": { name: "broken", read: () => (undefined as unknown as string).trim() },
  // Reading it never ends.
  "mcp://slow": { name: "slow", read: ({ signal }) => wait(3_600_000, signal).then(() => "") },
  // Reading it fetches from a host that resets the connection.
  "mcp://remote": { name: "remote", read: fetchRemote },
};

const URI_TEMPLATES: Readonly<Record<string, string>> = { "logs://{date}": "Logs of {date}." };

async function fetchRemote(): Promise<string> {
  const host = createServer((socket) => socket.resetAndDestroy()).listen(0, "127.0.0.1");
  try {
    await once(host, "listening");
    const { port } = host.address() as { port: number };
    const socket = connect(port, "127.0.0.1");
    await once(socket, "close");
    return "";
  } catch {
    throw transport.failed({ reason: "connection_reset" });
  } finally {
    host.close();
  }
}

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

const readResource: MethodHandler = async (context) => {
  const { uri, resource } = resourceOf(context);
  const { permission } = resource;
  if (permission !== undefined && !context.principal.permissions.includes(permission))
    throw resourceReasons.access_denied({ uri, requiredPermission: permission });
  return { contents: [{ uri, mimeType: "text/plain", text: await resource.read(context) }] };
};

/** Fills in a template that the client names. */
const renderTemplate: MethodHandler = ({ request }) => {
  const uriTemplate = stringAt(request.params, "uriTemplate") ?? "";
  const text = Object.hasOwn(URI_TEMPLATES, uriTemplate) ? URI_TEMPLATES[uriTemplate] : undefined;
  if (text === undefined) throw resourceReasons.template_not_found({ uriTemplate });
  const values = objectAt(request.params, "arguments") ?? {};
  const fill = (pattern: string) =>
    pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const value = stringAt(values, name);
      if (value === undefined)
        throw resourceReasons.template_render_failed({ uriTemplate, reason: `missing_variable: ${name}` });
      return value;
    });
  return { contents: [{ uri: fill(uriTemplate), mimeType: "text/plain", text: fill(text) }] };
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
    if (!subscribed.has(uri)) continue;
    if (notify === undefined)
      throw notification.failed({ notificationType: "resources/updated", reason: "subscriber_not_found" });
    notify(message);
  }
  return {};
};

export const RESOURCE_METHODS = {
  "resources/list": listResources,
  "resources/templates/list": listTemplates,
  "resources/templates/render": renderTemplate,
  "resources/read": readResource,
  "resources/subscribe": subscribe,
  "resources/unsubscribe": unsubscribe,
  "resources/touch": touchResource,
} as const satisfies Record<string, MethodHandler>;

// The prompts of the server, and the completion of their arguments.

/** A prompt: its arguments, each with the values to choose from, and the template of its text. */
interface Prompt {
  readonly arguments: Readonly<Record<string, () => readonly string[]>>;
  readonly text: string;
}

const PROMPTS: Readonly<Record<string, Prompt>> = {
  write_essay: { arguments: { topic: () => ["rain", "rivers", "roads"] }, text: "Write about {topic}." },
  // The template uses a value that is not an argument.
  broken: { arguments: {}, text: "Write about {nothing}." },
  // The source of the values has a bug.
  guess: { arguments: { number: () => (undefined as unknown as string[]).toSorted() }, text: "Guess {number}." },
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
  const text = prompt.text.replaceAll(/\{(\w+)\}/g, (_, slot: string) => {
    const value = stringAt(values, slot);
    if (value === undefined) throw promptReasons.render_failed();
    return value;
  });
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
    completion: { values: templateValues(source).filter((value) => value.startsWith(start)) },
  } satisfies JsonObject;
};

function templateValues(source: () => readonly string[]): readonly string[] {
  try {
    return source();
  } catch {
    throw completion.failed();
  }
}

export const PROMPT_METHODS = {
  "prompts/list": listPrompts,
  "prompts/get": getPrompt,
  "completion/complete": completeArgument,
} as const satisfies Record<string, MethodHandler>;
