import type { Document } from "../document/document.ts";
import { arrayAt, booleanAt, entriesOf, isJson, type Json, memberAt, objectAt, stringAt } from "../document/json.ts";
import { resolvedObject } from "../document/refs.ts";
import { isCookieName, isHeaderName, isKeyHeader, isOwnHeader } from "./headers.ts";
import { formOf } from "./media-type.ts";
import type { Location, ParameterArgument } from "./operation.ts";
import type { Changed } from "./report.ts";
import type { SecurityScheme } from "./security.ts";
import { STYLES, styleAt } from "./styles.ts";

/** A parameter before it has a name in the tool. */
interface Parameter {
  readonly argument: Omit<ParameterArgument, "name">;
  readonly node: unknown;
  /** What the parameter says about itself, which its schema often does not. */
  readonly said: { readonly description: unknown; readonly deprecated: boolean };
}

/** The parameters of an operation, or why it has none that can be used. */
export interface ParameterList {
  readonly ok: boolean;
  readonly parameters: readonly Parameter[];
  readonly changes: readonly { readonly why: Changed["why"]; readonly key: string }[];
  readonly keyHeader: string | undefined;
}

/** Where parameters are looked for. */
export interface ParameterSource {
  readonly document: Document;
  readonly pathItem: Json | undefined;
  readonly operation: Json;
  readonly schemes: ReadonlyMap<string, SecurityScheme>;
  /** The keys in the path template: others that claim to be in the path are nowhere. */
  readonly inPath: ReadonlySet<string>;
}

/** Reads the parameters of a path and of its operation, which win. */
export function parametersOf(source: ParameterSource): ParameterList {
  const { document, pathItem, operation } = source;
  const nodes = [...arrayAt(pathItem, "parameters"), ...arrayAt(operation, "parameters")];
  const found = new Map<string, Json>();
  let isReadable = true;
  for (const node of nodes) {
    const parameter = resolvedObject(document, node);
    const [place, key] = [placeOf(parameter), stringAt(parameter, "name")];
    if (parameter === undefined || place === undefined || !key) isReadable = false;
    // Names of headers have no case.
    else found.set(`${place} ${place === "header" ? key.toLowerCase() : key}`, parameter);
  }
  const read = [...found.values()].map((parameter) => readParameter(source, parameter));
  const keyed = [...found.values()].find(
    (one) => placeOf(one) === "header" && isKeyHeader(stringAt(one, "name") ?? ""),
  );
  return {
    ok: isReadable && read.every((one) => one.ok),
    parameters: read.flatMap((one) => one.parameter ?? []),
    changes: read.flatMap((one) => one.changes),
    keyHeader: stringAt(keyed, "name"),
  };
}

interface Read {
  readonly ok: boolean;
  readonly parameter?: Parameter;
  readonly changes: readonly { readonly why: Changed["why"]; readonly key: string }[];
}

function readParameter({ document, schemes, inPath }: ParameterSource, node: Json): Read {
  const place = placeOf(node) ?? "query";
  const key = stringAt(node, "name") ?? "";
  const without = (why: Changed["why"]): Read => ({ ok: true, changes: [{ why, key }] });
  if (place === "path" && !inPath.has(key)) return { ok: true, changes: [] };
  if (place === "header" && isOwnHeader(key)) return without("header");
  if (carriesCredential(schemes, place, key)) return without("credential");
  const required = place === "path" || booleanAt(node, "required") === true;
  const written = writingOf(document, node);
  if (written === undefined || !canName(place, key)) return required ? { ok: false, changes: [] } : without("left_out");
  const style = styleAt(place, node["style"] ?? STYLES[place][0]);
  const used = style ?? STYLES[place][0];
  return {
    ok: true,
    changes: style === undefined ? [{ why: "style", key }] : [],
    parameter: {
      argument: {
        in: place,
        key,
        required,
        style: used,
        explode: booleanAt(node, "explode") ?? used === "form",
        allowReserved: place === "query" && booleanAt(node, "allowReserved") === true,
        multiSegment: place === "path" && booleanAt(node, "x-multi-segment") === true,
        ...(written.content !== undefined && { content: written.content }),
      },
      node: written.schema,
      said: { description: node["description"], deprecated: node["deprecated"] === true },
    },
  };
}

/** The schema of a parameter, and the form of the document in it if it is one; undefined when it cannot be written. */
function writingOf(document: Document, node: Json): { schema: unknown; content?: "json" | "text" } | undefined {
  const [first, ...more] = entriesOf(objectAt(node, "content"));
  if (first === undefined) return { schema: memberAt(node, "schema") ?? {} };
  const [type, value] = first;
  const form = formOf(type)?.form;
  if (more.length > 0 || (form !== "json" && form !== "text")) return undefined;
  return { schema: memberAt(resolvedObject(document, value), "schema") ?? {}, content: form };
}

function canName(place: Location, key: string): boolean {
  if (place === "header") return isHeaderName(key);
  return place === "cookie" ? isCookieName(key) : key.isWellFormed();
}

function placeOf(node: unknown): Location | undefined {
  const place = isJson(node) ? node["in"] : undefined;
  return typeof place === "string" && Object.hasOwn(STYLES, place) ? (place as Location) : undefined;
}

function carriesCredential(schemes: ReadonlyMap<string, SecurityScheme>, place: Location, key: string): boolean {
  const same = (other: string) => (place === "header" ? other.toLowerCase() === key.toLowerCase() : other === key);
  return [...schemes.values()].some((scheme) => scheme.type === "apiKey" && scheme.in === place && same(scheme.key));
}
