// Starts the server: creates and migrates the database, listens, and ends cleanly on a signal.

import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { registerSecrets } from "@recourse/faults";
import { createDatabase, migrate, tokenBuckets } from "@recourse/reference-shared";
import { createTokens } from "./access/tokens.ts";
import { createApp } from "./app.ts";
import { readConfig } from "./config.ts";
import { openDatabase } from "./database.ts";
import { serveApp } from "./http/serve-app.ts";

const config = readConfig(process.env);
if ("problem" in config) {
  console.error(config.problem);
  process.exit(1);
}
const { databaseUrl, tokenSecret, publicUrl, callsPerMinute, host, port } = config;
registerSecrets(databaseUrl, new URL(databaseUrl).password, ...(typeof tokenSecret === "string" ? [tokenSecret] : []));

if (await createDatabase(databaseUrl)) console.error("created the database");
for (const file of await migrate(databaseUrl, { folder: new URL("../", import.meta.url), seeds: config.seeds }))
  console.error(`applied ${file}`);

const database = openDatabase({ url: databaseUrl });
const limiter = tokenBuckets({ calls: callsPerMinute, windowMs: 60_000 });
const app = createApp({ database, tokens: createTokens(tokenSecret), limiter, publicUrl });
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
