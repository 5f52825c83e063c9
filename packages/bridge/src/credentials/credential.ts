import { type Fault, MIN_SECRET_LENGTH, registerSecrets, type SecretFilter } from "@recourse/core";
import { credentialFilter } from "@recourse/core/proxy";
import type { Network } from "../network/create-network.ts";
import type { Operation } from "../operations/operation.ts";
import type { SecurityScheme } from "../operations/security.ts";
import type { ApiRequest } from "../request/build-request.ts";

export interface CredentialParts {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly cookies?: Readonly<Record<string, string>>;
}

export interface CredentialContext {
  readonly callerHeader: (name: string) => string | undefined;
  readonly network: Network;
  readonly signal: AbortSignal | undefined;
  readonly now: () => number;
}

/** The credential of one request, or why it is missing. */
export type Applied =
  | {
      readonly ok: true;
      readonly parts: CredentialParts;
      /** Credentials that came with this request. They are kept out of its answer. */
      readonly secrets: readonly string[];
      /** Called when the service refused the credential. Returns true when a new one can be requested. */
      readonly renew?: () => boolean;
    }
  | CredentialFailure;

export interface CredentialFailure {
  readonly ok: false;
  readonly fault: Fault;
  readonly cause?: unknown;
}

/**
 * A credential for the API. It comes from your configuration or from the caller's request, never from a model. Make one with
 * `bearer`, `basic`, `apiKey`, `clientCredentials` or `forward`.
 */
export interface Credential {
  /** Whose credential it is. Callers cannot act on the refusal of a credential of this server. */
  readonly owner: "own" | "caller";
  /** Values that are kept out of every answer and log, if they have six characters or more. */
  readonly secrets: readonly string[];
  /** Whether the credential suits a security scheme; undefined if the document has no schemes. */
  fits(scheme: SecurityScheme | undefined): boolean;
  /** Makes the credential of one request. */
  apply(scheme: SecurityScheme | undefined, context: CredentialContext): Promise<Applied>;
  /** Forgets the tokens that it holds. */
  close?(): void;
}

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

type AuthenticatedRequest =
  | {
      readonly ok: true;
      readonly request: ApiRequest;
      /** Finds the credentials that came with the caller's request; undefined if there are none. */
      readonly secrets: SecretFilter | undefined;
      /** Called when the service refused the request. Returns true when another attempt makes sense. */
      readonly renew: () => boolean;
    }
  | CredentialFailure;

export async function applyCredentials(
  request: ApiRequest,
  uses: readonly CredentialUse[],
  context: CredentialContext,
): Promise<AuthenticatedRequest> {
  let authenticated = request;
  const secrets: string[] = [];
  const renewals: (() => boolean)[] = [];
  for (const { credential, scheme } of uses) {
    const applied = await credential.apply(scheme, context);
    if (!applied.ok) return applied;
    authenticated = addParts(authenticated, applied.parts);
    secrets.push(...applied.secrets);
    if (applied.renew !== undefined) renewals.push(applied.renew);
  }
  return {
    ok: true,
    request: authenticated,
    secrets: credentialFilter(secrets),
    renew: () => renewals.filter((renew) => renew()).length > 0,
  };
}

/** Adds the parts of a credential. They replace what the arguments wrote under the same names. */
function addParts(request: ApiRequest, { headers = {}, query = {}, cookies = {} }: CredentialParts): ApiRequest {
  const url = new URL(request.url);
  const encoded = Object.entries(query).map((pair) => pair.map(encodeURIComponent) as [string, string]);
  url.search = mergePairs(url.search.slice(1), "&", Object.fromEntries(encoded));
  const cookie = mergePairs(request.headers["cookie"] ?? "", "; ", cookies);
  return { ...request, url, headers: { ...request.headers, ...headers, ...(cookie !== "" && { cookie }) } };
}

function mergePairs(text: string, separator: string, added: Readonly<Record<string, string>>): string {
  const kept = text
    .split(separator)
    .filter((piece) => piece !== "" && !Object.hasOwn(added, piece.split("=", 1)[0] ?? ""));
  return [...kept, ...Object.entries(added).map((pair) => pair.join("="))].join(separator);
}

/** One credential for every security scheme that it suits, or one for each scheme by its name in the document. */
export type Credentials = Credential | Readonly<Record<string, Credential>>;

export interface CredentialUse {
  readonly credential: Credential;
  readonly scheme: SecurityScheme | undefined;
}

interface SecuritySetup {
  readonly credentials: Credentials | undefined;
  readonly schemes: ReadonlyMap<string, SecurityScheme>;
  /** Whether any operation requires a credential. If none does, the document says nothing about security. */
  readonly isDeclared: boolean;
}

/** The credentials that calls of an operation are sent with; undefined when the given ones do not satisfy the document. */
export function chooseCredentials(operation: Operation, setup: SecuritySetup): readonly CredentialUse[] | undefined {
  const { credentials, schemes, isDeclared } = setup;
  if (credentials === undefined) return [];
  if (!isDeclared) {
    const all = allCredentials(credentials);
    if (!all.every((credential) => credential.fits(undefined))) return undefined;
    return all.map((credential) => ({ credential, scheme: undefined }));
  }
  if (operation.security.length === 0) return [];
  const candidates = operation.security.map((requirement) =>
    requirement.map(({ scheme: name }): CredentialUse | undefined => {
      const scheme = schemes.get(name);
      const own = isCredential(credentials) || !Object.hasOwn(credentials, name) ? undefined : credentials[name];
      const credential = isCredential(credentials) ? credentials : own;
      return scheme !== undefined && credential?.fits(scheme) === true ? { credential, scheme } : undefined;
    }),
  );
  const complete = candidates.filter((uses): uses is CredentialUse[] => uses.every((use) => use !== undefined));
  // If a call may also be anonymous, it is authenticated.
  return complete.find((uses) => uses.length > 0) ?? complete[0];
}

export function allCredentials(credentials: Credentials | undefined): readonly Credential[] {
  if (credentials === undefined) return [];
  return isCredential(credentials) ? [credentials] : Object.values(credentials);
}

function isCredential(credentials: Credentials): credentials is Credential {
  return typeof (credentials as Partial<Credential>).apply === "function";
}
