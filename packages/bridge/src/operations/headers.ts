import type { BodyForm } from "./operation.ts";

/** Headers of the connection, of credentials and of the bridge itself. */
const RESERVED_HEADERS = new Set(
  `accept accept-charset accept-encoding authorization connection cookie cookie2 date expect host http2-settings
  idempotency-key keep-alive origin referer set-cookie te trailer transfer-encoding upgrade x-idempotency-key`.split(
    /\s+/,
  ),
);
/** They replace the method, the host or the path of the request, or say where it came from. */
const REDIRECTING_HEADERS = new Set(
  `cf-connecting-ip client-ip forwarded true-client-ip via x-client-ip x-cluster-client-ip x-forwarded x-host
  x-http-host-override x-http-method x-http-method-override x-method-override x-middleware-subrequest x-override-url
  x-real-ip x-rewrite-url x-url-scheme`.split(/\s+/),
);
const RESERVED_PREFIXES = ["access-control-", "content-", "proxy-", "sec-", "x-envoy-", "x-forwarded-", "x-original-"];

/** Names of headers with credentials or with the identity of a user. */
const CREDENTIAL_NAMES = [
  // `auth` and what begins with it, but not an author.
  /auth(?!or(?!i))/,
  /(?:api|access|subscription|license|private|signing)[-_]?key/,
  /secret|passw(?:or)?d|passphrase|credential|jwt|bearer/,
  /session[-_]?(?:id|key)?$|remote[-_]?user/,
  /(?<!(?:page|pagination|continuation|next|sync|cursor|delta|resume|skip)[-_]?)token$/,
] as const;

/** Whether a header must not be an argument, because callers must not choose its value. */
export function isReservedHeader(name: string): boolean {
  const lower = name.toLowerCase();
  const isListed = RESERVED_HEADERS.has(lower) || REDIRECTING_HEADERS.has(lower);
  return isListed || RESERVED_PREFIXES.some((prefix) => lower.startsWith(prefix));
}

/** Whether a header holds a credential, by its name: it comes from the configuration, never from a caller. */
export function holdsCredential(name: string): boolean {
  const lower = name.toLowerCase();
  return CREDENTIAL_NAMES.some((pattern) => pattern.test(lower));
}

export function isIdempotencyHeader(name: string): boolean {
  return /^(?:x-)?idempotency-key$/i.test(name);
}

export function isHeaderName(name: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]{1,128}$/.test(name);
}

export function isCookieName(name: string): boolean {
  return /^[\w.~-]{1,128}$/.test(name);
}

const MEDIA_TYPE =
  /^[\w!#$&^.+-]{1,64}\/[\w!#$&^.+-]{1,64}(?:\s*;\s*[\w.-]{1,32}=(?:[\w.+-]{1,64}|"[\w .+-]{0,64}"))*$/;

export function isMediaType(text: string): boolean {
  return MEDIA_TYPE.test(text);
}

export function mediaTypeEssence(type: string): string {
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
export function findBodyForm(type: string): { readonly rank: number; readonly form: BodyForm } | undefined {
  const essence = mediaTypeEssence(type);
  const rank = BODY_FORMS.findIndex(([pattern]) => pattern.test(essence));
  const form = BODY_FORMS[rank]?.[1];
  return form === undefined ? undefined : { rank, form };
}
