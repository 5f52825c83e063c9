import {
  arrayAt,
  booleanAt,
  entriesOf,
  isObject,
  type JsonObject,
  memberAt,
  objectAt,
  stringAt,
} from "@recourse/core/wire";
import { type Document, resolvedObject } from "../document/document.ts";
import {
  findBodyForm,
  holdsCredential,
  isCookieName,
  isHeaderName,
  isIdempotencyHeader,
  isReservedHeader,
} from "./headers.ts";
import type { Location, ParameterArgument, PathPart, Style } from "./operation.ts";
import type { ChangedArgument } from "./report.ts";
import type { SecurityScheme } from "./security.ts";

/** A parameter without a name in the tool: names are given to all arguments together. */
interface Parameter {
  readonly argument: Omit<ParameterArgument, "name">;
  readonly node: unknown;
  readonly documented: { readonly description: unknown; readonly deprecated: boolean };
}

interface ParameterList {
  /** False if a parameter that the operation needs cannot be read. */
  readonly ok: boolean;
  readonly parameters: readonly Parameter[];
  readonly changes: readonly { readonly code: ChangedArgument["code"]; readonly key: string }[];
}

interface ParameterSource {
  readonly document: Document;
  readonly pathItem: JsonObject | undefined;
  readonly operation: JsonObject;
  readonly schemes: ReadonlyMap<string, SecurityScheme>;
  /** The parameters of the path template; other path parameters have no place and are ignored. */
  readonly inPath: ReadonlySet<string>;
}

/** Reads the parameters of a path and of its operation; those of the operation override those of the path. */
export function readParameters(
  source: ParameterSource,
): ParameterList & { readonly idempotencyHeader: string | undefined } {
  const { document, pathItem, operation } = source;
  const nodes = [...arrayAt(pathItem, "parameters"), ...arrayAt(operation, "parameters")];
  const found = new Map<string, JsonObject>();
  let isReadable = true;
  for (const node of nodes) {
    const parameter = resolvedObject(document, node);
    const [place, key] = [parameterLocation(parameter), stringAt(parameter, "name")];
    if (parameter === undefined || place === undefined || !key) isReadable = false;
    // Header names are case-insensitive.
    else found.set(`${place} ${place === "header" ? key.toLowerCase() : key}`, parameter);
  }
  const read = [...found.values()].map((parameter) => readParameter(source, parameter));
  const keyed = [...found.values()].find(
    (one) => parameterLocation(one) === "header" && isIdempotencyHeader(stringAt(one, "name") ?? ""),
  );
  return {
    ok: isReadable && read.every((one) => one.ok),
    parameters: read.flatMap((one) => one.parameters),
    changes: read.flatMap((one) => one.changes),
    idempotencyHeader: stringAt(keyed, "name"),
  };
}

function readParameter({ document, schemes, inPath }: ParameterSource, node: JsonObject): ParameterList {
  const place = parameterLocation(node) ?? "query";
  const key = stringAt(node, "name") ?? "";
  const nothing: ParameterList = { ok: true, parameters: [], changes: [] };
  const without = (code: ChangedArgument["code"]) => ({ ...nothing, changes: [{ code, key }] });
  if (place === "path" && !inPath.has(key)) return nothing;
  if (place === "header" && isReservedHeader(key)) return without("header");
  if ((place === "header" && holdsCredential(key)) || carriesCredential(schemes, place, key))
    return without("credential");
  const required = place === "path" || booleanAt(node, "required") === true;
  const content = readContent(document, node);
  if (content === undefined || !isSendableName(place, key))
    return required ? { ...nothing, ok: false } : without("left_out");
  const style = styleAt(place, node["style"] ?? STYLES[place][0]);
  const used = style ?? STYLES[place][0];
  return {
    ok: true,
    changes: style === undefined ? [{ code: "style", key }] : [],
    parameters: [
      {
        argument: {
          in: place,
          key,
          required,
          style: used,
          explode: booleanAt(node, "explode") ?? used === "form",
          allowReserved: place === "query" && booleanAt(node, "allowReserved") === true,
          multiSegment: place === "path" && booleanAt(node, "x-multi-segment") === true,
          ...(content.format !== undefined && { content: content.format }),
        },
        node: content.schema,
        documented: { description: node["description"], deprecated: node["deprecated"] === true },
      },
    ],
  };
}

/** The schema of a parameter, and the format of its `content`; undefined when it cannot be sent. */
function readContent(document: Document, node: JsonObject): { schema: unknown; format?: "json" | "text" } | undefined {
  const [first, ...more] = entriesOf(objectAt(node, "content"));
  if (first === undefined) return { schema: memberAt(node, "schema") ?? {} };
  const [type, value] = first;
  const form = findBodyForm(type)?.form;
  if (more.length > 0 || (form !== "json" && form !== "text")) return undefined;
  return { schema: memberAt(resolvedObject(document, value), "schema") ?? {}, format: form };
}

function isSendableName(place: Location, key: string): boolean {
  if (place === "header") return isHeaderName(key);
  return place === "cookie" ? isCookieName(key) : key.isWellFormed();
}

function parameterLocation(node: unknown): Location | undefined {
  const place = isObject(node) ? node["in"] : undefined;
  return typeof place === "string" && Object.hasOwn(STYLES, place) ? (place as Location) : undefined;
}

function carriesCredential(schemes: ReadonlyMap<string, SecurityScheme>, place: Location, key: string): boolean {
  const same = (other: string) => (place === "header" ? other.toLowerCase() === key.toLowerCase() : other === key);
  return [...schemes.values()].some((scheme) => scheme.type === "apiKey" && scheme.in === place && same(scheme.key));
}

/** The styles of each location, the default first. */
export const STYLES = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
  cookie: ["form"],
} as const satisfies Readonly<Record<Location, readonly [Style, ...Style[]]>>;

export function styleAt<L extends Location>(place: L, name: unknown): (typeof STYLES)[L][number] | undefined {
  const styles: readonly (typeof STYLES)[L][number][] = STYLES[place];
  return styles.find((style) => style === name);
}

/** Characters that end a path or change its meaning. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be in a path.
const UNSAFE_IN_TEMPLATE = /[\\?#\s\u0000-\u001f\u007f]|%2f|%5c/i;

/**
 * The segments of a path template. Undefined when the path could leave its base: it has an empty segment, or one that means
 * a directory.
 */
export function parsePathTemplate(path: string): readonly (readonly PathPart[])[] | undefined {
  if (!path.startsWith("/") || path.length > 1_024 || !path.isWellFormed() || UNSAFE_IN_TEMPLATE.test(path))
    return undefined;
  const texts = path.slice(1).split("/");
  // Many addresses end with a slash.
  const isWhole = texts.every((text, index) => text !== "" || index === texts.length - 1);
  if (!isWhole || texts.some((text) => isDotSegment(text))) return undefined;
  const segments = texts.map(parseSegment);
  return segments.every((parts) => parts !== undefined) ? segments : undefined;
}

/** Whether a segment means this directory or its parent. Servers may decode the segment, or cut it at a semicolon. */
export function isDotSegment(segment: string): boolean {
  return /^(?:\.|%2e){1,2}(?:;|%3b|$)/i.test(segment);
}

export function pathParameters(segments: readonly (readonly PathPart[])[]): ReadonlySet<string> {
  return new Set(segments.flat().flatMap((part) => ("parameter" in part ? [part.parameter] : [])));
}

function parseSegment(text: string): readonly PathPart[] | undefined {
  const parts: PathPart[] = [];
  for (const [piece, parameter] of text.matchAll(/\{([^{}]+)\}|[^{}]+|[{}]/g)) {
    if (piece === "{" || piece === "}") return undefined;
    parts.push(parameter === undefined ? { text: piece } : { parameter });
  }
  return parts;
}
