import {
  type JsonObject,
  LATEST_HANDSHAKE_REVISION,
  objectAt,
  parseJson,
  SseReader,
  stringAt,
} from "@recourse/core/wire";
import type { Peer } from "../src/peer/misbehave.ts";

type RawBody = string | Uint8Array<ArrayBuffer> | JsonObject;
type HeaderFields = Readonly<Record<string, string>>;

/** A client without checks: it sends any message over real HTTP and returns what came back. */
export interface RawClient {
  /** Sends a body unchanged; returns the last message that came back, or an empty object. */
  post(body: RawBody, headers?: HeaderFields): Promise<JsonObject>;
  /** Sends `initialize` and, if that succeeds, `notifications/initialized`. */
  initialize(): Promise<JsonObject>;
  /** Sends a request. */
  request(method: string, params?: JsonObject, headers?: HeaderFields): Promise<JsonObject>;
  /** Sends the request `tools/call`. `more` are further members of its parameters. */
  callTool(name: string, args?: JsonObject, more?: JsonObject): Promise<JsonObject>;
  /** Sends a notification. */
  notify(method: string, params?: JsonObject): Promise<JsonObject>;
  /** Advances the clock of the peer. */
  advanceClock(ms: number): void;
}

/** Creates a client for a peer. It has no session yet. */
export function createRawClient(peer: Pick<Peer, "url" | "advanceClock">): RawClient {
  let session: HeaderFields = {};
  let serial = 0;

  async function post(body: RawBody, headers: HeaderFields = {}): Promise<JsonObject> {
    const isRaw = typeof body === "string" || body instanceof Uint8Array;
    const response = await fetch(peer.url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: ACCEPT, ...session, ...headers },
      body: isRaw ? (body as string) : JSON.stringify(body),
    });
    const id = response.headers.get("mcp-session-id");
    if (id !== null) session = { "mcp-session-id": id };
    let last: JsonObject = {};
    for await (const message of messagesOf(response)) last = message;
    return last;
  }
  const request: RawClient["request"] = (method, params = {}, headers = {}) => {
    serial += 1;
    return post({ jsonrpc: "2.0", id: serial, method, params }, headers);
  };
  const notify: RawClient["notify"] = (method, params = {}) => post({ jsonrpc: "2.0", method, params });
  return {
    post,
    request,
    callTool: (name, args = {}, more = {}) => request("tools/call", { name, arguments: args, ...more }),
    notify,
    async initialize() {
      const clientInfo = { name: "raw-client", version: "1.0.0" };
      const reply = await request("initialize", {
        protocolVersion: LATEST_HANDSHAKE_REVISION,
        capabilities: {},
        clientInfo,
      });
      if (objectAt(reply, "result") !== undefined) await notify("notifications/initialized");
      return reply;
    },
    advanceClock: peer.advanceClock,
  };
}

const ACCEPT = "application/json, text/event-stream";

/** The messages of a response: one body, or a stream of events. */
async function* messagesOf(response: Response): AsyncGenerator<JsonObject> {
  if (stringAt(Object.fromEntries(response.headers), "content-type") !== "text/event-stream") {
    yield (parseJson(await response.text()) ?? {}) as JsonObject;
    return;
  }
  const messages: JsonObject[] = [];
  const events = new SseReader({
    onEvent: ({ data }) => messages.push(parseJson(new TextDecoder().decode(data)) as JsonObject),
  });
  for await (const piece of response.body ?? []) {
    events.push(piece);
    yield* messages.splice(0);
  }
}
