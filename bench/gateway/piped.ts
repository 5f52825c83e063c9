// The proxy that the aims are stated against: undici with piped streams, nothing else.
import { createServer } from "node:http";
import { Pool } from "undici";
import { reportPort } from "./report.ts";

const target = new URL(process.argv[2] ?? "");
const pool = new Pool(target.origin, { connections: 64 });
const HOP_BY_HOP = new Set(["connection", "keep-alive", "transfer-encoding", "host"]);

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
server.listen(0, "127.0.0.1", () => reportPort(server));
