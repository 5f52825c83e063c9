// Starts the two servers: creates and migrates the database, listens, and ends cleanly on a signal.

import { randomUUID } from "node:crypto";
import { registerSecrets } from "@recourse/faults";
import { stderrSink } from "@recourse/faults/server";
import { createDatabase, migrate, tokenBuckets } from "@recourse/reference-shared";
import { startMcp, startRest } from "./app.ts";
import { readConfig } from "./config.ts";
import { openDatabase } from "./database.ts";
import { fileJournal } from "./mcp/journal.ts";

const config = readConfig(process.env);
if ("problem" in config) {
  console.error(config.problem);
  process.exit(1);
}
const { databaseUrl, callsPerMinute, host, ports, journalFile } = config;
registerSecrets(databaseUrl, new URL(databaseUrl).password);

if (await createDatabase(databaseUrl)) console.error("created the database");
for (const file of await migrate(databaseUrl, { folder: new URL("../", import.meta.url), seeds: config.seeds }))
  console.error(`applied ${file}`);

const database = openDatabase({ url: databaseUrl });
const limiter = tokenBuckets({ calls: callsPerMinute, windowMs: 60_000 });
const shared = { sink: stderrSink(), now: Date.now };
const rest = await startRest({ ...shared, database, limiter, newId: randomUUID }, { host, port: ports.rest });
const journal = journalFile === undefined ? undefined : fileJournal(journalFile, Date.now);
const mcp = await startMcp({ ...shared, api: rest.url, journal, hosts: config.hosts }, { host, port: ports.mcp });
console.error(`REST at ${rest.url}/v1, its document at ${rest.url}/openapi.json, MCP at ${mcp.url}/mcp`);

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    void mcp
      .close()
      .then(() => rest.close())
      .then(() => database.close());
  });
}
