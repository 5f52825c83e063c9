import { type Fault, registerSecrets } from "@recourse/faults";
import { MIN_SECRET_LENGTH } from "@recourse/faults/internal-do-not-use";
import type { Network } from "../network/create-network.ts";
import type { SecurityScheme } from "../operations/security.ts";

/** What a credential adds to a request. */
export interface CredentialParts {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly cookies?: Readonly<Record<string, string>>;
}

/** What a credential can use to authenticate one request. */
export interface CredentialContext {
  /** Reads a header of the caller's request. */
  readonly callerHeader: (name: string) => string | undefined;
  readonly network: Network;
  readonly signal: AbortSignal | undefined;
  readonly now: () => number;
}

/** The credential of one request, or why there is none. */
export type Applied =
  | {
      readonly ok: true;
      readonly parts: CredentialParts;
      /** Credentials that came with this request. They are kept out of its answer. */
      readonly secrets: readonly string[];
      /** Called when the service refused the credential. Returns true when a new one can be requested. */
      readonly renew?: () => boolean;
    }
  | { readonly ok: false; readonly fault: Fault; readonly cause?: unknown };

/**
 * A credential for the API. It comes from your configuration or from the caller's request, never from a model. Make one with
 * `bearer`, `basic`, `apiKey`, `clientCredentials` or `forward`.
 */
export interface Credential {
  /** Whose credential it is. Callers cannot act on the refusal of a credential of this server. */
  readonly owner: "own" | "caller";
  /** Values that are kept out of every answer and log, if they have six characters or more. */
  readonly secrets: readonly string[];
  /** Whether the credential suits a security scheme; undefined where the document has no schemes. */
  fits(scheme: SecurityScheme | undefined): boolean;
  /** Makes the credential of one request. */
  apply(scheme: SecurityScheme | undefined, context: CredentialContext): Promise<Applied>;
  /** Forgets the tokens that it holds. */
  close?(): void;
}

/** Whether a scheme takes a token in the `Authorization` header. */
export function takesToken(scheme: SecurityScheme | undefined): boolean {
  if (scheme === undefined || scheme.type === "oauth2" || scheme.type === "openIdConnect") return true;
  if (scheme.type === "http") return scheme.scheme === "bearer";
  // Some documents describe the header instead of the scheme.
  return scheme.type === "apiKey" && scheme.in === "header" && scheme.key.toLowerCase() === "authorization";
}

const MAX_HEADER_LENGTH = 8_192;

/** Whether a text can be the value of a header: one line of visible ASCII. */
export function isHeaderValue(value: unknown): value is string {
  return typeof value === "string" && value.length <= MAX_HEADER_LENGTH && /^[!-~](?:[ -~]*[!-~])?$/.test(value);
}

/** Whether a text can be the value of a cookie unescaped. */
export function isCookieValue(value: string): boolean {
  return isHeaderValue(value) && !/[\s",;\\]/.test(value);
}

/** Returns the value, or throws an error that names what it is for and never shows it. */
export function checkHeaderValue(value: unknown, what: string): string {
  if (!isHeaderValue(value))
    throw new TypeError(
      `the ${what} is not a line of visible ASCII characters: check that it is set and not quoted twice`,
    );
  return value;
}

/** Registers credentials. Short ones are left out: the service chose them, and they would be found in ordinary words. */
export function registerCredentials(values: readonly string[]): () => void {
  return registerSecrets(...values.filter((value) => value.length >= MIN_SECRET_LENGTH));
}
