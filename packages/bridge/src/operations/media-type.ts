import type { BodyForm } from "./operation.ts";

const MEDIA_TYPE =
  /^[\w!#$&^.+-]{1,64}\/[\w!#$&^.+-]{1,64}(?:\s*;\s*[\w.-]{1,32}=(?:[\w.+-]{1,64}|"[\w .+-]{0,64}"))*$/;

/** Whether a text is a media type that a header can hold. */
export function isMediaType(text: string): boolean {
  return MEDIA_TYPE.test(text);
}

/** The media type in lower case, without its parameters. */
export function essenceOf(type: string): string {
  return (type.split(";", 1)[0] ?? "").trim().toLowerCase();
}

/** Media types that can be sent, in order of preference. */
const BODY_FORMS: readonly (readonly [pattern: RegExp, form: BodyForm])[] = [
  [/^application\/json$/, "json"],
  [/^\*\/\*$|^application\/\*$/, "json"],
  [/^application\/merge-patch\+json$/, "json"],
  [/^[^/]+\/[^/]+\+json$/, "json"],
  [/^application\/x-www-form-urlencoded$/, "form"],
  [/^multipart\/form-data$/, "multipart"],
  [/^text\/(?!xml$|\*)[^/]+$/, "text"],
  [/^application\/(?:octet-stream|pdf|zip|gzip|x-tar)$|^(?:image|audio|video|font)\/[^/*]+$/, "binary"],
];

/** The encoding of a media type and its rank, the lowest preferred; undefined when it cannot be sent. */
export function bodyFormOf(type: string): { readonly rank: number; readonly form: BodyForm } | undefined {
  const essence = essenceOf(type);
  const rank = BODY_FORMS.findIndex(([pattern]) => pattern.test(essence));
  const form = BODY_FORMS[rank]?.[1];
  return form === undefined ? undefined : { rank, form };
}
