import type { FaultError } from "@recourse/faults";
import { refusalFor } from "../access/permit.ts";
import { buildDigitalLink } from "../digital-link/build.ts";
import { LINK_PROBLEMS, type LinkProblem } from "../digital-link/digital-link.ts";
import { parseDigitalLink } from "../digital-link/parse.ts";
import { judge } from "../gtin/judge.ts";
import { type ProblemParts, problemFor } from "../http/problem.ts";
import type { Link } from "../links/link.ts";
import { LINKSET, linksetOf } from "../links/linkset.ts";
import type { Service } from "../operations/perform.ts";
import { resolve } from "../operations/resolve-gtin.ts";
import { gtin } from "../reasons.ts";
import { targetOf } from "./target.ts";

const CORS = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET, HEAD, OPTIONS",
  "access-control-expose-headers": "Link, Location",
};

/** A link can only be read. */
const NOT_READ = { status: 405, headers: { ...CORS, allow: "GET, HEAD, OPTIONS" } };

/** The resolver that a scanned code leads to: `/01/{gtin}` redirects to where the product's links point. */
export function createResolver(service: Service, parts: ProblemParts): (request: Request) => Promise<Response> {
  return async (request) => {
    try {
      if (request.method === "OPTIONS") return new Response(null, { status: 204, headers: CORS });
      if (!["GET", "HEAD"].includes(request.method)) return problemFor(gtin.method_not_served(), parts, NOT_READ);
      const caller = await service.identify(withoutCredentials(request.headers));
      const refusal = refusalFor("limited", caller, service.limiter);
      if (refusal !== undefined) throw refusal;
      return await answer(request, service);
    } catch (thrown) {
      return problemFor(thrown, parts, { headers: CORS });
    }
  };
}

/** Whoever scans a code has no token, and a link must not demand one. */
function withoutCredentials(headers: Headers): Headers {
  const rest = new Headers(headers);
  rest.delete("authorization");
  return rest;
}

async function answer(request: Request, service: Service): Promise<Response> {
  const url = new URL(request.url);
  const digits = gtinOf(url, service.publicUrl);
  const anchor = buildDigitalLink({ gtin: digits, qualifiers: {}, attributes: {} }, service.publicUrl);
  const linkType = url.searchParams.get("linkType") ?? undefined;
  const headers = {
    ...CORS,
    link: `<${anchor}?linkType=linkset>; rel="linkset"; type="${LINKSET}"`,
    vary: "accept, accept-language",
  };
  if (linkType === "linkset" || accepts(request, LINKSET)) return linkset(digits, anchor, service);
  const language = request.headers.get("accept-language");
  const [first, ...others] = await resolve({ gtin: digits, linkType, language }, service);
  if (others.length > 0) return choices([first, ...others], url, headers);
  return new Response(null, { status: 307, headers: { ...headers, location: targetOf(first, url) } });
}

/** The product that the address names; lot and serial number lead to the links of the product itself. */
function gtinOf(url: URL, publicUrl: string): string {
  const parsed = parseDigitalLink(`${publicUrl}${url.pathname}${url.search}`);
  if (!parsed.ok) throw badUri(parsed.problem);
  const verdict = judge(parsed.link.gtin);
  const isOpen = verdict.valid && !["restricted", "not_trade_item"].includes(verdict.prefix.status);
  if (!isOpen) throw badUri("gtin");
  return parsed.link.gtin;
}

function badUri(problem: LinkProblem): FaultError {
  return gtin.bad_uri({ problem, why: LINK_PROBLEMS[problem] });
}

async function linkset(digits: string, anchor: string, { catalogue }: Service): Promise<Response> {
  const product = await catalogue.linked(digits);
  if (product === undefined) throw gtin.not_found({ gtin: digits });
  return Response.json(linksetOf(product, anchor), { headers: { ...CORS, "content-type": LINKSET } });
}

/** Several links suit equally well, so whoever asks has to choose. */
function choices(links: readonly Link[], url: URL, headers: Readonly<Record<string, string>>): Response {
  const offered = links.map((link) => ({ href: targetOf(link, url), title: link.title, link_type: link.linkType }));
  return Response.json({ choices: offered }, { status: 300, headers });
}

function accepts(request: Request, type: string): boolean {
  return (request.headers.get("accept") ?? "")
    .toLowerCase()
    .split(/[,;]/)
    .some((part) => part.trim() === type);
}
