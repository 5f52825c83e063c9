import { REST_ROUTES, type RestRoute } from "../operations/operations.ts";

/** What a request asks for, by its address. */
export type Match =
  | { readonly route: RestRoute; readonly input: Readonly<Record<string, string>>; readonly isBroken: boolean }
  | { readonly none: "path" }
  | { readonly none: "method"; readonly allowed: readonly string[] };

/** Finds the route of a request; where escapes in its path cannot be read, it is broken and its values stay as they are. */
export function matchRoute(method: string, url: URL): Match {
  const segments = url.pathname.split("/");
  const routes = REST_ROUTES.filter(({ path }) => fits(path.split("/"), segments));
  const asked = method === "HEAD" ? "GET" : method;
  const route = routes.find((one) => one.method === asked);
  if (route === undefined) {
    return routes.length === 0 ? { none: "path" } : { none: "method", allowed: routes.map((one) => one.method) };
  }
  const named = namedIn(route.path.split("/"), segments);
  const values = named.map(([name, raw]) => [name, decoded(raw) ?? raw]);
  const input = { ...Object.fromEntries(url.searchParams), ...Object.fromEntries(values) };
  return { route, input, isBroken: named.some(([, raw]) => decoded(raw) === undefined) };
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length && pattern.every((part, at) => part.startsWith(":") || part === segments[at])
  );
}

function namedIn(pattern: readonly string[], segments: readonly string[]): readonly (readonly [string, string])[] {
  return pattern.flatMap((part, at) => (part.startsWith(":") ? [[part.slice(1), segments[at] ?? ""] as const] : []));
}

function decoded(raw: string): string | undefined {
  try {
    return decodeURIComponent(raw);
  } catch {
    return undefined;
  }
}
