import { createServer, type Server } from "node:http";
import { type Dispatcher, Pool } from "undici";

/** The leanest proxy: `Pool.dispatch` with a handler, bodies whole. */
export function createLeanProxy(target: URL): Server {
  const pool = new Pool(target.origin, { connections: 64 });
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const sent: Buffer[] = [];
    request.on("data", (chunk: Buffer) => sent.push(chunk));
    request.on("end", () => {
      const received: Buffer[] = [];
      let status = 502;
      let type = "";
      const handler: Dispatcher.DispatchHandler = {
        onRequestStart() {},
        onResponseStart(_controller, statusCode, headers) {
          status = statusCode;
          type = String(headers["content-type"] ?? "");
        },
        onResponseData(_controller, chunk) {
          received.push(chunk);
        },
        onResponseEnd() {
          const body = received.length === 1 ? (received[0] as Buffer) : Buffer.concat(received);
          response.writeHead(status, { "content-type": type, "content-length": body.length });
          response.end(body);
        },
        onResponseError() {
          response.writeHead(502).end();
        },
      };
      const headers = {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": request.headers["mcp-protocol-version"] ?? "",
        "mcp-method": request.headers["mcp-method"] ?? "",
        "mcp-name": request.headers["mcp-name"] ?? "",
      };
      const body = sent.length === 1 ? (sent[0] as Buffer) : Buffer.concat(sent);
      pool.dispatch({ path: target.pathname, method: "POST", headers, body }, handler);
    });
  });
  return server.on("close", () => void pool.destroy());
}
