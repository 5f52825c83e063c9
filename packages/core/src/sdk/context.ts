// What the SDK tells a handler about its request: version 2 has it under `mcpReq` and `http`, version 1 at the top. This is
// the only place that knows. Members of requests are often inherited, so they are read with a plain look.

import { createSecretFilter, type SecretFilter } from "../safety/secrets.ts";
import { CALL_KEY } from "../wire/names.ts";

type MetaMembers = Readonly<Record<string, unknown>>;

/** The `_meta` of a request; empty if it has none. */
export function requestMeta(context: unknown): MetaMembers {
  const meta = member(member(context, "mcpReq"), "_meta") ?? member(context, "_meta");
  return typeof meta === "object" && meta !== null ? (meta as MetaMembers) : {};
}

/** The signal that is aborted when the caller no longer waits. */
export function requestSignal(context: unknown): AbortSignal | undefined {
  const signal = member(member(context, "mcpReq"), "signal") ?? member(context, "signal");
  return signal instanceof AbortSignal ? signal : undefined;
}

/**
 * Remembers one value for each request, for what is found out later. Each request has a signal of its own, however often the
 * SDK copies the rest of its context.
 */
export class RequestMap<T> {
  readonly #values = new WeakMap<AbortSignal, T>();

  get(context: unknown): T | undefined {
    const signal = requestSignal(context);
    return signal && this.#values.get(signal);
  }

  /** Returns false if the context is not one of a request, so that nothing can be remembered. */
  set(context: unknown, value: T | undefined): boolean {
    const signal = requestSignal(context);
    if (signal === undefined) return false;
    if (value === undefined) this.#values.delete(signal);
    else this.#values.set(signal, value);
    return true;
  }
}

export function withSignal(context: unknown, signal: AbortSignal): unknown {
  if (typeof context !== "object" || context === null) return context;
  const request = member(context, "mcpReq");
  if (typeof request !== "object" || request === null) return withMember(context, "signal", signal);
  return withMember(context, "mcpReq", withMember(request, "signal", signal));
}

/** Members are copied too, not only inherited: the SDK and handlers spread a context to add to it. */
function withMember(of: object, name: string, value: unknown): object {
  const own = { ...Object.getOwnPropertyDescriptors(of), [name]: { value, enumerable: true, configurable: true } };
  return Object.create(of, own) as object;
}

/** How long the caller still waits, as the `_meta` of its request says; zero or less if its time has passed. */
export function callDeadline(meta: unknown): number | undefined {
  const left = member(member(meta, CALL_KEY), "deadlineMs");
  return Number.isFinite(left) ? (left as number) : undefined;
}

export function requestTrace(context: unknown): string | undefined {
  const trace = requestMeta(context)["traceparent"];
  return typeof trace === "string" ? trace : undefined;
}

/** The idempotency key in the `_meta` of a call: whatever the caller put there, so it may be anything. */
export function callIdempotencyKey(meta: unknown): unknown {
  return member(member(meta, CALL_KEY), "key");
}

export function requestAuth(context: unknown): unknown {
  return member(member(context, "http"), "authInfo") ?? member(context, "authInfo");
}

/** The session of the request; undefined if its transport has none. */
export function requestSession(context: unknown): string | undefined {
  const id = member(context, "sessionId");
  return typeof id === "string" ? id : undefined;
}

/**
 * Whether other callers may use the same server: over HTTP, and over any transport that has sessions. Over stdio and in
 * memory there is one caller.
 */
export function isShared(context: unknown): boolean {
  return ["http", "requestInfo", "sessionId"].some((name) => member(context, name) !== undefined);
}

/** Headers of a request, in either of the forms that the SDK uses. */
export type RequestHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The headers of the HTTP request; undefined if there was none. */
export function requestHeaders(context: unknown): RequestHeaders | undefined {
  const headers =
    member(member(context, "requestInfo"), "headers") ?? member(member(member(context, "http"), "req"), "headers");
  return typeof headers === "object" && headers !== null ? (headers as RequestHeaders) : undefined;
}

/** A filter for the credentials that came with this request: they must not go back in an answer, nor into a log. */
export function requestSecrets(context: unknown): SecretFilter | undefined {
  const token = member(requestAuth(context), "token");
  const headers = requestHeaders(context);
  const entries: Iterable<readonly [string, unknown]> =
    headers instanceof Headers ? headers : Object.entries(headers ?? {});
  const sent = [...entries].flatMap(([name, value]) => (isCredentialHeader(name) ? [value].flat() : []));
  return credentialFilter([token, ...sent].filter((one) => typeof one === "string"));
}

const CREDENTIAL_HEADER = /auth|cookie|key|token|secret/i;

export function isCredentialHeader(name: string): boolean {
  return CREDENTIAL_HEADER.test(name);
}

/** Shorter parts are ignored: they are words such as `Bearer`, and callers choose them. */
const MIN_PART_LENGTH = 8;

/** A filter for credentials as they came with a request: each whole, each of its parts, and a Basic one decoded. */
export function credentialFilter(values: readonly string[]): SecretFilter | undefined {
  return values.length === 0 ? undefined : createSecretFilter(credentialParts(values));
}

/** What of credentials must not be shown: each whole, each of its parts, and a Basic one decoded. */
export function credentialParts(values: readonly string[]): readonly string[] {
  const parts = values.flatMap((value) => [value, ...splitCredential(value)]);
  return parts.filter((part) => part.length >= MIN_PART_LENGTH);
}

function splitCredential(value: string): string[] {
  const parts = value.slice(0, 8_192).split(/[\s;,]+|(?<=\w)=(?=\w)/);
  const [scheme = "", encoded = ""] = value.split(" ");
  if (scheme.toLowerCase() !== "basic") return parts;
  try {
    const pair = atob(encoded);
    return [...parts, pair, pair.slice(pair.indexOf(":") + 1)];
  } catch {
    return parts;
  }
}

/** A member of any value, also an inherited one. A member that throws is absent. */
export function member(of: unknown, key: string): unknown {
  if (typeof of !== "object" || of === null) return undefined;
  try {
    return (of as Readonly<Record<string, unknown>>)[key];
  } catch {
    return undefined;
  }
}
