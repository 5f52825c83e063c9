// Starts the server: prepares the database, listens, and ends cleanly when it is told to.

import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { protect } from "@recourse/faults";
import { createDatabase, migrate, tokenBuckets } from "@recourse/reference-ground";
import { tokensWith } from "./access/tokens.ts";
import { createApp } from "./app.ts";
import { readConfig } from "./config.ts";
import { openDatabase } from "./database.ts";
import { serveApp } from "./http/node.ts";

const config = readConfig(process.env);
if ("wrong" in config) {
  console.error(config.wrong);
  process.exit(1);
}
const { databaseUrl, tokenSecret, publicUrl, callsPerMinute, host, port } = config;
protect(databaseUrl, new URL(databaseUrl).password, ...(typeof tokenSecret === "string" ? [tokenSecret] : []));

if (await createDatabase(databaseUrl)) console.error("created the database");
for (const file of await migrate(databaseUrl, { folder: new URL("../", import.meta.url), seeds: config.seeds }))
  console.error(`applied ${file}`);

const database = openDatabase({ url: databaseUrl });
const limiter = tokenBuckets({ calls: callsPerMinute, windowMs: 60_000 });
const app = createApp({ database, tokens: tokensWith(tokenSecret), limiter, publicUrl });
const server = serveApp(app).listen(port, host);
await once(server, "listening");
console.error(`MCP at http://${host}:${(server.address() as AddressInfo).port}/mcp, REST at /v1, links at /01/{gtin}`);

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    server.close();
    server.closeAllConnections();
    void Promise.all([app.close(), database.close()]);
  });
}
