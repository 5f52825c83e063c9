import type { SecretFilter } from "@recourse/faults";
import { http } from "@recourse/faults/dialects";
import { isObject, redactJson } from "@recourse/faults/internal-do-not-use";
import type { HttpReply } from "../network/exchange.ts";
import { isMediaType } from "../operations/media-type.ts";
import type { Operation } from "../operations/operation.ts";
import { bytesContainSecret } from "./binary.ts";
import { isJsonType, mediaTypeOf, parseExactJson } from "./body.ts";
import { nextPageLink, type ResolveLink, resourceLocation } from "./links.ts";

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
  /** The same as data, where the service sent data. */
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  /** Whether the call failed. */
  readonly isError?: true;
  /** Further data for the client. */
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** Options for a result. */
export interface ResultOptions {
  readonly operation: Operation;
  /** The address of the request. */
  readonly url: URL;
  readonly resolveLink: ResolveLink;
  /** Secrets that are removed from the result. */
  readonly secrets: SecretFilter;
  readonly now: number;
}

/** The result of a successful reply; undefined when it cannot be passed on. `text` is the body, where it is text. */
export function toResult(reply: HttpReply, text: string | undefined, options: ResultOptions): CallResult | undefined {
  const { secrets, operation } = options;
  if (reply.body.byteLength === 0)
    return structuredResult(reply.status === 202 ? acceptedResult(reply, undefined, options) : {});
  if (text === undefined) {
    const isRefused = isJsonType(mediaTypeOf(reply)) || bytesContainSecret(reply.body, secrets);
    return isRefused ? undefined : binaryResult(reply, operation);
  }
  const parsed = mayBeJson(mediaTypeOf(reply), text) ? parseExactJson(text) : NOT_JSON;
  const isRefused = parsed.ok ? false : parsed.code === "too_deep" || secrets.has(text);
  if (isRefused) return undefined;
  const value = parsed.ok ? redactJson(parsed.value, secrets).value : text.toWellFormed();
  if (reply.status === 202) return structuredResult(acceptedResult(reply, value, options));
  if (!parsed.ok) return { content: [{ type: "text", text: String(value) }] };
  return structuredResult(isObject(value) ? value : wrapList(reply, value, options));
}

const NOT_JSON = { ok: false, code: "not_json" } as const;

/** Whether a text may be JSON: by its media type, or by its first character, since many services send a wrong type. */
function mayBeJson(type: string, text: string): boolean {
  return type === "" || isJsonType(type) || /^\s*[[{]/.test(text);
}

function structuredResult(value: Readonly<Record<string, unknown>>): CallResult {
  return { content: [{ type: "text", text: JSON.stringify(value) }], structuredContent: value };
}

/** Structured content has to be an object, so a list becomes `items`. `next` is the call that reads the next page. */
function wrapList(
  reply: HttpReply,
  value: unknown,
  { resolveLink, url }: ResultOptions,
): Readonly<Record<string, unknown>> {
  if (!Array.isArray(value)) return { value };
  const link = nextPageLink(reply.headers);
  const next = link === undefined ? undefined : resolveLink(link, url);
  return { items: value, ...(next !== undefined && { next }) };
}

/** The service accepted the call and still works on it. `operation` is the call that reads the progress. */
function acceptedResult(
  reply: HttpReply,
  body: unknown,
  { resolveLink, url, now }: ResultOptions,
): Readonly<Record<string, unknown>> {
  const location = resourceLocation(reply.headers);
  const operation = location === undefined ? undefined : resolveLink(location, url);
  // The dialect reads every header that names a wait, but only in the reply to a limited call.
  const afterMs = http.decode({ status: 429, headers: reply.headers }, { now })?.retry?.afterMs;
  return {
    status: "accepted",
    operation: operation ?? null,
    ...(afterMs !== undefined && { retry_after_ms: afterMs }),
    ...(body !== undefined && { body }),
  };
}

/** Binary data in the content block of its media type. */
function binaryResult(reply: HttpReply, { name }: Operation): CallResult {
  const named = mediaTypeOf(reply);
  const mimeType = isMediaType(named) ? named : "application/octet-stream";
  const data = Buffer.from(reply.body).toString("base64");
  const [, family] = /^(image|audio)\//.exec(mimeType) ?? [];
  if (family === "image" || family === "audio") return { content: [{ type: family, data, mimeType }] };
  return { content: [{ type: "resource", resource: { uri: `answer:${name}`, mimeType, blob: data } }] };
}
