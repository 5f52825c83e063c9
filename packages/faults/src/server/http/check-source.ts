// Where a request says it was sent, and by which page: against DNS rebinding and requests of other sites.

import {
  type Host,
  hostTest,
  isLoopbackName,
  isLoopbackOrigin,
  isSentLocally,
  originTest,
  readHost,
} from "@recourse/wire";
import { access_denied } from "../../reasons/library/auth.ts";
import { toLine } from "../../safety/line.ts";
import { type EdgeExchange, type EdgeRefusal, warnOnce } from "./exchange.ts";
import type { HandlerOptions } from "./options.ts";

/** What an adapter for Node may tell in the second argument; `@hono/node-server` calls it `c.env`. */
interface NodeExtra {
  readonly incoming?: { readonly socket?: { readonly localAddress?: unknown } };
}

/** The test of one header. */
interface SourceRule<T> {
  readonly passes: (value: T) => boolean;
  /** What the operator reads about the first refusal. */
  readonly because: string;
}

/** Creates the check of `Host` and `Origin`. It throws if an option is not valid. */
export function createSourceCheck(options: HandlerOptions): (exchange: EdgeExchange) => EdgeExchange | EdgeRefusal {
  const hosts = hostRule(options);
  const origins = originRule(options);
  const who = options.name === undefined ? "guardHandler" : `guardHandler of "${options.name}"`;

  return (exchange) => {
    const { request } = exchange;
    const text = request.headers.get("host") ?? new URL(request.url).host;
    const host = readHost(text);
    const isLocal = isSentLocally(localAddressFor(exchange), host);
    if (hosts !== "any") {
      const rule = hosts ?? (isLocal ? LOCAL_HOSTS : undefined);
      if (host === undefined || rule?.passes(host) === false) return refuse("Host", text, rule ?? ANY_HOST);
    }
    const origin = request.headers.get("origin");
    if (origin !== null && origins !== "any") {
      const rule = origins ?? (isLocal ? LOCAL_ORIGINS : undefined);
      if (rule?.passes(origin) === false) return refuse("Origin", origin, rule);
    }
    if (!isLocal) warnOfUnset(origin);
    return exchange;
  };

  function refuse(header: string, value: string, { because }: SourceRule<never>): EdgeRefusal {
    const cause = new Error(`the ${header} “${toLine(value, 100)}” was refused: ${because}`);
    warnOnce(`${who} ${header}`, `${who}: ${cause.message}. Further refusals are not printed.`);
    return { fault: access_denied.fault(), cause };
  }

  function warnOfUnset(origin: string | null): void {
    const unset = [
      ...(hosts === undefined ? ["allowedHosts"] : []),
      ...(origins === undefined && (hosts === undefined || origin !== null) ? ["allowedOrigins"] : []),
    ];
    if (unset.length === 0) return;
    warnOnce(
      `${who} unset`,
      `${who} answers requests whatever their ${hosts === undefined ? "Host and Origin" : "Origin"}. Set ${unset.join(" and ")}, or "any" where something in front of it checks them.`,
    );
  }
}

const LOCAL_HOSTS: SourceRule<Host> = {
  passes: isLoopbackName,
  because:
    "requests to a loopback address are answered for localhost, 127.0.0.1 and [::1] only, unless allowedHosts says more",
};
const LOCAL_ORIGINS: SourceRule<string> = {
  passes: isLoopbackOrigin,
  because:
    "requests to a loopback address are answered for pages of the same machine only, unless allowedOrigins says more",
};
const ANY_HOST: SourceRule<Host> = { passes: () => true, because: "it is not a host name" };

function hostRule({ allowedHosts }: HandlerOptions): SourceRule<Host> | "any" | undefined {
  if (allowedHosts === undefined || allowedHosts === "any") return allowedHosts;
  return { passes: hostTest(allowedHosts), because: "it is not in allowedHosts" };
}

function originRule({ allowedOrigins }: HandlerOptions): SourceRule<string> | "any" | undefined {
  if (allowedOrigins === undefined || allowedOrigins === "any") return allowedOrigins;
  return { passes: originTest(allowedOrigins), because: "it is not in allowedOrigins" };
}

/** The address that a request came in at; undefined if the runtime does not say. */
function localAddressFor({ extra }: EdgeExchange): string | undefined {
  const address = (extra as NodeExtra | null | undefined)?.incoming?.socket?.localAddress;
  return typeof address === "string" ? address : undefined;
}
