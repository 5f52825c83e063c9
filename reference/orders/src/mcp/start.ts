import type { Adapter, AdapterOptions } from "@recourse/bridge";
import type { Sink } from "@recourse/faults/server";
import { type Listening, listen, type Place } from "@recourse/reference-ground";
import { postgresOrders } from "../postgres/adapter.ts";
import { restOrders } from "../rest/adapter.ts";
import { createHandler } from "./handler.ts";

/** The two adapters, which are also the two addresses: `/postgres` and `/rest`. */
export const ADAPTERS = ["postgres", "rest"] as const;
/** One of them. */
export type AdapterName = (typeof ADAPTERS)[number];

/** What the MCP server needs to run. */
export interface ServerSetting extends Place {
  readonly databaseUrl: string;
  /** Where the service is, and the key to it. */
  readonly service: { readonly url: string; readonly key: string };
  /** How long a statement may take. */
  readonly answerMs?: number;
  /** Where incidents go; standard error by default. */
  readonly sink?: Sink;
  readonly adapter?: AdapterOptions;
}

/** Starts the MCP server: the same tools twice, once on the database and once on the service. */
export async function startServer(setting: ServerSetting): Promise<Listening> {
  const { sink } = setting;
  const adapters = createAdapters(setting);
  const handlers = {
    postgres: createHandler(adapters.postgres, sink && { sink }),
    rest: createHandler(adapters.rest, sink && { sink }),
  };
  const handle = async (request: Request) => {
    const [, first] = new URL(request.url).pathname.split("/");
    const name = ADAPTERS.find((one) => one === first);
    return name === undefined ? new Response(null, { status: 404 }) : handlers[name].fetch(request);
  };
  return listen(handle, setting, async () => {
    for (const name of ADAPTERS) {
      await handlers[name].close();
      await adapters[name].close();
    }
  });
}

function createAdapters(setting: ServerSetting): Readonly<Record<AdapterName, Adapter>> {
  const { databaseUrl: url, service, answerMs, sink } = setting;
  const told = sink && { sink };
  const options = { ...setting.adapter, ...told };
  return {
    postgres: postgresOrders.create({ url, ...(answerMs !== undefined && { answerMs }) }, options),
    // The service runs beside this server, which is the only private address that it may reach.
    rest: restOrders.create({ ...service, ...told, allowPrivate: ["127.0.0.0/8"] }, options),
  };
}
