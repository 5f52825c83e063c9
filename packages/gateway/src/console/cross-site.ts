// Which requests with a session are those of the console itself. `SameSite` is not enough: other ports of a host are the same site.

import { isLoopbackName, originTest, readHost } from "@recourse/core/wire";
import type { RequestHead } from "../call/head.ts";

/** The headers that say which page sends a request, and that a page of another site cannot choose. */
export interface SourceHeaders {
  readonly method: string;
  /** `Sec-Fetch-Site`. */
  readonly site: string | undefined;
  /** `Origin`. Browsers send none with reads of the same origin. */
  readonly origin: string | undefined;
  readonly type: string | undefined;
  /** `X-Recourse-Console`. */
  readonly marker: string | undefined;
}

/** What is wrong with a request. */
export type CrossSiteProblem = "site" | "origin" | "type" | "marker" | "address";

type CrossSiteRule = (sent: SourceHeaders, isOwnOrigin: (origin: string) => boolean) => boolean;

/** What every request with a session must be. */
const READ_RULES = {
  site: ({ site }) => site === "same-origin",
  origin: ({ origin }, isOwnOrigin) => origin === undefined || isOwnOrigin(origin),
} as const satisfies Partial<Record<CrossSiteProblem, CrossSiteRule>>;

/** What requests that change something must be. The type and the marker need a preflight, which no other page passes. */
const CHANGE_RULES = {
  ...READ_RULES,
  origin: ({ origin }, isOwnOrigin) => origin !== undefined && isOwnOrigin(origin),
  type: ({ type }) => type?.split(";", 1)[0]?.trim().toLowerCase() === "application/json",
  marker: ({ marker }) => marker === "1",
} as const satisfies Partial<Record<CrossSiteProblem, CrossSiteRule>>;

const READ_METHODS: readonly string[] = ["GET", "HEAD"];

/** Checks that a request comes from the console itself. `own` is its origin; undefined if the console is not served there. */
export function checkCrossSite(sent: SourceHeaders, own: string | undefined): CrossSiteProblem | undefined {
  if (own === undefined) return "address";
  const isOwnOrigin = originTest([own]);
  const rules: Readonly<Record<string, CrossSiteRule>> = READ_METHODS.includes(sent.method) ? READ_RULES : CHANGE_RULES;
  const broken = Object.entries(rules).find(([, holds]) => !holds(sent, isOwnOrigin));
  return broken?.[0] as CrossSiteProblem | undefined;
}

/** The headers of a request that `checkCrossSite` looks at. */
export function readSourceHeaders(head: RequestHead): SourceHeaders {
  return {
    method: head.method,
    site: head.header("sec-fetch-site"),
    origin: head.header("origin"),
    type: head.header("content-type"),
    marker: head.header("x-recourse-console"),
  };
}

/** The origin of the console: that of its address, or the loopback address that the browser asked for. */
export function findOwnOrigin(url: string | undefined, head: RequestHead): string | undefined {
  if (url !== undefined) return new URL(url).origin;
  const host = readHost(head.header("host") ?? "");
  if (host === undefined || !isLoopbackName(host)) return undefined;
  return `http://${host.name}${host.port === undefined ? "" : `:${host.port}`}`;
}
