import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";

/** A request of Node as a `Request` whose body is still a stream, so that a server can refuse it before it is read. */
export function webRequest(incoming: IncomingMessage): Request {
  const init = { method: incoming.method, headers: incoming.headers as Record<string, string>, duplex: "half" };
  const body = incoming.method === "POST" ? { body: Readable.toWeb(incoming) } : {};
  return new Request("http://127.0.0.1/mcp", { ...init, ...body } as RequestInit);
}
