// Takes a reply apart before a dialect reads it: a JSON-RPC message, its result or error alone, or an HTTP reply.

import { snapshot } from "../errors/peek.ts";
import {
  arrayAt,
  integerAt,
  isObject,
  type JsonObject,
  memberAt,
  objectAt,
  parseJson,
  stringAt,
} from "../wire/json.ts";
import { NAMESPACE } from "../wire/names.ts";
import type { EncodeContext } from "./dialect.ts";

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

/** Reads `{ code, message, data }`; undefined if the code is not a whole number. */
export function asRpcError(value: unknown): RpcError | undefined {
  const code = integerAt(value, "code");
  return code === undefined ? undefined : { code, message: stringAt(value, "message"), data: memberAt(value, "data") };
}

export interface ReplyParts {
  readonly result: JsonObject | undefined;
  readonly error: RpcError | undefined;
  readonly status: number | undefined;
  readonly headers: JsonObject | undefined;
  /** Body of an HTTP reply, or else the value itself. */
  readonly body: unknown;
}

/** Splits a reply of any form into its parts. */
export function splitReply(wire: unknown): ReplyParts {
  const status = integerAt(wire, "status");
  const isHttp = status !== undefined && isObject(wire) && "body" in wire;
  const outer = isHttp ? memberAt(wire, "body") : wire;
  const body = isHttp && typeof outer === "string" ? parseReplyBody(wire, outer) : outer;
  const isMessage = isObject(body) && ("jsonrpc" in body || "result" in body);
  return {
    result: objectAt(body, "result") ?? (isObject(body) && !isMessage ? body : undefined),
    error: asRpcError(memberAt(body, "error")) ?? (isMessage ? undefined : asRpcError(body)),
    status: isHttp ? status : undefined,
    headers: isHttp ? objectAt(wire, "headers") : undefined,
    body,
  };
}

/** The bodies of replies as JSON: each of many readers splits the same reply again. */
const parsedBodies = new WeakMap<object, { readonly text: string; readonly body: unknown }>();

function parseReplyBody(reply: object, text: string): unknown {
  const known = parsedBodies.get(reply);
  if (known?.text === text) return known.body;
  const body = parseJson(text) ?? text;
  parsedBodies.set(reply, { text, body });
  return body;
}

export function innerError({ result, error }: ReplyParts): RpcError | undefined {
  return asRpcError(memberAt(result, "error")) ?? error;
}

/**
 * Returns JSON unchanged, and a caught error as a copy of its data, so that none of its code runs.
 * Returns undefined for an object that cannot be inspected.
 */
export function plainCopy(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  try {
    const prototype: unknown = Object.getPrototypeOf(value);
    return prototype === Object.prototype || prototype === null || Array.isArray(value) ? value : snapshot(value);
  } catch {
    return undefined;
  }
}

/** Tells whether a value is plain JSON without members other than these. It reads none of them. */
export function hasOnly(value: unknown, members: readonly PropertyKey[]): boolean {
  try {
    const isPlain = isObject(value) && Object.getPrototypeOf(value) === Object.prototype;
    return isPlain && Reflect.ownKeys(value).every((key) => members.includes(key));
  } catch {
    return false;
  }
}

export const REPLY_MEMBERS: readonly PropertyKey[] = ["status", "headers", "body"];

/** Runs a reader, and returns undefined if a hostile object makes it throw. */
export function readSafely<T>(read: () => T | undefined): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

// Error objects that systems write into the result of a tool, with or without `isError`.
/** Longer texts are results, not failures. */
const MAX_ERROR_TEXT = 20_000;

export interface ErrorObject {
  readonly error: JsonObject;
  /** Whether a tool may only be showing such an object as its result. */
  readonly isShown: boolean;
}

/**
 * The error object in a result: its member `error`, or the same member of its data or of the JSON in its only text. In the
 * data and in the text it counts only if `recognises` knows its form, since results of tools stand there too.
 */
export function findErrorObject(result: unknown, recognises: (error: JsonObject) => boolean): ErrorObject | undefined {
  const member = objectAt(result, "error");
  if (member !== undefined) return { error: member, isShown: false };
  for (const place of [memberAt(result, "structuredContent"), parseJson(onlyText(result), MAX_ERROR_TEXT)]) {
    const error = objectAt(place, "error");
    if (error !== undefined && recognises(error)) return { error, isShown: memberAt(result, "isError") !== true };
  }
  return undefined;
}

export interface ErrorData<E> {
  /** The same object as in the member `error`, which clients drop that keep only members of the protocol. */
  readonly structuredContent?: { readonly error: E };
}

/** The members of a result that carry an error object in its data, unless the tool has a schema for its data or may have one. */
export function errorAsData<E>(error: E, { outputSchema }: Pick<EncodeContext, "outputSchema">): ErrorData<E> {
  return outputSchema === false ? { structuredContent: { error } } : {};
}

/** The text of a result whose content is one text, if that begins like a JSON object. */
export function onlyText(result: unknown): string | undefined {
  const content = memberAt(result, "content");
  const text = Array.isArray(content) && content.length === 1 ? stringAt(content[0], "text") : undefined;
  return text?.startsWith("{") === true ? text : undefined;
}

/** Longer texts are results, not messages about a failure. */
const MAX_FAILURE_TEXT = 2_000;

/** How clearly a result without `isError` reports a failure: with a flag, or with a member that often means one. */
export type FailureSign = "flag" | "hint";

/** Returns the sign of a failure in a result, or undefined. A result with `isError` has none: it is marked already. */
export function failureSign(result: unknown): FailureSign | undefined {
  if (!isObject(result) || result["isError"] === true) return undefined;
  return readSign(result["structuredContent"]) ?? readSign(parseJson(onlyText(result), MAX_FAILURE_TEXT));
}

/** Checks whether a result reports a failure without `isError`, such as `{ success: false }` or `{ error: … }`. */
export function looksFailed(result: unknown): boolean {
  return failureSign(result) !== undefined;
}

function readSign(value: unknown): FailureSign | undefined {
  if (!isObject(value)) return undefined;
  if (value["success"] === false || value["ok"] === false || value["isError"] === true) return "flag";
  const { status, error } = value;
  const isHint =
    status === "error" || status === "failed" || (typeof error === "string" && error !== "") || isObject(error);
  return isHint ? "hint" : undefined;
}

/** The member of `_meta` in which qaqnuz names the class of a failure. */
export const ERROR_CLASS_KEY: string = `${NAMESPACE}/error_class`;

/** Where the dialects report failures without `isError`: the result itself, or one of its members. */
const FAILURE_MEMBERS = [
  ["result", "error_class"],
  ["structuredContent", "error_class"],
  ["structuredContent", "error"],
  ["_meta", "error_class"],
  ["_meta", ERROR_CLASS_KEY],
] as const;

/**
 * Checks whether a tool result is worth decoding: it has `isError`, or a member in which a dialect reports failures
 * without it. Only a few members are read, so a success costs almost nothing.
 */
export function mayBeFailure(result: unknown): boolean {
  if (!isObject(result)) return false;
  const { isError, error } = result;
  if (isError === true || (error !== undefined && error !== null)) return true;
  const hasMember = FAILURE_MEMBERS.some(
    ([place, name]) => memberAt(place === "result" ? result : objectAt(result, place), name) !== undefined,
  );
  return hasMember || onlyText(result)?.includes('"error"') === true;
}
