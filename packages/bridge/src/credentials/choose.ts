import type { Operation } from "../operations/operation.ts";
import type { SecurityScheme } from "../operations/security.ts";
import type { Credential } from "./credential.ts";

/** One credential for every security scheme that it suits, or one for each scheme by its name in the document. */
export type Credentials = Credential | Readonly<Record<string, Credential>>;

/** A credential and the scheme that it is sent for. */
export interface CredentialUse {
  readonly credential: Credential;
  readonly scheme: SecurityScheme | undefined;
}

/** The credentials and security schemes of an API. */
export interface SecuritySetup {
  readonly credentials: Credentials | undefined;
  readonly schemes: ReadonlyMap<string, SecurityScheme>;
  /** Whether any operation requires a credential. If none does, the document says nothing about security. */
  readonly isDeclared: boolean;
}

/** The credentials that calls of an operation are sent with; undefined when the given ones do not satisfy the document. */
export function chooseCredentials(operation: Operation, setup: SecuritySetup): readonly CredentialUse[] | undefined {
  const { credentials, schemes, isDeclared } = setup;
  if (credentials === undefined) return [];
  if (!isDeclared) return usesWithoutSchemes(credentials);
  if (operation.security.length === 0) return [];
  const candidates = operation.security.map((requirement) =>
    requirement.map(({ scheme: name }): CredentialUse | undefined => {
      const scheme = schemes.get(name);
      const credential = isCredential(credentials) ? credentials : credentialAt(credentials, name);
      return scheme !== undefined && credential?.fits(scheme) === true ? { credential, scheme } : undefined;
    }),
  );
  const complete = candidates.filter((uses): uses is CredentialUse[] => uses.every((use) => use !== undefined));
  // Where a call may also be anonymous, it is authenticated.
  return complete.find((uses) => uses.length > 0) ?? complete[0];
}

function usesWithoutSchemes(credentials: Credentials): readonly CredentialUse[] | undefined {
  const all = allCredentials(credentials);
  const fitting = all.filter((credential) => credential.fits(undefined));
  return fitting.length === all.length ? fitting.map((credential) => ({ credential, scheme: undefined })) : undefined;
}

/** All credentials as a list. */
export function allCredentials(credentials: Credentials | undefined): readonly Credential[] {
  if (credentials === undefined) return [];
  return isCredential(credentials) ? [credentials] : Object.values(credentials);
}

function isCredential(credentials: Credentials): credentials is Credential {
  return typeof (credentials as Partial<Credential>).apply === "function";
}

function credentialAt(credentials: Readonly<Record<string, Credential>>, name: string): Credential | undefined {
  return Object.hasOwn(credentials, name) ? credentials[name] : undefined;
}
