import { encodeHeaderValue, entriesOf, isObject, LATEST_REVISION, memberAt, objectAt } from "@recourse/core/wire";
import type { RequestHead } from "../../call/head.ts";
import type { UpstreamCredential } from "../../config/types.ts";

/** Headers as undici takes them: names and values in turn. */
export type HeaderList = readonly string[];

/** The headers of every message to one upstream. Nothing of the caller's own headers is among them. */
export function commonHeaders(credential: UpstreamCredential): HeaderList {
  return [
    "content-type",
    "application/json",
    "accept",
    "application/json, text/event-stream",
    "accept-encoding",
    "identity",
    ...credentialHeader(credential),
  ];
}

export function credentialHeader(credential: UpstreamCredential): HeaderList {
  switch (credential.kind) {
    case "none":
    // Fetched tokens are added to each message.
    case "clientCredentials":
    case "exchange":
      return [];
    case "bearer":
      return ["authorization", `Bearer ${credential.token}`];
    case "header":
      return [credential.name, credential.value];
    default:
      return credential satisfies never;
  }
}

/** Methods whose target is repeated in a header, so that proxies can route by it. */
const NAMED_METHODS: ReadonlySet<string> = new Set([
  "tools/call",
  "prompts/get",
  "resources/read",
  "tasks/get",
  "tasks/update",
  "tasks/cancel",
]);

/** The headers that repeat a message of 2026-07-28. */
export function messageHeaders(method: string, target: string | undefined): string[] {
  const headers = ["mcp-protocol-version", LATEST_REVISION, "mcp-method", method];
  if (target !== undefined && NAMED_METHODS.has(method)) headers.push("mcp-name", encodeHeaderValue(target));
  return headers;
}

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
 * `x-mcp-header`. Undefined if it asks for none. A caller that sends these headers itself has them judged by the
 * upstream: they are passed on, right or wrong.
 */
export function paramHeaders(
  inputSchema: unknown,
  args: unknown,
  sent?: Pick<RequestHead, "header">,
): readonly string[] | undefined {
  if (!isObject(inputSchema)) return undefined;
  let declared = known.get(inputSchema);
  if (declared === undefined) {
    declared = findParamHeaders(inputSchema, []);
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

function findParamHeaders(schema: unknown, path: readonly string[]): readonly ParamHeader[] {
  const properties = objectAt(schema, "properties");
  if (properties === undefined || path.length >= MAX_DEPTH) return NONE;
  return entriesOf(properties).flatMap(([key, property]) => {
    const here = [...path, key];
    const name = memberAt(property, "x-mcp-header");
    const isDeclared = typeof name === "string" && TOKEN.test(name) && TYPES.has(memberAt(property, "type"));
    return isDeclared ? [{ name, path: here }, ...findParamHeaders(property, here)] : findParamHeaders(property, here);
  });
}

/** A value as a header writes it; undefined if it is left out. */
function valueText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
  // A longer number has lost digits since it was parsed.
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value);
}
