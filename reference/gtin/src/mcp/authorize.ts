import { FaultError } from "@recourse/faults";
import type { Authentication, Authorize } from "@recourse/faults/server";
import { accessError, type Caller, credentialError } from "../access/permit.ts";
import type { Operation } from "../operations/operation.ts";
import { TOOLS } from "../operations/operations.ts";
import { callerOf, type Service } from "../operations/perform.ts";
import { dialectNameOf } from "./dialect.ts";

/** What tool handlers learn about the caller. */
export interface AuthInfo {
  readonly token: string;
  readonly clientId: string;
  readonly scopes: string[];
  readonly extra: { readonly caller: Caller };
}

/**
 * Identifies the caller of a tool once per request.
 *
 * MCP refuses credentials with HTTP statuses, so that hosts know that they have to sign in. Closient's document refuses them
 * in the result of the tool. The dialect of the request decides.
 */
export function createAuthorize(service: Service): Authorize {
  return async ({ request, message }) => {
    const tool = toolOf(message);
    if (tool === undefined) return { ok: true };
    const caller = await callerOf(tool, request.headers, service);
    const auth = authInfoOf(caller);
    const isInResult = dialectNameOf(metaOf(message), request.url) === "closient";
    return isInResult || tool.access === "open"
      ? { ok: true, auth }
      : authenticationOf(tool.access, caller, auth, service);
  };
}

function authenticationOf(
  access: Exclude<Operation["access"], "open">,
  caller: Caller,
  auth: AuthInfo,
  service: Service,
): Authentication {
  // Credentials that could not be checked are a failure of this server, which the tool reports.
  if (caller.kind === "unchecked" || credentialError(access, caller) === undefined) return { ok: true, auth };
  const refusal = accessError(access, caller, service.limiter);
  if (FaultError.is(refusal) && refusal.fault.kind === "rate_limited") throw refusal;
  const isKnown = caller.kind === "authenticated" && access !== "limited";
  return isKnown ? { ok: false, challenge: { scopes: [access.scope] }, auth } : { ok: false };
}

function authInfoOf(caller: Caller): AuthInfo {
  const known = caller.kind === "authenticated" ? caller : { token: "", subject: "", scopes: [] };
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
