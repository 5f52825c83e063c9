import type { Fault } from "../../fault/fault.ts";
import { knownKind } from "../../fault/kinds.ts";
import type { HandlerOptions } from "./options.ts";

/** What may stand between the quotation marks of a parameter. */
const PARAMETER = /^[\x21\x23-\x5b\x5d-\x7e]{1,512}$/;

/** What a challenge says: where to get a token, and for which scopes. */
export interface Challenge {
  /** What tokens are for. A host that reads that they are API keys need not look for a place to sign in. */
  readonly realm?: string | undefined;
  readonly resourceMetadata?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
}

/** `WWW-Authenticate` for a fault; undefined where it needs none. It never says why credentials were refused. */
export function challengeFor(fault: Fault, options: HandlerOptions, given: Challenge = {}): string | undefined {
  const resourceMetadata = given.resourceMetadata ?? options.resourceMetadata;
  if (knownKind(fault) === "unauthenticated") {
    return write({
      realm: given.realm,
      scope: joined(given.scopes ?? options.scopes),
      resource_metadata: safe(resourceMetadata),
    });
  }
  if (fault.reason !== "auth/insufficient_scope") return undefined;
  const missing = fault.params?.["scopes"];
  const scopes = given.scopes ?? (Array.isArray(missing) ? missing : []);
  return write({
    error: "insufficient_scope",
    scope: joined(scopes),
    resource_metadata: safe(resourceMetadata),
  });
}

/** Reads the parameters of a handler's own challenge that programs act on. */
export function readChallenge(header: string | null): Challenge & { readonly insufficient: boolean } {
  const params = new Map<string, string>();
  for (const [, key = "", value = ""] of (header ?? "").slice(0, 4_096).matchAll(/([a-z_]{1,32})="([^"\\]{0,512})"/g)) {
    if (!params.has(key)) params.set(key, value);
  }
  return {
    insufficient: params.get("error") === "insufficient_scope",
    resourceMetadata: params.get("resource_metadata"),
    scopes: params.get("scope")?.split(" "),
  };
}

function write(params: Readonly<Record<string, string | undefined>>): string {
  const shown = Object.entries(params).filter(([, value]) => value !== undefined);
  return ["Bearer", shown.map(([key, value]) => `${key}="${value}"`).join(", ")].join(" ").trimEnd();
}

function joined(scopes: readonly unknown[] | undefined): string | undefined {
  const shown = (scopes ?? []).filter((scope) => typeof scope === "string" && PARAMETER.test(scope));
  return shown.length === 0 ? undefined : shown.slice(0, 20).join(" ");
}

function safe(value: string | undefined): string | undefined {
  return value !== undefined && PARAMETER.test(value) ? value : undefined;
}
