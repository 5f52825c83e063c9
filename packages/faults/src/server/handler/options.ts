import type { Sink } from "../incidents/incident.ts";

/** What an authenticator found. */
export type Authentication =
  | {
      readonly ok: true;
      /** Reaches the handler as `authInfo`; one whose `expiresAt` (seconds since 1970) has passed is refused. */
      readonly auth?: unknown;
    }
  | {
      readonly ok: false;
      /** `unauthenticated`, the default, for whatever is wrong with the credentials; else the scopes that are missing. */
      readonly challenge?: "unauthenticated" | { readonly scopes: readonly string[] };
      /** Who lacks the scopes. Missing or expired credentials count before missing scopes. */
      readonly auth?: unknown;
    };

/**
 * Checks who calls and whether they may.
 * The body of the request is read already: the message is the second argument.
 */
export type Authenticate = (request: Request, message: unknown) => Authentication | Promise<Authentication>;

/** How the HTTP edge of a server behaves. */
export interface HandlerOptions {
  /** The most bytes that a body may have; 16 MiB unless told. The handler may have a lower limit of its own. */
  readonly maxBodyBytes?: number;
  /**
   * Hand the message on as `parsedBody` of the second argument instead of a body to read again: faster with handlers that
   * take it, as the official one does, whose own limit of size then does not apply.
   */
  readonly parsedBody?: boolean;
  readonly authenticate?: Authenticate;
  /** URL of the OAuth protected resource metadata, for `WWW-Authenticate`. */
  readonly resourceMetadata?: string;
  /** The scopes that a client should ask for, for `WWW-Authenticate` of a 401. */
  readonly scopes?: readonly string[];
  /** Methods that the handler serves besides POST, such as GET and DELETE where it keeps sessions. */
  readonly methods?: readonly string[];
  /** Headers for every answer that the guard gives itself, such as those of CORS. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Where incidents go; the default writes to standard error. */
  readonly sink?: Sink;
  /** Public name of this server in the origin of its faults. */
  readonly name?: string;
  /** Where the pages of the reasons are served. */
  readonly docsBase?: string;
  /** Keep a record of the callers' own mistakes too, so that they get an incident. */
  readonly recorded?: boolean;
  /** Clock, in ms since 1970. */
  readonly now?: () => number;
  /** 16 random bytes for an id. */
  readonly random?: () => Uint8Array;
}
