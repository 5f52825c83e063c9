// Takes a reply apart before a dialect reads it: a JSON-RPC message, its result or error alone, or an HTTP reply.
import { snapshot } from "../errors/snapshot.ts";
import {
  arrayAt,
  integerAt,
  isObject,
  type JsonObject,
  memberAt,
  objectAt,
  parseJson,
  stringAt,
} from "../json/read.ts";

/** Returns the text of the first text block of a tool result. */
export function firstText(result: unknown): string | undefined {
  const block = arrayAt(result, "content").find((one) => stringAt(one, "type") === "text");
  return stringAt(block, "text");
}

/** A JSON-RPC error object. Only the code is certain to be there. */
export interface RpcError {
  readonly code: number;
  readonly message: string | undefined;
  readonly data: unknown;
}

/** Reads `{ code, message, data }`; undefined where the code is not a whole number. */
export function rpcErrorOf(value: unknown): RpcError | undefined {
  const code = integerAt(value, "code");
  return code === undefined ? undefined : { code, message: stringAt(value, "message"), data: memberAt(value, "data") };
}

/** The parts of a reply, as far as it has them. */
export interface ReplyParts {
  readonly result: JsonObject | undefined;
  readonly error: RpcError | undefined;
  /** Status of an HTTP reply. */
  readonly status: number | undefined;
  /** Headers of an HTTP reply. */
  readonly headers: JsonObject | undefined;
  /** Body of an HTTP reply, or else the value itself. */
  readonly body: unknown;
}

/** Splits a reply of any form into its parts. */
export function splitReply(wire: unknown): ReplyParts {
  const status = integerAt(wire, "status");
  const isHttp = status !== undefined && isObject(wire) && "body" in wire;
  const outer = isHttp ? memberAt(wire, "body") : wire;
  const body = isHttp && typeof outer === "string" ? bodyIn(wire, outer) : outer;
  const isMessage = isObject(body) && ("jsonrpc" in body || "result" in body);
  return {
    result: objectAt(body, "result") ?? (isObject(body) && !isMessage ? body : undefined),
    error: rpcErrorOf(memberAt(body, "error")) ?? (isMessage ? undefined : rpcErrorOf(body)),
    status: isHttp ? status : undefined,
    headers: isHttp ? objectAt(wire, "headers") : undefined,
    body,
  };
}

/** The bodies of replies as JSON: each of many readers splits the same reply again. */
const parsedBodies = new WeakMap<object, { readonly text: string; readonly body: unknown }>();

function bodyIn(reply: object, text: string): unknown {
  const known = parsedBodies.get(reply);
  if (known?.text === text) return known.body;
  const body = parseJson(text) ?? text;
  parsedBodies.set(reply, { text, body });
  return body;
}

/** A JSON-RPC error inside a result, or else the error of the reply. */
export function innerErrorOf({ result, error }: ReplyParts): RpcError | undefined {
  return rpcErrorOf(memberAt(result, "error")) ?? error;
}

/**
 * Returns JSON unchanged, and a caught error as a copy of its data, so that none of its code runs.
 * Returns undefined for an object that cannot be inspected.
 */
export function toPlainData(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  try {
    const prototype: unknown = Object.getPrototypeOf(value);
    return prototype === Object.prototype || prototype === null || Array.isArray(value) ? value : snapshot(value);
  } catch {
    return undefined;
  }
}

/** Runs a reader, and returns undefined where a hostile object makes it throw. */
export function tryRead<T>(read: () => T | undefined): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
