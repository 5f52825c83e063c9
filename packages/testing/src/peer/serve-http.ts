// The peer over HTTP: reads each request, and sends the correct reply or misbehaves.

import type { IncomingMessage, ServerResponse } from "node:http";
import { content } from "@recourse/core/reasons";
import { isObject, type JsonObject, numberAt, parseJson, stringAt } from "@recourse/core/wire";

import { type PeerRequest, parseBytes, parseClientMessage } from "./json-rpc.ts";
import { MISBEHAVIOURS, type MisbehaviourName } from "./misbehaviours/http.ts";
import { JSON_TYPE, openStream, streamEvent } from "./misbehaviours/http-exchange.ts";
import type { CompliantServer, CompliantServerOptions, ServerReply } from "./server/compliant-server.ts";
import type { TransportContext } from "./server/dispatch.ts";
import type { PlannedStep, StepQueue, StepSpec } from "./step-queue.ts";

// The control address of a peer over HTTP: how a program in any language sets the next steps and reads what was done.

export const CONTROL_PATH = "/control";

type Control = (incoming: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Longest body of an order. */
const MAX_ORDER_BYTES = 65_536;
const LAST_CALLS = 1_000;

/** Creates the control of a peer: GET tells what was done, POST sets the next steps or advances the clock. */
export function createControl(
  server: CompliantServer,
  steps: Pick<StepQueue<MisbehaviourName>, "next" | "clear">,
): Control {
  /** Carries an order out; returns what is wrong with it. */
  function obey(order: unknown): string | undefined {
    if (!isObject(order)) return "Send a JSON object.";
    const unknown = Object.keys(order).find((name) => !Object.hasOwn(ORDERS, name));
    if (unknown !== undefined) return `There is no order "${unknown}". Orders: ${Object.keys(ORDERS).join(", ")}.`;
    const wrong = Object.entries(order).find(([name, value]) => !ORDERS[name as keyof typeof ORDERS](value));
    if (wrong !== undefined) return `The value of "${wrong[0]}" has the wrong type.`;
    if (order["clear"] === true) steps.clear();
    const on = stringAt(order, "on");
    const { next = [] } = order;
    try {
      steps.next((Array.isArray(next) ? next : [next]) as StepSpec<MisbehaviourName>[], on === undefined ? {} : { on });
    } catch (thrown) {
      return thrown instanceof Error ? thrown.message : String(thrown);
    }
    server.state.clock.advance(numberAt(order, "advanceClockMs") ?? 0);
    return undefined;
  }

  return async (incoming, response) => {
    const answer = (status: number, body: JsonObject): void => {
      response.writeHead(status, JSON_TYPE).end(`${JSON.stringify(body)}\n`);
    };
    if (incoming.method !== "GET" && incoming.method !== "POST")
      return void response.writeHead(405, { allow: "GET, POST" }).end();
    if (incoming.method === "POST") {
      const problem = obey(parseJson(await readOrder(incoming)));
      if (problem !== undefined) return answer(400, { problem });
    }
    answer(200, { effects: server.state.effects.counts(), calls: server.received.slice(-LAST_CALLS) });
  };
}

const isStep = (value: unknown): boolean =>
  typeof value === "string" || (isObject(value) && typeof value["do"] === "string");

/** The orders, each with what its value must be. */
const ORDERS = {
  next: (value: unknown) => (Array.isArray(value) ? value.every(isStep) : isStep(value)),
  on: (value: unknown) => typeof value === "string",
  clear: (value: unknown) => typeof value === "boolean",
  advanceClockMs: (value: unknown) => Number.isSafeInteger(value),
} as const;

/** The body as text; empty if it is too long. */
async function readOrder(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= MAX_ORDER_BYTES) chunks.push(chunk);
  }
  return bytes <= MAX_ORDER_BYTES ? Buffer.concat(chunks).toString() : "";
}

const SESSION_HEADER = "mcp-session-id";

/** The header in which a request names the misbehaviour that it wants. */
export const MISBEHAVE_HEADER = "recourse-misbehave";

interface HttpHandlerOptions {
  readonly server: CompliantServer;
  readonly steps: StepQueue<MisbehaviourName>;
  readonly url: URL;
  readonly delayMs: number;
  readonly onArrival?: CompliantServerOptions["onArrival"];
  readonly control: Control;
  /** Aborted when the peer closes. */
  readonly closing: AbortSignal;
}

/** Creates a handler for the requests of a `node:http` server. */
export function createHttpHandler(
  options: HttpHandlerOptions,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { server, steps, url } = options;
  const { sessions, limits } = server.state;

  async function post(incoming: IncomingMessage, response: ServerResponse, signal: AbortSignal): Promise<void> {
    const writer = createReplyWriter(response);
    const session = singleHeader(incoming, SESSION_HEADER);
    let request: PeerRequest;
    try {
      request = parseClientMessage(parseBytes(await readMessageBody(incoming, limits.messageBytes)));
    } catch (thrown) {
      return writer.finish(server.replyToUnreadable(thrown));
    }
    const step = request.id === undefined ? undefined : steps.take(request, requestedMisbehaviour(incoming));
    const transport = {
      session,
      version: singleHeader(incoming, "mcp-protocol-version"),
      signal,
      onEffect: server.record(request, step?.do ?? "ok"),
    };
    if (step !== undefined) return misbehaveOverHttp(options, step, { request, response, transport });
    const { session: begun, ...reply } = await server.reply(request, { ...transport, send: writer.send });
    writer.finish(reply, begun === undefined ? {} : { [SESSION_HEADER]: begun });
  }

  return async (incoming, response) => {
    const disconnected = new AbortController();
    response.on("close", () => disconnected.abort());
    const signal = AbortSignal.any([disconnected.signal, options.closing]);
    const id = singleHeader(incoming, SESSION_HEADER) ?? "";
    // A request line may hold anything.
    const path = URL.parse(incoming.url ?? "/", url.href)?.pathname ?? "";
    if (path === CONTROL_PATH) return options.control(incoming, response);
    if (path === url.pathname && incoming.method === "POST") return post(incoming, response, signal);
    options.onArrival?.({ what: "http", method: incoming.method ?? "", path });
    if (path !== url.pathname) return void response.writeHead(404).end();
    const ended = incoming.method === "DELETE" && sessions.delete(id);
    response.writeHead(ended ? 200 : 405, ended ? {} : { allow: "POST" }).end();
  };
}

/** Carries a request out if the step says so, then misbehaves. */
async function misbehaveOverHttp(
  { server, url, delayMs }: HttpHandlerOptions,
  step: PlannedStep<MisbehaviourName>,
  {
    request,
    response,
    transport,
  }: {
    readonly request: PeerRequest;
    readonly response: ServerResponse;
    readonly transport: Omit<TransportContext, "send">;
  },
): Promise<void> {
  const misbehaviour = MISBEHAVIOURS[step.do];
  const cancel = new AbortController();
  const exchange = {
    request,
    response,
    url,
    delayMs: step.delayMs ?? delayMs,
    now: server.state.clock.now,
    signal: transport.signal,
    cancelled: cancel.signal,
  };
  // Messages before the reply are dropped: the misbehaviour alone writes to the connection.
  const reply =
    misbehaviour.commits || step.commit ? await server.reply(request, { ...transport, send: () => {} }) : undefined;
  // After a bad reply to `initialize` the client must still be able to go on.
  if (reply?.session !== undefined) response.setHeader(SESSION_HEADER, reply.session);
  const running = server.state.sessions.get(transport.session ?? "")?.running;
  if (request.id !== undefined) running?.set(request.id, cancel);
  try {
    if (misbehaviour.commits) await misbehaviour.act(exchange, reply?.message ?? {});
    else await misbehaviour.act(exchange);
  } finally {
    if (request.id !== undefined) running?.delete(request.id);
  }
}

/** Writes a correct reply: as JSON, or as the last event of a stream once a message was sent before it. */
function createReplyWriter(response: ServerResponse) {
  let isStreaming = false;
  return {
    send(message: JsonObject): void {
      if (!isStreaming) openStream({ response });
      isStreaming = true;
      response.write(streamEvent(message));
    },
    finish({ status, headers, message }: ServerReply, more: Readonly<Record<string, string>> = {}): void {
      if (isStreaming) {
        response.end(message === undefined ? "" : streamEvent(message));
        return;
      }
      const type = message === undefined ? {} : JSON_TYPE;
      response.writeHead(status, { ...type, ...headers, ...more });
      response.end(message === undefined ? "" : JSON.stringify(message));
    },
  };
}

/** Reads the body of a request; throws a fault when it is not JSON by its type, or too large. */
async function readMessageBody(incoming: IncomingMessage, maxSize: number): Promise<Buffer> {
  const [media = ""] = (incoming.headers["content-type"] ?? "").split(";");
  if (media.trim().toLowerCase() !== "application/json") {
    incoming.resume();
    throw content.invalid_type(media === "" ? {} : { contentType: media.trim() });
  }
  const chunks: Buffer[] = [];
  let actualSize = 0;
  // A body that is too large is read to its end: a client that is still writing would not read the reply.
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    actualSize += chunk.length;
    if (actualSize <= maxSize) chunks.push(chunk);
  }
  if (actualSize > maxSize) throw content.message_too_large({ actualSize, maxSize });
  return Buffer.concat(chunks);
}

/** The misbehaviour that a request asks for. A client in a redirect loop comes back with `?loop`. */
function requestedMisbehaviour(incoming: IncomingMessage): string | undefined {
  return incoming.url?.endsWith("?loop") === true ? "redirect-loop" : singleHeader(incoming, MISBEHAVE_HEADER);
}

function singleHeader(incoming: IncomingMessage, name: string): string | undefined {
  const value = incoming.headers[name];
  return typeof value === "string" ? value : undefined;
}
