import type { IncomingMessage, ServerResponse } from "node:http";
import { aborted } from "../clock.ts";
import { type Incoming, readMessage } from "../message.ts";
import type { Script } from "../script.ts";
import { deliver } from "../surface/notifications.ts";
import type { MisbehaviourName } from "../wire/misbehaviours.ts";
import { event, openStream } from "../wire/turn.ts";
import { misdo, type Place, SESSION } from "./misdo.ts";
import { receive } from "./receive.ts";
import { createReplier } from "./replier.ts";

/** Where a request may say how it wants to be treated, besides `_meta`. */
const SWITCH = "recourse-misbehave";

/** Serves one HTTP request; `closing` ends what is still open. */
export function createServe(
  place: Place & { readonly script: Script<MisbehaviourName>; readonly closing: AbortSignal },
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { core, script, url } = place;
  const { sessions, limits } = core.world;

  async function post(request: IncomingMessage, response: ServerResponse, signal: AbortSignal): Promise<void> {
    const replier = createReplier(response);
    const session = headerOf(request, SESSION);
    let incoming: Incoming;
    try {
      incoming = readMessage(await receive(request, { maxBytes: limits.messageBytes }));
    } catch (thrown) {
      return replier.finish(core.refuse(thrown));
    }
    if (incoming.is === "answer") {
      deliver(sessions.get(session ?? ""), incoming.id, incoming.message);
      return void response.writeHead(202).end();
    }
    const { ask } = incoming;
    const plan = ask.id === undefined ? undefined : script.take(ask, switchOf(request));
    const facts = {
      session,
      version: headerOf(request, "mcp-protocol-version"),
      authorization: request.headers.authorization,
      signal,
      applied: core.record(ask, plan?.do ?? "ok"),
    };
    if (plan !== undefined) return misdo(place, plan, { ask, response, facts });
    const { session: begun, ...reply } = await core.reply(ask, { ...facts, send: replier.send });
    replier.finish(reply, begun === undefined ? {} : { [SESSION]: begun });
  }

  /** The stream that a client holds open for notifications. */
  async function listen(id: string, response: ServerResponse, signal: AbortSignal): Promise<void> {
    const session = sessions.get(id);
    if (session === undefined) return void response.writeHead(405, { allow: "POST" }).end();
    openStream({ response });
    session.stream = (message) => response.write(event(message));
    await aborted(signal);
    session.stream = undefined;
    response.end();
  }

  /** A client that was sent round in circles comes back with a mark. */
  function switchOf(request: IncomingMessage): string | undefined {
    return request.url?.endsWith("?loop") === true ? "redirect-loop" : headerOf(request, SWITCH);
  }

  return async (request, response) => {
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    const signal = AbortSignal.any([gone.signal, place.closing]);
    const id = headerOf(request, SESSION) ?? "";
    if (new URL(request.url ?? "/", url).pathname !== url.pathname) return void response.writeHead(404).end();
    if (request.method === "POST") return post(request, response, signal);
    if (request.method === "GET") return listen(id, response, signal);
    const ended = request.method === "DELETE" && sessions.delete(id);
    response.writeHead(ended ? 200 : 405, ended ? {} : { allow: "POST" }).end();
  };
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === "string" ? value : undefined;
}
