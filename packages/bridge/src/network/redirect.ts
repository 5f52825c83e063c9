import type { HttpRequest } from "../request/request.ts";
import type { Reply } from "./reply.ts";

/** How many redirects are followed. */
export const MOST_REDIRECTS = 3;

const FOLLOWED = new Set([301, 302, 307, 308]);

/**
 * The request that a redirect asks for, where it may be followed: a reading one, to the same origin, below the same base.
 * Everything else stays an answer that is not followed, since a credential travels with the request.
 */
export function redirected(request: HttpRequest, { status, headers }: Reply, base: URL): HttpRequest | undefined {
  const location = [headers["location"] ?? []].flat();
  const isReading = request.method === "GET" || request.method === "HEAD";
  if (!isReading || !FOLLOWED.has(status) || location.length !== 1) return undefined;
  const url = URL.parse(location[0] ?? "", request.url.href);
  if (url === null || url.origin !== request.url.origin || url.username !== "" || url.password !== "") return undefined;
  const root = base.pathname.replace(/\/*$/, "/");
  if (!`${url.pathname}/`.startsWith(root)) return undefined;
  url.hash = "";
  return { ...request, url };
}
