import { readText } from "@recourse/faults/internal-do-not-use";
import { toPlainData } from "../document/parse.ts";
import type { HttpReply, ReplyHeaders } from "../network/exchange.ts";
import { essenceOf } from "../operations/media-type.ts";

/** The first value of a header. */
export function firstHeader(headers: ReplyHeaders, name: string): string | undefined {
  return [headers[name] ?? []].flat()[0];
}

/** The media type of a reply without its parameters; empty where the reply has none. */
export function mediaTypeOf({ headers }: Pick<HttpReply, "headers">): string {
  return essenceOf(firstHeader(headers, "content-type") ?? "");
}

/** Whether a media type is JSON. */
export function isJsonType(type: string): boolean {
  return /^(?:application|text)\/json$|^[^/]+\/[^/]+\+json$/.test(type);
}

/** Whether a media type is text; most structured formats are. */
function isTextType(type: string): boolean {
  return (
    type === "" ||
    isJsonType(type) ||
    type.startsWith("text/") ||
    /[/+](?:xml|yaml|x-yaml|javascript|x-www-form-urlencoded|x-ndjson|jsonl|csv|graphql)$/.test(type)
  );
}

/**
 * The body as text, in the character set that the reply names. Undefined when the body is not text: by its media type, or
 * since its bytes are not valid in the character set or can only be binary data.
 */
export function bodyText(reply: Pick<HttpReply, "headers" | "body">): string | undefined {
  const type = mediaTypeOf(reply);
  if (!isTextType(type)) return undefined;
  const [, charset] = /;\s*charset="?([\w.:-]{1,40})/i.exec(firstHeader(reply.headers, "content-type") ?? "") ?? [];
  return readText(reply.body, { charset });
}

/** A number with so many digits may lose some of them when it is parsed. */
const LONG_NUMBER = /\d{16}/;

/** The value of a JSON text, or why it cannot be used. */
export type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly code: "not_json" | "too_deep" };

/** Parses JSON as plain data of bounded depth, without `__proto__`, and keeps all digits of long integers. */
export function parseExactJson(text: string): ParsedJson {
  let value: unknown;
  try {
    value = LONG_NUMBER.test(text) ? JSON.parse(text, keepLongIntegers as Reviver) : JSON.parse(text);
  } catch {
    return { ok: false, code: "not_json" };
  }
  const plain = toPlainData(value);
  return plain.ok ? plain : { ok: false, code: "too_deep" };
}

type Reviver = (key: string, value: unknown) => unknown;

/** An integer that would lose digits stays a text: it is nearly always an identifier. */
function keepLongIntegers(_: string, value: unknown, context?: { readonly source?: string }): unknown {
  const isRounded = typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value);
  return isRounded && /^-?\d+$/.test(context?.source ?? "") ? context?.source : value;
}
