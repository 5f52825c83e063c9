// The MCP server with both adapters and the REST service, on real ports, with a real database and cables in between.
import type { AdapterOptions } from "@recourse/bridge";
import type { Incident } from "@recourse/faults/server";
import type { RunningServer } from "@recourse/reference-shared";
import { createMigratedDatabase } from "@recourse/reference-shared/testing";
import { type FlakyProxy, flakyProxy } from "@recourse/test-kit/network";
import type { TestDatabase } from "@recourse/test-kit/postgres";
import { startServer } from "../../src/mcp/start.ts";
import { startService } from "../../src/service/start.ts";
import { observe } from "./observers.ts";

export const KEY = "key-of-the-server-for-the-service";
const HERE = { host: "127.0.0.1", port: 0 };

export interface TestEnvironment {
  readonly server: RunningServer;
  readonly service: RunningServer;
  readonly database: TestDatabase;
  /** From the PostgreSQL adapter, and from the service, to the database. */
  readonly databaseProxy: FlakyProxy;
  /** From the REST adapter to the service. */
  readonly serviceProxy: FlakyProxy;
  readonly incidents: Incident[];
  close(): Promise<void>;
}

export interface TestEnvironmentOptions {
  /**
   * Options of both adapters.
   *
   * @default adapters that are never down, so that each failure is observed
   */
  readonly adapter?: AdapterOptions;
  /**
   * The key that the REST adapter sends.
   *
   * @default the right key
   */
  readonly key?: string;
  /**
   * How long a statement may take, in ms.
   *
   * @default 1_500, long enough for a busy machine, short enough for a test
   */
  readonly statementTimeoutMs?: number;
}

export async function createTestEnvironment({
  adapter = NEVER_DOWN,
  key = KEY,
  statementTimeoutMs = 1_500,
}: TestEnvironmentOptions = {}): Promise<TestEnvironment> {
  const database = await createMigratedDatabase(new URL("../../", import.meta.url));
  const databaseProxy = await flakyProxy(database.url);
  const databaseUrl = databaseProxy.url;
  const service = await startService({ ...HERE, databaseUrl, statementTimeoutMs, key: KEY });
  const serviceProxy = await flakyProxy(service.url);
  const incidents: Incident[] = [];
  const sink = (one: Incident) => incidents.push(one);
  const options = { service: { url: serviceProxy.url, key }, sink, adapter };
  const server = await startServer({ ...HERE, ...options, databaseUrl, statementTimeoutMs });
  const environment: TestEnvironment = {
    server,
    service,
    database,
    databaseProxy,
    serviceProxy,
    incidents,
    close: async () => {
      await server.close();
      await serviceProxy.close();
      await service.close();
      await databaseProxy.close();
      await database.drop();
    },
  };
  // The backends start with their first call.
  const toolCall = { tool: "get_order", args: { order_id: "ORD-1001" } };
  for (const name of ["postgres", "rest"] as const)
    await observe("plain HTTP", server.url, { ...toolCall, adapter: name });
  return environment;
}

const NEVER_DOWN: AdapterOptions = { breaker: { failures: Number.POSITIVE_INFINITY } };
