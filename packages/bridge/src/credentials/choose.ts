import type { Operation } from "../operations/operation.ts";
import type { SecurityScheme } from "../operations/security.ts";
import type { Credential } from "./credential.ts";

/** One credential for every scheme that it fits, or one for each scheme by its name in the document. */
export type Credentials = Credential | Readonly<Record<string, Credential>>;

/** A credential and the scheme that it is sent for. */
export interface Use {
  readonly credential: Credential;
  readonly scheme: SecurityScheme | undefined;
}

/** What is known about security in a document as a whole. */
export interface Secured {
  readonly credentials: Credentials | undefined;
  readonly schemes: ReadonlyMap<string, SecurityScheme>;
  /** Whether any operation asks for a credential: where none does, the document is silent rather than open. */
  readonly isDeclared: boolean;
}

/** The credentials that a call of an operation is sent with; undefined when none of those that are there will do. */
export function chooseCredentials(operation: Operation, secured: Secured): readonly Use[] | undefined {
  const { credentials, schemes, isDeclared } = secured;
  if (credentials === undefined) return [];
  if (!isDeclared) return undeclared(credentials);
  if (operation.security.length === 0) return [];
  const ways = operation.security.map((requirement) =>
    requirement.map(({ scheme: name }): Use | undefined => {
      const scheme = schemes.get(name);
      const credential = isOne(credentials) ? credentials : ownAt(credentials, name);
      return scheme !== undefined && credential?.fits(scheme) === true ? { credential, scheme } : undefined;
    }),
  );
  const whole = ways.filter((way): way is Use[] => way.every((use) => use !== undefined));
  // To be known is better than not to be, where both are allowed.
  return whole.find((way) => way.length > 0) ?? whole[0];
}

function undeclared(credentials: Credentials): readonly Use[] | undefined {
  const all = isOne(credentials) ? [credentials] : Object.values(credentials);
  const fitting = all.filter((credential) => credential.fits(undefined));
  return fitting.length === all.length ? fitting.map((credential) => ({ credential, scheme: undefined })) : undefined;
}

/** All credentials there are. */
export function allCredentials(credentials: Credentials | undefined): readonly Credential[] {
  if (credentials === undefined) return [];
  return isOne(credentials) ? [credentials] : Object.values(credentials);
}

function isOne(credentials: Credentials): credentials is Credential {
  return typeof (credentials as Partial<Credential>).prove === "function";
}

function ownAt(credentials: Readonly<Record<string, Credential>>, name: string): Credential | undefined {
  return Object.hasOwn(credentials, name) ? credentials[name] : undefined;
}
