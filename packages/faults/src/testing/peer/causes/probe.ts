import { type Json, objectAt, parseJson, stringAt } from "../../../dialects/wire.ts";
import type { Peer } from "../misbehave.ts";

type Body = string | Uint8Array<ArrayBuffer> | Json;
type Headers = Readonly<Record<string, string>>;

/** A client without manners: it sends whatever it is told, over real HTTP, and gives back what came. */
export interface Probe {
  /** Sends a body as it is; gives the last message that came back, if any. */
  post(body: Body, headers?: Headers): Promise<Json>;
  /** Begins a session, up to the point where everything may be asked. */
  hello(options?: { readonly version?: string; readonly capabilities?: Json }): Promise<Json>;
  /** Sends a request. */
  ask(method: string, params?: Json, headers?: Headers): Promise<Json>;
  /** Sends a notification. */
  tell(method: string, params?: Json): Promise<Json>;
  /** Is told every message that comes before a reply; what it gives for a question is the answer to it. */
  listen(hear: (message: Json) => Json | undefined): void;
  /** Makes time pass at the peer. */
  pass(ms: number): void;
}

/** A probe that has not said hello yet. */
export function createProbe(peer: Pick<Peer, "url" | "pass">): Probe {
  let session: Headers = {};
  let serial = 0;
  let hear: (message: Json) => Json | undefined = () => undefined;

  async function post(body: Body, headers: Headers = {}): Promise<Json> {
    const plain = typeof body === "string" || body instanceof Uint8Array;
    const response = await fetch(peer.url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: ACCEPT, ...session, ...headers },
      body: plain ? (body as string) : JSON.stringify(body),
    });
    const id = response.headers.get("mcp-session-id");
    if (id !== null) session = { "mcp-session-id": id };
    let last: Json = {};
    for await (const message of messagesOf(response)) {
      const answer = message["method"] === undefined ? undefined : hear(message);
      if (answer !== undefined) await post({ jsonrpc: "2.0", id: message["id"], ...answer });
      last = message;
    }
    return last;
  }
  const ask: Probe["ask"] = (method, params = {}, headers = {}) => {
    serial += 1;
    return post({ jsonrpc: "2.0", id: serial, method, params }, headers);
  };
  const tell: Probe["tell"] = (method, params = {}) => post({ jsonrpc: "2.0", method, params });
  return {
    post,
    ask,
    tell,
    async hello({ version = "2025-11-25", capabilities = {} } = {}) {
      const clientInfo = { name: "probe", version: "1.0.0" };
      const reply = await ask("initialize", { protocolVersion: version, capabilities, clientInfo });
      if (objectAt(reply, "result") !== undefined) await tell("notifications/initialized");
      return reply;
    },
    listen(ear) {
      hear = ear;
    },
    pass: peer.pass,
  };
}

const ACCEPT = "application/json, text/event-stream";

/** The messages of a reply, whether it is one body or a stream of events. */
async function* messagesOf(response: Response): AsyncGenerator<Json> {
  if (stringAt(Object.fromEntries(response.headers), "content-type") !== "text/event-stream") {
    yield (parseJson(await response.text()) ?? {}) as Json;
    return;
  }
  let text = "";
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const events = `${text}${piece}`.split("\n\n");
    text = events.pop() ?? "";
    for (const one of events) {
      const data = one.split("\n").find((line) => line.startsWith("data: "));
      if (data !== undefined) yield parseJson(data.slice("data: ".length)) as Json;
    }
  }
}
