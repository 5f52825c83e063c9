import type { FaultError } from "@recourse/faults";
import { accessError } from "../access/permit.ts";
import { buildDigitalLink, LINK_PROBLEMS, type LinkProblem } from "../digital-link/digital-link.ts";
import { parseDigitalLink } from "../digital-link/parse.ts";
import { checkGtin } from "../gtin/check-gtin.ts";
import { type ProblemOptions, problemFor } from "../http/problem.ts";
import type { Link } from "../links/choose-links.ts";
import { LINKSET, toLinkset } from "../links/linkset.ts";
import type { Service } from "../operations/perform.ts";
import { resolve } from "../operations/resolve-gtin.ts";
import { gtin } from "../reasons.ts";

const CORS = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET, HEAD, OPTIONS",
  "access-control-expose-headers": "Link, Location",
};

/** The answer to a method that the resolver does not serve. */
const METHOD_NOT_ALLOWED = { status: 405, headers: { ...CORS, allow: "GET, HEAD, OPTIONS" } };

/** The resolver of scanned codes: `/01/{gtin}` redirects to a link of the product. */
export function createResolver(service: Service, parts: ProblemOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    try {
      if (request.method === "OPTIONS") return new Response(null, { status: 204, headers: CORS });
      if (!["GET", "HEAD"].includes(request.method))
        return problemFor(gtin.method_not_served(), parts, METHOD_NOT_ALLOWED);
      const caller = await service.identify(withoutCredentials(request.headers));
      const refusal = accessError("limited", caller, service.limiter);
      if (refusal !== undefined) throw refusal;
      return await resolveRequest(request, service);
    } catch (thrown) {
      return problemFor(thrown, parts, { headers: CORS });
    }
  };
}

/** Scanned codes are resolved without credentials. */
function withoutCredentials(headers: Headers): Headers {
  const rest = new Headers(headers);
  rest.delete("authorization");
  return rest;
}

async function resolveRequest(request: Request, service: Service): Promise<Response> {
  const url = new URL(request.url);
  const digits = gtinInUrl(url, service.publicUrl);
  const anchor = buildDigitalLink({ gtin: digits, qualifiers: {}, attributes: {} }, service.publicUrl);
  const linkType = url.searchParams.get("linkType") ?? undefined;
  const headers = {
    ...CORS,
    link: `<${anchor}?linkType=linkset>; rel="linkset"; type="${LINKSET}"`,
    vary: "accept, accept-language",
  };
  if (linkType === "linkset" || accepts(request, LINKSET)) return linksetResponse(digits, anchor, service);
  const language = request.headers.get("accept-language");
  const [first, ...others] = await resolve({ gtin: digits, linkType, language }, service);
  if (others.length > 0) return multipleChoices([first, ...others], url, headers);
  return new Response(null, { status: 307, headers: { ...headers, location: redirectTarget(first, url) } });
}

/** The GTIN in the address. Lot and serial number lead to the links of the product. */
function gtinInUrl(url: URL, publicUrl: string): string {
  const parsed = parseDigitalLink(`${publicUrl}${url.pathname}${url.search}`);
  if (!parsed.ok) throw invalidUri(parsed.problem);
  const verdict = checkGtin(parsed.link.gtin);
  const isOpen = verdict.valid && !["restricted", "not_trade_item"].includes(verdict.prefix.status);
  if (!isOpen) throw invalidUri("gtin");
  return parsed.link.gtin;
}

function invalidUri(problem: LinkProblem): FaultError {
  return gtin.bad_uri({ problem, why: LINK_PROBLEMS[problem] });
}

async function linksetResponse(digits: string, anchor: string, { catalogue }: Service): Promise<Response> {
  const product = await catalogue.linked(digits);
  if (product === undefined) throw gtin.not_found({ gtin: digits });
  return Response.json(toLinkset(product, anchor), { headers: { ...CORS, "content-type": LINKSET } });
}

/** Several links are equally good, so the client has to choose. */
function multipleChoices(links: readonly Link[], url: URL, headers: Readonly<Record<string, string>>): Response {
  const offered = links.map((link) => ({
    href: redirectTarget(link, url),
    title: link.title,
    link_type: link.linkType,
  }));
  return Response.json({ choices: offered }, { status: 300, headers });
}

function accepts(request: Request, type: string): boolean {
  return (request.headers.get("accept") ?? "")
    .toLowerCase()
    .split(/[,;]/)
    .some((part) => part.trim() === type);
}

/** Query parameters of the resolver itself. */
const RESOLVER_PARAMETERS = new Set(["linkType", "context"]);

/** The target of a link. Other query parameters of the request are appended if the link allows it. */
function redirectTarget({ href, forwardsQuery }: Link, asked: URL): string {
  if (!forwardsQuery) return href;
  const target = new URL(href);
  for (const [name, value] of asked.searchParams)
    if (!RESOLVER_PARAMETERS.has(name)) target.searchParams.append(name, value);
  return target.href;
}

/** The description of this resolver at `/.well-known/gs1resolver`. */
export function resolverDescription(publicUrl: string): object {
  return {
    name: "Recourse reference resolver for GTIN",
    resolverRoot: publicUrl,
    supportedPrimaryKeys: ["01"],
    supportedLinkTypes: [{ namespace: "https://ref.gs1.org/voc/", prefix: "gs1:" }],
    linkTypeDefaultCanBeLinkset: false,
    validationBehaviour: ["GTIN check digits, the order of qualifiers and dates are checked; 400 otherwise."],
  };
}
