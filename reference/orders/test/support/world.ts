// The MCP server with both adapters and the REST service, on real ports, with a real database and cables in between.

import type { AdapterOptions } from "@recourse/bridge";
import type { Incident } from "@recourse/faults/server";
import type { Listening } from "@recourse/reference-ground";
import { type Cable, createTestDatabase, layCable, type TestDatabase } from "@recourse/reference-ground/testing";
import { startServer } from "../../src/mcp/start.ts";
import { startService } from "../../src/service/start.ts";
import { observe } from "./observers.ts";

export const KEY = "key-of-the-server-for-the-service";
const HERE = { host: "127.0.0.1", port: 0 };
/** Long enough for a busy machine, short enough to be waited for. */
const ANSWER_MS = 1_500;

export interface World {
  readonly server: Listening;
  readonly service: Listening;
  readonly database: TestDatabase;
  /** From the PostgreSQL adapter, and from the service, to the database. */
  readonly databaseCable: Cable;
  /** From the REST adapter to the service. */
  readonly serviceCable: Cable;
  readonly incidents: Incident[];
  close(): Promise<void>;
}

export interface WorldOptions {
  /** Of both adapters; by default no number of failures makes them refuse calls, so that each failure is seen as it is. */
  readonly adapter?: AdapterOptions;
  /** What the REST adapter shows to the service. */
  readonly key?: string;
}

export async function createWorld({ adapter = NEVER_DOWN, key = KEY }: WorldOptions = {}): Promise<World> {
  const database = await createTestDatabase(new URL("../../", import.meta.url));
  const databaseCable = await layCable(database.url);
  const databaseUrl = databaseCable.url;
  const answerMs = ANSWER_MS;
  const service = await startService({ ...HERE, databaseUrl, answerMs, key: KEY });
  const serviceCable = await layCable(service.url);
  const incidents: Incident[] = [];
  const sink = (one: Incident) => incidents.push(one);
  const told = { service: { url: serviceCable.url, key }, sink, adapter };
  const server = await startServer({ ...HERE, ...told, databaseUrl, answerMs });
  const world: World = {
    server,
    service,
    database,
    databaseCable,
    serviceCable,
    incidents,
    close: async () => {
      await server.close();
      await serviceCable.close();
      await service.close();
      await databaseCable.close();
      await database.drop();
    },
  };
  // The backends start with their first call.
  const asking = { tool: "get_order", args: { order_id: "ORD-1001" } };
  for (const name of ["postgres", "rest"] as const)
    await observe("plain HTTP", server.url, { ...asking, adapter: name });
  return world;
}

const NEVER_DOWN: AdapterOptions = { degradedAfter: 1_000_000, downAfter: 1_000_000 };
