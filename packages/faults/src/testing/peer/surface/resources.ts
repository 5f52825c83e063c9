import { once } from "node:events";
import { connect, createServer } from "node:net";
import { type Json, objectAt, stringAt } from "../../../dialects/wire.ts";
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
import { missing } from "./calling.ts";
import { pageOf } from "./pages.ts";
import type { Context, Method } from "./world.ts";

/** One resource of the peer. */
interface Resource {
  readonly name: string;
  readonly subscribable?: boolean;
  /** The permission that its readers need. */
  readonly permission?: string;
  readonly read: (context: Context) => Promise<string> | string;
}

const RESOURCES: Readonly<Record<string, Resource>> = {
  "mcp://config": { name: "config", subscribable: true, read: () => "colour = blue" },
  "mcp://manual": { name: "manual", read: () => "Read me." },
  "mcp://vault": { name: "vault", permission: "read:protected", read: () => "treasure" },
  // Its reader has a bug.
  "mcp://broken": { name: "broken", read: () => (undefined as unknown as string).trim() },
  // Its reader waits for something that does not come.
  "mcp://slow": { name: "slow", read: ({ signal }) => wait(3_600_000, signal).then(() => "") },
  // Its reader fetches it from a host that hangs up.
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

function uriOf({ ask }: Context): string {
  const uri = stringAt(ask.params, "uri");
  if (uri === undefined) throw missing("uri");
  if (!/^[A-Za-z][A-Za-z0-9+.-]*:/.test(uri)) throw invalid_uri({ uri, reason: "missing_scheme" });
  if (/[\s<>"{}|\\^`]|%(?![0-9A-Fa-f]{2})/.test(uri)) throw uri_syntax();
  return uri;
}

function resourceOf(context: Context): { readonly uri: string; readonly resource: Resource } {
  const uri = uriOf(context);
  const resource = Object.hasOwn(RESOURCES, uri) ? RESOURCES[uri] : undefined;
  if (resource === undefined) throw not_found({ uri });
  return { uri, resource };
}

const list: Method = (context) =>
  pageOf(
    context,
    "resources",
    Object.entries(RESOURCES).map(([uri, { name }]) => ({ uri, name })),
  );

const listTemplates: Method = (context) =>
  pageOf(
    context,
    "resourceTemplates",
    Object.keys(TEMPLATES).map((uriTemplate) => ({ uriTemplate, name: uriTemplate })),
  );

const read: Method = async (context) => {
  const { uri, resource } = resourceOf(context);
  const { permission } = resource;
  if (permission !== undefined && !context.who.permissions.includes(permission))
    throw access_denied({ uri, requiredPermission: permission });
  return { contents: [{ uri, mimeType: "text/plain", text: await resource.read(context) }] };
};

/** Fills in a template that the client names. */
const render: Method = ({ ask }) => {
  const uriTemplate = stringAt(ask.params, "uriTemplate") ?? "";
  const text = Object.hasOwn(TEMPLATES, uriTemplate) ? TEMPLATES[uriTemplate] : undefined;
  if (text === undefined) throw template_not_found({ uriTemplate });
  const values = objectAt(ask.params, "arguments") ?? {};
  const fill = (pattern: string) =>
    pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const value = stringAt(values, name);
      if (value === undefined) throw template_render_failed({ uriTemplate, reason: `missing_variable: ${name}` });
      return value;
    });
  return { contents: [{ uri: fill(uriTemplate), mimeType: "text/plain", text: fill(text) }] };
};

const subscribe: Method = (context) => {
  const { uri, resource } = resourceOf(context);
  const { subscribed } = context.session;
  if (resource.subscribable !== true) throw subscription_failed({ uri, reason: "not_subscribable" });
  if (subscribed.has(uri)) throw subscription_failed({ uri, reason: "already_subscribed" });
  subscribed.add(uri);
  return {};
};

const unsubscribe: Method = (context) => {
  context.session.subscribed.delete(uriOf(context));
  return {};
};

/** Changes a resource, and tells those who subscribed to it. */
const touch: Method = (context) => {
  const { uri } = resourceOf(context);
  const message: Json = { jsonrpc: "2.0", method: "notifications/resources/updated", params: { uri } };
  for (const { subscribed, stream } of context.world.sessions.values()) {
    if (!subscribed.has(uri)) continue;
    if (stream === undefined)
      throw notification_failed({ notificationType: "resources/updated", reason: "subscriber_not_found" });
    stream(message);
  }
  return {};
};

export const RESOURCE_METHODS = {
  "resources/list": list,
  "resources/templates/list": listTemplates,
  "resources/templates/render": render,
  "resources/read": read,
  "resources/subscribe": subscribe,
  "resources/unsubscribe": unsubscribe,
  "resources/touch": touch,
} as const satisfies Record<string, Method>;
