import { FaultError } from "@recourse/faults";
import type { Authenticate, Authentication } from "@recourse/faults/server";
import type { Caller } from "../access/caller.ts";
import { lackOf, refusalFor } from "../access/permit.ts";
import type { Operation } from "../operations/operation.ts";
import { TOOLS } from "../operations/operations.ts";
import { callerOf, type Service } from "../operations/perform.ts";
import { dialectNameOf } from "./dialect.ts";

/** What the handlers of tools get to know about the caller. */
export interface AuthInfo {
  readonly token: string;
  readonly clientId: string;
  readonly scopes: string[];
  readonly extra: { readonly caller: Caller };
}

/**
 * Finds out who calls a tool, once for each request, and hands it on.
 *
 * MCP refuses credentials with HTTP's own statuses, so that hosts know that they have to sign in; the system refuses them
 * in the result of the tool, where its clients look. The wire that a request names decides.
 */
export function authenticateWith(service: Service): Authenticate {
  return async (request, message) => {
    const tool = toolOf(message);
    if (tool === undefined) return { ok: true };
    const caller = await callerOf(tool, request.headers, service);
    const auth = authInfoOf(caller);
    const isInResult = dialectNameOf(metaOf(message), request.url) === "closient";
    return isInResult || tool.access === "open" ? { ok: true, auth } : judged(tool.access, caller, auth, service);
  };
}

function judged(
  access: Exclude<Operation["access"], "open">,
  caller: Caller,
  auth: AuthInfo,
  service: Service,
): Authentication {
  // What could not be checked is a failure of this server, and no refusal: the tool tells it.
  if (caller.is === "unchecked" || lackOf(access, caller) === undefined) return { ok: true, auth };
  const refusal = refusalFor(access, caller, service.limiter);
  if (FaultError.is(refusal) && refusal.fault.kind === "rate_limited") throw refusal;
  const isKnown = caller.is === "known" && access !== "limited";
  return isKnown ? { ok: false, challenge: { scopes: [access.scope] }, auth } : { ok: false };
}

function authInfoOf(caller: Caller): AuthInfo {
  const known = caller.is === "known" ? caller : { token: "", subject: "", scopes: [] };
  return { token: known.token, clientId: known.subject, scopes: [...known.scopes], extra: { caller } };
}

interface Message {
  readonly method?: unknown;
  readonly params?: { readonly name?: unknown; readonly _meta?: unknown };
}

function toolOf(message: unknown): Operation | undefined {
  const { method, params } = (message ?? {}) as Message;
  return method === "tools/call" ? TOOLS.find(({ name }) => name === params?.name) : undefined;
}

function metaOf(message: unknown): unknown {
  return ((message ?? {}) as Message).params?._meta;
}
