// The resources of the server, their templates and subscriptions.
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { type JsonObject, objectAt, stringAt } from "../../../json/read.ts";
import { failed as notification_failed } from "../../../reasons/library/notification.ts";
import {
  access_denied,
  invalid_uri,
  not_found,
  subscription_failed,
  template_not_found,
  template_render_failed,
  uri_syntax,
} from "../../../reasons/library/resource.ts";
import { failed as transport_failed } from "../../../reasons/library/transport.ts";
import { wait } from "../clock.ts";
import { missingParameter, pageOf } from "./params.ts";
import type { MethodContext, MethodHandler } from "./state.ts";

/** One resource. */
interface PeerResource {
  readonly name: string;
  readonly subscribable?: boolean;
  /** The permission that its readers need. */
  readonly permission?: string;
  readonly read: (context: MethodContext) => Promise<string> | string;
}

const RESOURCES: Readonly<Record<string, PeerResource>> = {
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

const TEMPLATES: Readonly<Record<string, string>> = { "logs://{date}": "Logs of {date}." };

async function fetchRemote(): Promise<string> {
  const host = createServer((socket) => socket.resetAndDestroy()).listen(0, "127.0.0.1");
  try {
    await once(host, "listening");
    const { port } = host.address() as { port: number };
    const socket = connect(port, "127.0.0.1");
    await once(socket, "close");
    return "";
  } catch {
    throw transport_failed({ reason: "connection_reset" });
  } finally {
    host.close();
  }
}

function uriOf({ request }: MethodContext): string {
  const uri = stringAt(request.params, "uri");
  if (uri === undefined) throw missingParameter("uri");
  if (!/^[A-Za-z][A-Za-z0-9+.-]*:/.test(uri)) throw invalid_uri({ uri, reason: "missing_scheme" });
  if (/[\s<>"{}|\\^`]|%(?![0-9A-Fa-f]{2})/.test(uri)) throw uri_syntax();
  return uri;
}

function resourceOf(context: MethodContext): { readonly uri: string; readonly resource: PeerResource } {
  const uri = uriOf(context);
  const resource = Object.hasOwn(RESOURCES, uri) ? RESOURCES[uri] : undefined;
  if (resource === undefined) throw not_found({ uri });
  return { uri, resource };
}

const listResources: MethodHandler = (context) =>
  pageOf(
    context,
    "resources",
    Object.entries(RESOURCES).map(([uri, { name }]) => ({ uri, name })),
  );

const listTemplates: MethodHandler = (context) =>
  pageOf(
    context,
    "resourceTemplates",
    Object.keys(TEMPLATES).map((uriTemplate) => ({ uriTemplate, name: uriTemplate })),
  );

const readResource: MethodHandler = async (context) => {
  const { uri, resource } = resourceOf(context);
  const { permission } = resource;
  if (permission !== undefined && !context.principal.permissions.includes(permission))
    throw access_denied({ uri, requiredPermission: permission });
  return { contents: [{ uri, mimeType: "text/plain", text: await resource.read(context) }] };
};

/** Fills in a template that the client names. */
const renderTemplate: MethodHandler = ({ request }) => {
  const uriTemplate = stringAt(request.params, "uriTemplate") ?? "";
  const text = Object.hasOwn(TEMPLATES, uriTemplate) ? TEMPLATES[uriTemplate] : undefined;
  if (text === undefined) throw template_not_found({ uriTemplate });
  const values = objectAt(request.params, "arguments") ?? {};
  const fill = (pattern: string) =>
    pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const value = stringAt(values, name);
      if (value === undefined) throw template_render_failed({ uriTemplate, reason: `missing_variable: ${name}` });
      return value;
    });
  return { contents: [{ uri: fill(uriTemplate), mimeType: "text/plain", text: fill(text) }] };
};

const subscribe: MethodHandler = (context) => {
  const { uri, resource } = resourceOf(context);
  const { subscribed } = context.session;
  if (resource.subscribable !== true) throw subscription_failed({ uri, reason: "not_subscribable" });
  if (subscribed.has(uri)) throw subscription_failed({ uri, reason: "already_subscribed" });
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
      throw notification_failed({ notificationType: "resources/updated", reason: "subscriber_not_found" });
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
