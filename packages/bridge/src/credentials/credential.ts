import type { Fault } from "@recourse/faults";
import type { Network } from "../network/network.ts";
import type { SecurityScheme } from "../operations/security.ts";

/** What a credential adds to a request. */
export interface Added {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly cookies?: Readonly<Record<string, string>>;
}

/** A request as far as a credential may look at it. */
export interface Occasion {
  /** A header of the caller's own request. */
  readonly callerHeader: (name: string) => string | undefined;
  readonly network: Network;
  readonly signal: AbortSignal | undefined;
  readonly now: () => number;
}

/** A credential for one request, or why there is none. */
export type Proof =
  | {
      readonly ok: true;
      readonly added: Added;
      /** Values that came with this request alone, so that they stay out of its answer. */
      readonly secrets: readonly string[];
      /** The service refused it; true when another can be had. */
      readonly renew?: () => boolean;
    }
  | { readonly ok: false; readonly fault: Fault; readonly cause?: unknown };

/** What proves to a service who calls; it comes from the operator or the caller's request, never from a model. */
export interface Credential {
  /** Whose it is: the refusal of the server's own one is nothing that a caller could act on. */
  readonly owner: "own" | "caller";
  /** Values to keep out of everything that leaves. */
  readonly secrets: readonly string[];
  /** Whether it is of the kind that a scheme asks for; undefined where the document has no scheme. */
  fits(scheme: SecurityScheme | undefined): boolean;
  /** Makes it for one request. */
  prove(scheme: SecurityScheme | undefined, occasion: Occasion): Promise<Proof>;
  /** Forgets what it holds. */
  close?(): void;
}

/** Whether a scheme takes a token in the `Authorization` header. */
export function takesToken(scheme: SecurityScheme | undefined): boolean {
  if (scheme === undefined || scheme.type === "oauth2" || scheme.type === "openIdConnect") return true;
  if (scheme.type === "http") return scheme.scheme === "bearer";
  // Some describe the header instead of the scheme.
  return scheme.type === "apiKey" && scheme.in === "header" && scheme.key.toLowerCase() === "authorization";
}
