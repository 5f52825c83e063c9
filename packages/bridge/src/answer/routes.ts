import { checkArguments } from "@recourse/faults/server";
import { objectAt } from "../document/json.ts";
import type { Argument, Operation, PathPart } from "../operations/operation.ts";

/** A call that would read what an address stands for. */
interface NextCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** Finds the call for an address that a service names; undefined when no tool reads it. */
export type Routes = (address: string, from: URL) => NextCall | undefined;

/**
 * Turns addresses back into calls. An address itself is never handed on: it may hold a credential, and following it
 * would be a request that nobody checked.
 */
export function createRoutes(operations: () => readonly Operation[], server: URL): Routes {
  const base = server.pathname.replace(/\/+$/, "");
  return (address, from) => {
    const url = URL.parse(address, from.href);
    if (url === null || url.origin !== server.origin || !url.pathname.startsWith(`${base}/`)) return undefined;
    const segments = url.pathname.slice(base.length + 1).split("/");
    const found = operations()
      .filter(({ method }) => method === "GET")
      .map((operation) => ({ operation, values: pathValues(operation.segments, segments) }))
      // A path of fixed words says more than one with a place for anything.
      .filter((one) => one.values !== undefined)
      .toSorted((a, b) => (a.values?.size ?? 0) - (b.values?.size ?? 0))[0];
    return found?.values === undefined ? undefined : callOf(found.operation, found.values, url.searchParams);
  };
}

function pathValues(template: Operation["segments"], segments: readonly string[]): Map<string, string> | undefined {
  if (template.length !== segments.length) return undefined;
  const values = new Map<string, string>();
  for (const [index, parts] of template.entries()) {
    const [part, ...more]: readonly PathPart[] = parts;
    const text = decoded(segments[index] ?? "");
    if (text === undefined || more.length > 0) return undefined;
    if (part !== undefined && "parameter" in part) values.set(part.parameter, text);
    else if (text !== (part?.text ?? "")) return undefined;
  }
  return values;
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

function callOf(
  operation: Operation,
  values: ReadonlyMap<string, string>,
  query: URLSearchParams,
): NextCall | undefined {
  const args: Record<string, unknown> = {};
  for (const argument of operation.arguments) {
    const text = argument.in === "path" ? values.get(argument.key) : fromQuery(argument, query);
    if (text !== undefined) args[argument.name] = typed(operation, argument.name, text);
  }
  return checkArguments(args, operation.inputSchema).length === 0
    ? { tool: operation.name, arguments: args }
    : undefined;
}

function fromQuery(argument: Argument, query: URLSearchParams): string | undefined {
  return argument.in === "query" && argument.content === undefined ? (query.get(argument.key) ?? undefined) : undefined;
}

/** A text of an address as the type that the tool takes. */
function typed({ inputSchema }: Operation, name: string, text: string): unknown {
  const types = [objectAt(objectAt(inputSchema, "properties"), name)?.["type"] ?? []].flat();
  const isNumber = types.includes("integer") || types.includes("number");
  if (isNumber && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text)) return Number(text);
  return types.includes("boolean") && /^(?:true|false)$/.test(text) ? text === "true" : text;
}
