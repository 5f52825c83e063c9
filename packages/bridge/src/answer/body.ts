import type { Reply, ReplyHeaders } from "../network/reply.ts";
import { essenceOf } from "../operations/media-type.ts";

/** The first value of a header. */
export function headerAt(headers: ReplyHeaders, name: string): string | undefined {
  return [headers[name] ?? []].flat()[0];
}

/** The media type of an answer without its parameters; empty where it has none. */
export function typeOf({ headers }: Pick<Reply, "headers">): string {
  return essenceOf(headerAt(headers, "content-type") ?? "");
}

/** Whether a media type is one of JSON. */
export function isJsonType(type: string): boolean {
  return /^(?:application|text)\/json$|^[^/]+\/[^/]+\+json$/.test(type);
}

/** Whether a media type is one of text, to which most structured forms belong. */
function isTextType(type: string): boolean {
  return (
    type === "" ||
    isJsonType(type) ||
    type.startsWith("text/") ||
    /[/+](?:xml|yaml|x-yaml|javascript|x-www-form-urlencoded|x-ndjson|jsonl|csv|graphql)$/.test(type)
  );
}

/** The body as text, in the character set that it names; undefined when it is none. */
export function textOf(reply: Pick<Reply, "headers" | "body">): string | undefined {
  const type = typeOf(reply);
  if (!isTextType(type)) return undefined;
  const [, charset = "utf-8"] =
    /;\s*charset="?([\w.:-]{1,40})/i.exec(headerAt(reply.headers, "content-type") ?? "") ?? [];
  try {
    // Without a type, bytes that are no text are taken for what they are.
    return new TextDecoder(charset, { fatal: type === "" }).decode(reply.body);
  } catch {
    return undefined;
  }
}
