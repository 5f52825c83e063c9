import { checkArguments } from "@recourse/faults/server";
import { objectAt } from "@recourse/wire";
import { firstHeader, type ReplyHeaders } from "../network/exchange.ts";
import type { Argument, Operation, PathPart } from "../operations/operation.ts";

const MAX_LINK_HEADER_LENGTH = 8_192;

/** The address of the next page in a `Link` header, unchanged. */
export function nextPageLink(headers: ReplyHeaders): string | undefined {
  const text = [headers["link"] ?? []].flat().join(", ").slice(0, MAX_LINK_HEADER_LENGTH);
  for (const [, address, params = ""] of text.matchAll(
    /<([^<>]{1,2048})>((?:\s*;\s*[\w*-]+=(?:"[^"]*"|[^\s",;]+))*)/g,
  )) {
    const [, quoted, bare] = /;\s*rel=(?:"([^"]*)"|([^\s",;]+))/i.exec(params) ?? [];
    if ((quoted ?? bare ?? "").toLowerCase().split(/\s+/).includes("next")) return address;
  }
  return undefined;
}

/** The address of the resource that a reply refers to, unchanged. */
export function resourceLocation(headers: ReplyHeaders): string | undefined {
  return firstHeader(headers, "operation-location") ?? firstHeader(headers, "location");
}

/** A tool call that reads an address. */
interface NextCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** Finds the tool call for an address in a reply; undefined when no tool reads the address. */
export type ResolveLink = (address: string, from: URL) => NextCall | undefined;

/**
 * Turns addresses in replies into tool calls. The address itself never reaches the caller: it may contain a credential, and
 * a request to it would be unchecked.
 */
export function createLinkResolver(operations: () => readonly Operation[], server: URL): ResolveLink {
  const base = server.pathname.replace(/\/+$/, "");
  return (address, from) => {
    const url = URL.parse(address, from.href);
    if (url === null || url.origin !== server.origin || !url.pathname.startsWith(`${base}/`)) return undefined;
    const segments = url.pathname.slice(base.length + 1).split("/");
    const found = operations()
      .filter(({ method }) => method === "GET")
      .map((operation) => ({ operation, values: pathValues(operation.segments, segments) }))
      // A path of fixed words is more specific than a path with parameters.
      .filter((one) => one.values !== undefined)
      .toSorted((a, b) => (a.values?.size ?? 0) - (b.values?.size ?? 0))[0];
    return found?.values === undefined ? undefined : callFor(found.operation, found.values, url.searchParams);
  };
}

function pathValues(template: Operation["segments"], segments: readonly string[]): Map<string, string> | undefined {
  if (template.length !== segments.length) return undefined;
  const values = new Map<string, string>();
  for (const [index, parts] of template.entries()) {
    const [part, ...more]: readonly PathPart[] = parts;
    const text = decodeSegment(segments[index] ?? "");
    if (text === undefined || more.length > 0) return undefined;
    if (part !== undefined && "parameter" in part) values.set(part.parameter, text);
    else if (text !== (part?.text ?? "")) return undefined;
  }
  return values;
}

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

function callFor(
  operation: Operation,
  values: ReadonlyMap<string, string>,
  query: URLSearchParams,
): NextCall | undefined {
  const args: Record<string, unknown> = {};
  for (const argument of operation.arguments) {
    const text = argument.in === "path" ? values.get(argument.key) : queryText(argument, query);
    if (text !== undefined) args[argument.name] = toArgumentType(operation, argument.name, text);
  }
  return checkArguments(args, operation.inputSchema).length === 0
    ? { tool: operation.name, arguments: args }
    : undefined;
}

function queryText(argument: Argument, query: URLSearchParams): string | undefined {
  return argument.in === "query" && argument.content === undefined ? (query.get(argument.key) ?? undefined) : undefined;
}

/** Converts a text of an address into the type of the argument. */
function toArgumentType({ inputSchema }: Operation, name: string, text: string): unknown {
  const types = [objectAt(objectAt(inputSchema, "properties"), name)?.["type"] ?? []].flat();
  const isNumber = types.includes("integer") || types.includes("number");
  if (isNumber && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text)) return Number(text);
  return types.includes("boolean") && /^(?:true|false)$/.test(text) ? text === "true" : text;
}
