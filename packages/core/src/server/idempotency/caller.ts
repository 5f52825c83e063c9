import type { Fault } from "../../fault/fault.ts";
import { unavailable } from "../../reasons/library/core.ts";
import { caller_unknown } from "../../reasons/library/idempotency.ts";
import { isShared, requestAuth, requestHeaders, requestSession } from "../../sdk/context.ts";
import { callerFacts, readIdText } from "../../sdk/identity.ts";
import { canonical } from "../../wire/json.ts";

/** The request of a caller. */
export interface CallerRequest {
  /** The headers of the HTTP request; empty over any other transport. */
  readonly headers: Headers;
  /** The session of the transport; undefined if it has none. */
  readonly sessionId: string | undefined;
}

/** The name of a caller. Undefined, null, blank text and inexact numbers are not names. */
export type CallerName = string | number | bigint | null | undefined;

/** Names the caller of a request, from its `authInfo` and its headers. */
export type CallerRule = (auth: unknown, request: CallerRequest) => CallerName | Promise<CallerName>;

/** Who makes a call. */
export type CallerIdentity =
  | {
      /** `known` by authentication or by the author's rule, or the `only` one, as over stdio. */
      readonly kind: "known" | "only";
      /** A digest of what identifies the caller. */
      readonly owner: string;
    }
  /** The caller did not sign in, or the authenticated request names neither a subject nor a token. */
  | { readonly kind: "anonymous" | "unnamed" }
  /** The author's rule failed. */
  | { readonly kind: "failed"; readonly cause: unknown };

/** Finds out who makes a call; never rejects. */
export async function identifyCaller(context: unknown, rule?: CallerRule): Promise<CallerIdentity> {
  const auth = requestAuth(context) ?? undefined;
  if (rule === undefined && auth === undefined && !isShared(context)) {
    return { kind: "only", owner: await canonicalDigest(["only"]) };
  }
  try {
    const facts = rule === undefined ? callerFacts(auth) : readIdText(await rule(auth, callerRequest(context)));
    if (facts === undefined) return { kind: auth === undefined ? "anonymous" : "unnamed" };
    return { kind: "known", owner: await canonicalDigest([rule === undefined ? "facts" : "name", facts]) };
  } catch (cause) {
    return { kind: "failed", cause };
  }
}

/** Why a call with a key is refused; undefined for a caller who may have keys. */
export function callerRefusal(caller: CallerIdentity): { readonly fault: Fault; readonly cause?: unknown } | undefined {
  switch (caller.kind) {
    case "known":
    case "only":
      return undefined;
    case "anonymous":
      return { fault: caller_unknown.fault() };
    case "unnamed": {
      const cause = new Error(
        "a request was authenticated, but neither a subject nor a token was found in its authInfo: name the caller with the option `caller` of guard",
      );
      return { fault: caller_unknown.fault(), cause };
    }
    case "failed":
      return { fault: unavailable.fault({}, { effect: "none" }), cause: caller.cause };
  }
}

function callerRequest(context: unknown): CallerRequest {
  const sent = requestHeaders(context);
  const headers = new Headers(sent instanceof Headers ? sent : undefined);
  if (!(sent instanceof Headers)) {
    for (const [name, values] of Object.entries(sent ?? {})) {
      for (const value of [values ?? []].flat()) headers.append(name, String(value));
    }
  }
  return { headers, sessionId: requestSession(context) };
}

export async function canonicalDigest(value: unknown): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(canonical(value)));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Marks a server with the rule of its guard, so that other packages name callers alike. */
const RULE = Symbol.for("recourse/caller");
interface RuledServer {
  [RULE]?: CallerRule | undefined;
}

export function setCallerRule(server: object, rule: CallerRule | undefined): void {
  (server as RuledServer)[RULE] = rule;
}

/** How the callers of a server are named; undefined if its author gave no rule. */
export function callerRule(server: object): CallerRule | undefined {
  return (server as RuledServer)[RULE];
}
