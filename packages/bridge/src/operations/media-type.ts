import type { BodyForm } from "./operation.ts";

const TYPE = /^[\w!#$&^.+-]{1,64}\/[\w!#$&^.+-]{1,64}(?:\s*;\s*[\w.-]{1,32}=(?:[\w.+-]{1,64}|"[\w .+-]{0,64}"))*$/;

/** Whether a text is a media type that can stand in a header. */
export function isMediaType(text: string): boolean {
  return TYPE.test(text);
}

/** The type without its parameters. */
export function essenceOf(type: string): string {
  return (type.split(";", 1)[0] ?? "").trim().toLowerCase();
}

/** Media types that can be sent, the preferred first. */
const FORMS: readonly (readonly [pattern: RegExp, form: BodyForm])[] = [
  [/^application\/json$/, "json"],
  [/^\*\/\*$|^application\/\*$/, "json"],
  [/^application\/merge-patch\+json$/, "json"],
  [/^[^/]+\/[^/]+\+json$/, "json"],
  [/^application\/x-www-form-urlencoded$/, "form"],
  [/^multipart\/form-data$/, "multipart"],
  [/^text\/(?!xml$|\*)[^/]+$/, "text"],
  [/^application\/(?:octet-stream|pdf|zip|gzip|x-tar)$|^(?:image|audio|video|font)\/[^/*]+$/, "binary"],
];

/** How preferred a media type is, the smaller the better, and how it is written; undefined when it cannot be sent. */
export function formOf(type: string): { readonly rank: number; readonly form: BodyForm } | undefined {
  const essence = essenceOf(type);
  const rank = FORMS.findIndex(([pattern]) => pattern.test(essence));
  const form = FORMS[rank]?.[1];
  return form === undefined ? undefined : { rank, form };
}
