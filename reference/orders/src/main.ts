// Starts everything: creates and migrates the database, starts the REST service and the MCP server, and ends cleanly on a signal.

import { registerSecrets } from "@recourse/faults";
import { stderrSink } from "@recourse/faults/server";
import { createDatabase, migrate } from "@recourse/reference-shared";
import { readConfig } from "./config.ts";
import { startServer } from "./mcp/start.ts";
import { startService } from "./service/start.ts";

const config = readConfig(process.env);
if ("problem" in config) {
  console.error(config.problem);
  process.exit(1);
}
const { databaseUrl, host, port, hosts, servicePort, serviceKey: key } = config;
registerSecrets(databaseUrl, new URL(databaseUrl).password);

if (await createDatabase(databaseUrl)) console.error("created the database");
for (const file of await migrate(databaseUrl, { folder: new URL("../", import.meta.url), seeds: config.seeds }))
  console.error(`applied ${file}`);

// Only this server uses the service, so it listens on loopback.
const service = await startService({
  databaseUrl,
  key,
  host: "127.0.0.1",
  port: servicePort,
  onFailure: console.error,
});
const server = await startServer({
  databaseUrl,
  service: { url: service.url, key },
  host,
  port,
  hosts,
  sink: stderrSink(),
});
console.error(`MCP at ${server.url}/postgres and ${server.url}/rest, the REST service at ${service.url}/v1/orders`);

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    void server.close().then(() => service.close());
  });
}
