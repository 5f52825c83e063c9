// What the SDK tells a handler about its request: version 2 has it under `mcpReq` and `http`, version 1 at the top. This is
// the only place that knows. Members of requests are often inherited, so they are read with a plain look.
import { CALL_KEY } from "../json/names.ts";
import type { SecretFilter } from "../safety/secrets.ts";
import { credentialFilter, isCredentialHeader } from "./credentials.ts";
import { member } from "./member.ts";

type Members = Readonly<Record<string, unknown>>;

/** The `_meta` of a request; empty where it has none. */
export function metaOf(context: unknown): Members {
  const meta = member(member(context, "mcpReq"), "_meta") ?? member(context, "_meta");
  return typeof meta === "object" && meta !== null ? (meta as Members) : {};
}

/** The signal that is aborted when the caller no longer waits. */
export function signalOf(context: unknown): AbortSignal | undefined {
  const signal = member(member(context, "mcpReq"), "signal") ?? member(context, "signal");
  return signal instanceof AbortSignal ? signal : undefined;
}

/** The same context with another signal, for a handler; everything else is read from the original. */
export function withSignal(context: unknown, signal: AbortSignal): unknown {
  if (typeof context !== "object" || context === null) return context;
  const request = member(context, "mcpReq");
  if (typeof request !== "object" || request === null)
    return Object.create(context, { signal: { value: signal, enumerable: true } });
  const mcpReq: unknown = Object.create(request, { signal: { value: signal, enumerable: true } });
  return Object.create(context, { mcpReq: { value: mcpReq, enumerable: true } });
}

/** How long the caller still waits, as it says itself; zero or less where its time has passed. */
export function callerDeadlineOf(context: unknown): number | undefined {
  return deadlineIn(metaOf(context));
}

/** The same, from a `_meta`. */
export function deadlineIn(meta: unknown): number | undefined {
  const left = member(member(meta, CALL_KEY), "deadlineMs");
  return Number.isFinite(left) ? (left as number) : undefined;
}

/** W3C traceparent of the request. */
export function traceOf(context: unknown): string | undefined {
  const trace = metaOf(context)["traceparent"];
  return typeof trace === "string" ? trace : undefined;
}

/** The idempotency key of the call: whatever the caller put there, so it may be anything. */
export function idempotencyKeyOf(context: unknown): unknown {
  return idempotencyKeyIn(metaOf(context));
}

/** The same, from a `_meta`. */
export function idempotencyKeyIn(meta: unknown): unknown {
  return member(member(meta, CALL_KEY), "key");
}

/** What an authenticator found out about the caller, as the SDK passes it on. */
export function authOf(context: unknown): unknown {
  return member(member(context, "http"), "authInfo") ?? member(context, "authInfo");
}

/** The session of the request; undefined where its transport has none. */
export function sessionIdOf(context: unknown): string | undefined {
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

/** The headers of the HTTP request; undefined where there was none. */
export function headersOf(context: unknown): RequestHeaders | undefined {
  const headers =
    member(member(context, "requestInfo"), "headers") ?? member(member(member(context, "http"), "req"), "headers");
  return typeof headers === "object" && headers !== null ? (headers as RequestHeaders) : undefined;
}

/** A filter for the credentials that came with this request: they must not go back in an answer, nor into a log. */
export function secretsOf(context: unknown): SecretFilter | undefined {
  const token = member(authOf(context), "token");
  const headers = headersOf(context);
  const entries: Iterable<readonly [string, unknown]> =
    headers instanceof Headers ? headers : Object.entries(headers ?? {});
  const sent = [...entries].flatMap(([name, value]) => (isCredentialHeader(name) ? [value].flat() : []));
  return credentialFilter([token, ...sent].filter((one) => typeof one === "string"));
}
