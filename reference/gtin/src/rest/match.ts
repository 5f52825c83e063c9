import { REST_ROUTES, type RestRoute } from "../operations/operations.ts";

/** The route of a request, or why none matches. */
export type Match =
  | { readonly route: RestRoute; readonly input: Readonly<Record<string, string>>; readonly isBroken: boolean }
  | { readonly none: "path" }
  | { readonly none: "method"; readonly allowed: readonly string[] };

/** Finds the route of a request. If escapes in its path are invalid, `isBroken` is true and the values stay encoded. */
export function matchRoute(method: string, url: URL): Match {
  const segments = url.pathname.split("/");
  const routes = REST_ROUTES.filter(({ path }) => matchesPath(path.split("/"), segments));
  const asked = method === "HEAD" ? "GET" : method;
  const route = routes.find((one) => one.method === asked);
  if (route === undefined) {
    return routes.length === 0 ? { none: "path" } : { none: "method", allowed: routes.map((one) => one.method) };
  }
  const named = pathValues(route.path.split("/"), segments);
  const values = named.map(([name, raw]) => [name, decodeSegment(raw) ?? raw]);
  const input = { ...Object.fromEntries(url.searchParams), ...Object.fromEntries(values) };
  return { route, input, isBroken: named.some(([, raw]) => decodeSegment(raw) === undefined) };
}

function matchesPath(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length && pattern.every((part, at) => part.startsWith(":") || part === segments[at])
  );
}

function pathValues(pattern: readonly string[], segments: readonly string[]): readonly (readonly [string, string])[] {
  return pattern.flatMap((part, at) => (part.startsWith(":") ? [[part.slice(1), segments[at] ?? ""] as const] : []));
}

function decodeSegment(raw: string): string | undefined {
  try {
    return decodeURIComponent(raw);
  } catch {
    return undefined;
  }
}
