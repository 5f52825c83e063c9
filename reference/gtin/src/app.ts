import { core } from "@recourse/faults/reasons";
import type { Sink } from "@recourse/faults/server";
import type { Database, Fetch, Limiter } from "@recourse/reference-shared";
import { createIdentify } from "./access/identify.ts";
import type { Tokens } from "./access/tokens.ts";
import { errorPage } from "./docs/pages.ts";
import { problemFor } from "./http/problem.ts";
import { createHandler } from "./mcp/handler.ts";
import type { Service } from "./operations/perform.ts";
import { createResolver, resolverDescription } from "./resolver/resolver.ts";
import { createRest } from "./rest/rest.ts";
import { createCatalogue } from "./store/catalogue.ts";
import { createClaims } from "./store/claims.ts";
import { createClients } from "./store/clients.ts";
import { createHealth } from "./store/health.ts";

/** Options of the server: everything that differs between production and tests. */
export interface AppOptions {
  readonly database: Database;
  readonly tokens: Tokens;
  readonly limiter: Limiter;
  /** The public address of the server, without a slash at the end. */
  readonly publicUrl: string;
  /**
   * Receives incidents.
   *
   * @default standard error
   */
  readonly sink?: Sink;
  /**
   * The clock, in ms since 1970.
   *
   * @default Date.now
   */
  readonly now?: () => number;
}

/** The whole server as one request handler. */
export interface App {
  readonly fetch: Fetch;
  close(): Promise<void>;
}

/** Creates the server: MCP, REST, the resolver and the error pages, all on the same operations. */
export function createApp(options: AppOptions): App {
  const { database, tokens, limiter, publicUrl, sink, now = Date.now } = options;
  const service: Service = {
    catalogue: createCatalogue(database),
    claims: createClaims(database),
    health: createHealth(database, { now }),
    identify: createIdentify(tokens, createClients(database)),
    limiter,
    publicUrl,
  };
  const problemOptions = { docsBase: `${publicUrl}/docs/errors`, sink, now };
  const mcp = createHandler({ ...problemOptions, service });
  const notFound = () => problemFor(core.not_found(), problemOptions);
  const routes: Readonly<Record<string, (...given: Parameters<Fetch>) => Promise<Response> | Response>> = {
    mcp: mcp.fetch,
    v1: createRest(service, problemOptions),
    "01": createResolver(service, problemOptions),
    ".well-known": (request) =>
      request.url.endsWith("/gs1resolver") ? Response.json(resolverDescription(publicUrl)) : notFound(),
    docs: (request) => errorPageFor(request) ?? notFound(),
  };
  return {
    fetch: async (request, extra) => {
      const [, first = ""] = new URL(request.url).pathname.split("/");
      return (Object.hasOwn(routes, first) ? routes[first]?.(request, extra) : undefined) ?? notFound();
    },
    close: () => mcp.close(),
  };
}

function errorPageFor(request: Request): Response | undefined {
  const [, path] = /^\/docs\/errors\/?(.*)$/.exec(new URL(request.url).pathname) ?? [];
  const text = path === undefined ? undefined : errorPage(path);
  return text === undefined
    ? undefined
    : new Response(text, { headers: { "content-type": "text/html; charset=utf-8" } });
}
