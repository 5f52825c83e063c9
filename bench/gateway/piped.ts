import { createServer, type Server } from "node:http";
import { Pool } from "undici";

const HOP_BY_HOP = new Set(["connection", "keep-alive", "transfer-encoding", "host"]);

/** The proxy that the aims are stated against: undici with piped streams, nothing else. */
export function createPipedProxy(target: URL): Server {
  const pool = new Pool(target.origin, { connections: 64 });
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const headers: Record<string, string | string[]> = {};
    for (const [name, value] of Object.entries(request.headers)) {
      if (value !== undefined && !HOP_BY_HOP.has(name)) headers[name] = value;
    }
    pool
      .request({ path: target.pathname, method: "POST", headers, body: request })
      .then(({ statusCode, headers: answered, body }) => {
        for (const name of HOP_BY_HOP) delete answered[name];
        response.writeHead(statusCode, answered);
        body.pipe(response);
      })
      .catch(() => response.writeHead(502).end());
  });
  return server.on("close", () => void pool.destroy());
}
