import { BASE_PATH, type Route } from "./route.ts";

/** What a path and a method lead to. */
export type Match =
  | { readonly kind: "route"; readonly route: Route; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: "method"; readonly allow: string }
  | { readonly kind: "nothing" };

interface Template {
  readonly route: Route;
  readonly segments: readonly string[];
}

/** Makes the search for the route of a request. Parameters are given as they stand in the path, still encoded. */
export function routeFinder(routes: readonly Route[]): (method: string, path: string) => Match {
  const templates = routes.map((route): Template => ({ route, segments: `${BASE_PATH}${route.path}`.split("/") }));
  return (method, path) => {
    const segments = path.split("/");
    const fitting = templates.filter((template) => fits(template, segments));
    // A path without parameters is meant before one with them.
    const [best] = fitting.toSorted((one, other) => names(one).length - names(other).length);
    if (best === undefined) return { kind: "nothing" };
    const wanted = method === "HEAD" ? "GET" : method;
    const found = fitting.find(({ route }) => route.path === best.route.path && route.method === wanted);
    if (found === undefined) {
      const methods = fitting.filter(({ route }) => route.path === best.route.path).map(({ route }) => route.method);
      return { kind: "method", allow: methods.flatMap((one) => (one === "GET" ? ["GET", "HEAD"] : [one])).join(", ") };
    }
    const params = found.segments.flatMap((segment, at) => {
      const name = nameIn(segment);
      return name === undefined ? [] : [[name, segments[at] ?? ""] as const];
    });
    return { kind: "route", route: found.route, params: Object.fromEntries(params) };
  };
}

function fits({ segments: expected }: Template, segments: readonly string[]): boolean {
  return (
    expected.length === segments.length &&
    expected.every((one, at) => (nameIn(one) === undefined ? one === segments[at] : segments[at] !== ""))
  );
}

function names({ segments }: Template): readonly string[] {
  return segments.filter((segment) => nameIn(segment) !== undefined);
}

function nameIn(segment: string): string | undefined {
  return /^\{(\w+)\}$/.exec(segment)?.[1];
}
