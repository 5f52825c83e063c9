import { core } from "@recourse/faults";
import type { Sink } from "@recourse/faults/server";
import type { Database, Limiter } from "@recourse/reference-ground";
import { identifyWith } from "./access/identify.ts";
import type { Tokens } from "./access/tokens.ts";
import { errorPage } from "./docs/pages.ts";
import { problemFor } from "./http/problem.ts";
import { createHandler } from "./mcp/handler.ts";
import type { Service } from "./operations/perform.ts";
import { resolverDescription } from "./resolver/description.ts";
import { createResolver } from "./resolver/resolver.ts";
import { createRest } from "./rest/rest.ts";
import { catalogueIn } from "./store/catalogue.ts";
import { claimsIn } from "./store/claims.ts";
import { clientsIn } from "./store/clients.ts";
import { healthOf } from "./store/health.ts";

/** What the server is made of; everything that differs between production and a test. */
export interface AppOptions {
  readonly database: Database;
  readonly tokens: Tokens;
  readonly limiter: Limiter;
  /** Where it is reached from outside, without a slash at the end. */
  readonly publicUrl: string;
  /** Where incidents go; standard error by default. */
  readonly sink?: Sink;
  readonly now?: () => number;
}

/** The whole server as one function of requests. */
export interface App {
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/** Puts the parts together: MCP, REST, the resolver and the pages, all on the same operations. */
export function createApp(options: AppOptions): App {
  const { database, tokens, limiter, publicUrl, sink, now = Date.now } = options;
  const service: Service = {
    catalogue: catalogueIn(database),
    claims: claimsIn(database),
    health: healthOf(database, { now }),
    identify: identifyWith(tokens, clientsIn(database)),
    limiter,
    publicUrl,
  };
  const told = { docsBase: `${publicUrl}/docs/errors`, sink, now };
  const mcp = createHandler({ ...told, service });
  const nowhere = () => problemFor(core.not_found(), told);
  const ways: Readonly<Record<string, (request: Request) => Promise<Response> | Response>> = {
    mcp: (request) => mcp.fetch(request),
    v1: createRest(service, told),
    "01": createResolver(service, told),
    ".well-known": (request) =>
      request.url.endsWith("/gs1resolver") ? Response.json(resolverDescription(publicUrl)) : nowhere(),
    docs: (request) => docs(request) ?? nowhere(),
  };
  return {
    fetch: async (request) => {
      const [, first = ""] = new URL(request.url).pathname.split("/");
      return (Object.hasOwn(ways, first) ? ways[first]?.(request) : undefined) ?? nowhere();
    },
    close: () => mcp.close(),
  };
}

function docs(request: Request): Response | undefined {
  const [, path] = /^\/docs\/errors\/?(.*)$/.exec(new URL(request.url).pathname) ?? [];
  const text = path === undefined ? undefined : errorPage(path);
  return text === undefined
    ? undefined
    : new Response(text, { headers: { "content-type": "text/html; charset=utf-8" } });
}
