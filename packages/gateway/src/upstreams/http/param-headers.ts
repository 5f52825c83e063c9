import { entriesOf, isObject, memberAt, objectAt } from "@recourse/faults/internal-do-not-use";
import type { RequestHead } from "../../edge/head.ts";
import { encodeHeaderValue } from "./headers.ts";

/** An argument that a tool wants to see in a header as well. */
interface ParamHeader {
  readonly name: string;
  readonly path: readonly string[];
}

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const TYPES: ReadonlySet<unknown> = new Set(["string", "integer", "boolean", "number"]);
const MAX_DEPTH = 16;
const NONE: readonly ParamHeader[] = [];

/** Schemas are read once: the list of an upstream keeps them. */
const known = new WeakMap<object, readonly ParamHeader[]>();

/**
 * The headers that repeat arguments of a call, names and values in turn, as the schema of its tool asks for with
 * `x-mcp-header`. Undefined where it asks for none. A caller that sends these headers itself has them judged by the upstream:
 * its own go on, right or wrong.
 */
export function paramHeaders(
  inputSchema: unknown,
  args: unknown,
  sent?: Pick<RequestHead, "header">,
): readonly string[] | undefined {
  if (!isObject(inputSchema)) return undefined;
  let declared = known.get(inputSchema);
  if (declared === undefined) {
    declared = declaredIn(inputSchema, []);
    known.set(inputSchema, declared);
  }
  if (declared.length === 0) return undefined;
  return declared.flatMap(({ name, path }) => {
    if (sent !== undefined) {
      const own = sent.header(`mcp-param-${name.toLowerCase()}`);
      return own === undefined ? [] : [`mcp-param-${name}`, own];
    }
    const value = valueText(path.reduce(memberAt, args));
    return value === undefined ? [] : [`mcp-param-${name}`, encodeHeaderValue(value)];
  });
}

function declaredIn(schema: unknown, path: readonly string[]): readonly ParamHeader[] {
  const properties = objectAt(schema, "properties");
  if (properties === undefined || path.length >= MAX_DEPTH) return NONE;
  return entriesOf(properties).flatMap(([key, property]) => {
    const here = [...path, key];
    const name = memberAt(property, "x-mcp-header");
    const isDeclared = typeof name === "string" && TOKEN.test(name) && TYPES.has(memberAt(property, "type"));
    return isDeclared ? [{ name, path: here }, ...declaredIn(property, here)] : declaredIn(property, here);
  });
}

/** A value as a header writes it; undefined where it is left out. */
function valueText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
  // A longer number has lost digits since it was parsed.
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value);
}
