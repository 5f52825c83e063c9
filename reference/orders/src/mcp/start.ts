import type { Adapter, AdapterOptions } from "@recourse/bridge";
import type { Sink } from "@recourse/faults/server";
import { type ListenAddress, listen, type RunningServer, readHosts } from "@recourse/reference-shared";
import { postgresOrders } from "../postgres/adapter.ts";
import { restOrders } from "../rest/adapter.ts";
import { createHandler } from "./handler.ts";

/** The two adapters. Each is served at its own path: `/postgres` and `/rest`. */
export const ADAPTER_NAMES = ["postgres", "rest"] as const;
/** The name of an adapter. */
export type AdapterName = (typeof ADAPTER_NAMES)[number];

/** Options of the MCP server. */
export interface StartServerOptions extends ListenAddress {
  readonly databaseUrl: string;
  /** The address of the REST service, and the key of this server. */
  readonly service: { readonly url: string; readonly key: string };
  /**
   * The names that the server is reached by. Requests for other hosts, and of pages of other hosts, are refused.
   *
   * @default those of this machine for itself
   */
  readonly hosts?: readonly string[];
  /**
   * How long a statement may take, in ms.
   *
   * @default 2_000
   */
  readonly statementTimeoutMs?: number;
  /**
   * Receives incidents.
   *
   * @default standard error
   */
  readonly sink?: Sink;
  /**
   * Options of both adapters.
   *
   * @default {}
   */
  readonly adapter?: AdapterOptions;
}

/** Starts the MCP server. It serves the same tools twice: on the database and on the REST service. */
export async function startServer(options: StartServerOptions): Promise<RunningServer> {
  const { sink, hosts = readHosts() } = options;
  const shared = { hosts, ...(sink && { sink }) };
  const adapters = createAdapters(options);
  const handlers = {
    postgres: createHandler(adapters.postgres, shared),
    rest: createHandler(adapters.rest, shared),
  };
  const handle = async (request: Request, extra: object) => {
    const [, first] = new URL(request.url).pathname.split("/");
    const name = ADAPTER_NAMES.find((one) => one === first);
    return name === undefined ? new Response(null, { status: 404 }) : handlers[name].fetch(request, extra);
  };
  return listen(handle, options, async () => {
    for (const name of ADAPTER_NAMES) {
      await handlers[name].close();
      await adapters[name].close();
    }
  });
}

function createAdapters(options: StartServerOptions): Readonly<Record<AdapterName, Adapter>> {
  const { databaseUrl: url, service, statementTimeoutMs, sink } = options;
  const withSink = sink && { sink };
  const adapterOptions = { ...options.adapter, ...withSink };
  return {
    postgres: postgresOrders.create(
      { url, ...(statementTimeoutMs !== undefined && { statementTimeoutMs }) },
      adapterOptions,
    ),
    // The service runs on this machine, and no other private address may be reached.
    rest: restOrders.create({ ...service, ...withSink, allowPrivate: ["127.0.0.0/8"] }, adapterOptions),
  };
}
