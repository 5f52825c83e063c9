import { gunzipSync } from "node:zlib";
import { MIN_SECRET_LENGTH, type SecretFilter } from "@recourse/core";
import { http } from "@recourse/core/dialects";
import { findTextRuns, readText, redactJson } from "@recourse/core/safety";
import { isObject } from "@recourse/core/wire";
import { toPlainData } from "../document/document.ts";
import { firstHeader, type HttpReply } from "../network/exchange.ts";
import { isMediaType, mediaTypeEssence } from "../operations/headers.ts";
import type { Operation } from "../operations/operation.ts";

/** One content block of a tool result. */
export type ContentBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image" | "audio"; readonly data: string; readonly mimeType: string }
  | {
      readonly type: "resource";
      readonly resource: { readonly uri: string; readonly mimeType: string; readonly blob: string };
    };

/** The result of a tool call, as the protocol defines it. */
export interface CallResult {
  /** The content for the model. */
  readonly content: readonly ContentBlock[];
  /** The same as data, if the service sent data. */
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  /** Whether the call failed. */
  readonly isError?: true;
  /** Further data for the client. */
  readonly _meta?: Readonly<Record<string, unknown>>;
}

interface ResultOptions {
  readonly operation: Operation;
  readonly secrets: SecretFilter;
  readonly now: number;
}

/** The result of a successful reply; undefined when it cannot be passed on. `text` is the body, if it is text. */
export function toResult(reply: HttpReply, text: string | undefined, options: ResultOptions): CallResult | undefined {
  const { secrets, operation, now } = options;
  if (reply.body.byteLength === 0)
    return structuredResult(reply.status === 202 ? acceptedResult(reply, undefined, now) : {});
  if (text === undefined) {
    const isRefused = isJsonType(readMediaType(reply)) || bytesContainSecret(reply.body, secrets);
    return isRefused ? undefined : binaryResult(reply, operation);
  }
  const parsed = mayBeJson(readMediaType(reply), text) ? parseExactJson(text) : NOT_JSON;
  if (!parsed.ok && (parsed.code === "too_deep" || secrets.has(text))) return undefined;
  const value = parsed.ok ? redactJson(parsed.value, secrets).value : text.toWellFormed();
  if (reply.status === 202) return structuredResult(acceptedResult(reply, value, now));
  if (!parsed.ok) return { content: [{ type: "text", text: String(value) }] };
  if (isObject(value)) return structuredResult(value);
  // Structured content has to be an object.
  return structuredResult(Array.isArray(value) ? { items: value } : { value });
}

const NOT_JSON = { ok: false, code: "not_json" } as const;

/** Whether a text may be JSON: by its media type, or by its first character, since many services send a wrong type. */
function mayBeJson(type: string, text: string): boolean {
  return type === "" || isJsonType(type) || /^\s*[[{]/.test(text);
}

function structuredResult(value: Readonly<Record<string, unknown>>): CallResult {
  return { content: [{ type: "text", text: JSON.stringify(value) }], structuredContent: value };
}

/** The service accepted the call and still works on it. */
function acceptedResult(reply: HttpReply, body: unknown, now: number): Readonly<Record<string, unknown>> {
  // The dialect reads every header that names a wait, but only in the reply to a limited call.
  const afterMs = http.decode({ status: 429, headers: reply.headers }, { now })?.retry?.afterMs;
  return {
    status: "accepted",
    ...(afterMs !== undefined && { retry_after_ms: afterMs }),
    ...(body !== undefined && { body }),
  };
}

function binaryResult(reply: HttpReply, { name }: Operation): CallResult {
  const named = readMediaType(reply);
  const mimeType = isMediaType(named) ? named : "application/octet-stream";
  const data = Buffer.from(reply.body).toString("base64");
  const [, family] = /^(image|audio)\//.exec(mimeType) ?? [];
  if (family === "image" || family === "audio") return { content: [{ type: family, data, mimeType }] };
  return { content: [{ type: "resource", resource: { uri: `answer:${name}`, mimeType, blob: data } }] };
}

/** The media type of a reply without its parameters; empty if the reply has none. */
export function readMediaType({ headers }: Pick<HttpReply, "headers">): string {
  return mediaTypeEssence(firstHeader(headers, "content-type") ?? "");
}

export function isJsonType(type: string): boolean {
  return /^(?:application|text)\/json$|^[^/]+\/[^/]+\+json$/.test(type);
}

function isTextType(type: string): boolean {
  const format = /^text\/|[/+](?:xml|yaml|x-yaml|javascript|x-www-form-urlencoded|x-ndjson|jsonl|csv|graphql)$/;
  return type === "" || isJsonType(type) || format.test(type);
}

/**
 * The body as text, in the character set that the reply names. Undefined when the body is not text: by its media type, or
 * since its bytes are not valid in the character set or can only be binary data.
 */
export function bodyText(reply: Pick<HttpReply, "headers" | "body">): string | undefined {
  const type = readMediaType(reply);
  if (!isTextType(type)) return undefined;
  const [, charset] = /;\s*charset="?([\w.:-]{1,40})/i.exec(firstHeader(reply.headers, "content-type") ?? "") ?? [];
  return readText(reply.body, { charset });
}

/** A number with so many digits may lose some of them when it is parsed. */
const LONG_INTEGER = /\d{16}/;

type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly code: "not_json" | "too_deep" };

/** Parses JSON as plain data of bounded depth, without `__proto__`, and keeps all digits of long integers. */
export function parseExactJson(text: string): ParsedJson {
  let value: unknown;
  try {
    value = LONG_INTEGER.test(text) ? JSON.parse(text, keepLongIntegers as Reviver) : JSON.parse(text);
  } catch {
    return { ok: false, code: "not_json" };
  }
  try {
    return { ok: true, value: toPlainData(value) };
  } catch {
    return { ok: false, code: "too_deep" };
  }
}

type Reviver = (key: string, value: unknown) => unknown;

/** An integer that would lose digits stays a text: it is nearly always an identifier. */
function keepLongIntegers(_: string, value: unknown, context?: { readonly source?: string }): unknown {
  const isRounded = typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value);
  return isRounded && /^-?\d+$/.test(context?.source ?? "") ? context?.source : value;
}

/** A compressed body that expands to more than this is not passed on. */
const MAX_EXPANDED_BYTES = 16_777_216;

/** Tells whether binary data contains a secret: in UTF-8 or UTF-16, plain or compressed with gzip. */
export function bytesContainSecret(bytes: Uint8Array, secrets: SecretFilter): boolean {
  if (secrets.size === 0) return false;
  if (hasSecret(bytes, secrets)) return true;
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return false;
  try {
    return hasSecret(gunzipSync(bytes, { maxOutputLength: MAX_EXPANDED_BYTES }), secrets);
  } catch (error) {
    return (error as { readonly code?: unknown }).code === "ERR_BUFFER_TOO_LARGE";
  }
}

function hasSecret(bytes: Uint8Array, secrets: SecretFilter): boolean {
  return secrets.has(findTextRuns(Buffer.from(bytes).toString("latin1"), MIN_SECRET_LENGTH).join("\n"));
}
