import type { Sink } from "../../incidents/incident.ts";
import type { ForeignText } from "../../reasons/thrown/to-fault.ts";
import type { RuleGroup } from "../../safety/rules/rule.ts";
import type { TestingOptions } from "../../wire/clock.ts";
import type { DialectChoice } from "../options.ts";

/** What an authenticator found out about a request. */
export type Authentication =
  | {
      readonly ok: true;
      /** Reaches the handler as `authInfo`; one whose `expiresAt` (seconds since 1970) has passed, or is not a number, is refused. */
      readonly auth?: unknown;
    }
  | {
      readonly ok: false;
      /** `unauthenticated` for whatever is wrong with the credentials, or the scopes that are missing. @default "unauthenticated" */
      readonly challenge?: "unauthenticated" | { readonly scopes: readonly string[] };
      /** Who lacks the scopes. Missing or expired credentials count before missing scopes. */
      readonly auth?: unknown;
    };

/**
 * Checks who calls, from the headers of a request. It runs before the body is read, so that a caller without credentials
 * costs nothing; do not read the body in it.
 *
 * @example
 * const authenticate: Authenticate = async (request) => {
 *   const user = await userOf(request.headers.get("authorization"));
 *   return user ? { ok: true, auth: { sub: user.id } } : { ok: false };
 * };
 */
export type Authenticate = (request: Request) => Authentication | Promise<Authentication>;

/** A request whose caller and message are known. */
export interface AuthorizationRequest {
  /** The request, its body already read. */
  readonly request: Request;
  /** What `authenticate` found; undefined if there is no authenticator. */
  readonly auth: unknown;
  /** The parsed message, never a list: `authorize` runs once for each message of a list. */
  readonly message: unknown;
}

/**
 * Checks whether a caller may send this message, for example whether it has the scopes that a tool needs. It runs after
 * `authenticate`, when the message is known.
 *
 * Clients of revision 2025-03-26 may send a list of messages in one body. Then it runs for each message in turn, and the
 * first refusal refuses the whole request. If it returns `auth`, the last one reaches the handler. A list that is empty, has
 * more than 100 messages or contains a list is refused without a check.
 *
 * @example
 * const authorize: Authorize = ({ auth, message }) =>
 *   mayCall(auth, message) ? { ok: true } : { ok: false, challenge: { scopes: ["orders:write"] } };
 */
export type Authorize = (request: AuthorizationRequest) => Authentication | Promise<Authentication>;

/** How the HTTP edge reads bodies. */
export interface HandlerBodyOptions {
  /** The most bytes of a body. Your handler may have a lower limit of its own. @default 4 MiB; 16 MiB in the `erlmcp` dialect */
  readonly maxBytes?: number;
  /** How long a body may take to arrive, in ms. @default 30_000 */
  readonly timeoutMs?: number;
  /**
   * Pass the message on as `parsedBody` of the second argument instead of a body to read again. It is faster with handlers
   * that take it, as the official one does, whose own limit of size then does not apply.
   * @default false
   */
  readonly passParsed?: boolean;
}

/** How the HTTP edge finds out who calls, and what a refused caller learns. */
export interface HandlerAuthOptions {
  /** Checks credentials, before the body is read. @default none: every request passes */
  readonly authenticate?: Authenticate;
  /** Checks whether the caller may send this message; runs for each message of a list. @default none: every message passes */
  readonly authorize?: Authorize;
  /** URL of the OAuth protected resource metadata, for `WWW-Authenticate`. @default none */
  readonly resourceMetadata?: string;
  /** The scopes that a client should ask for, for `WWW-Authenticate` of a 401. @default none */
  readonly scopes?: readonly string[];
}

/** Options of `guardHandler`. A number out of range throws a `RangeError` that names the option. */
export interface HandlerOptions {
  /**
   * What callers may read of text that neither you nor Recourse wrote, in what your handler or your checks throw. Whatever is
   * shown is filtered and marked as a quotation; the rest goes only to your log. `hide` shows nothing, `public` shows errors
   * that their author made for the caller and what other MCP servers said, and `quote` shows the text of every thrown error.
   * Refused credentials are answered without any text.
   * @default "public", or what the dialect says (`hide` for `qaqnuz`)
   */
  readonly foreignText?: ForeignText;
  /** Groups of filter rules to skip for quoted text, such as `["path"]` for a file server. @default none */
  readonly allow?: readonly RuleGroup[];
  /**
   * Whether faults in the error answers of your handler are believed as a whole. Set it if the handler forwards requests
   * to servers of yours that use Recourse. Faults of guarded servers in this process are always known; of any other, kind and
   * wait are believed.
   * @default false
   */
  readonly speaksFaults?: boolean;
  /**
   * The wire that refusals and errors are written in, for all requests or chosen by request; as in `guard`. HTTP statuses and
   * what clients negotiate with stay as the protocol demands, and so does a failure that the dialect has no JSON-RPC error for.
   * @default the `mcp` dialect
   */
  readonly dialect?: DialectChoice;
  /**
   * The names that this server is reached by, such as `["api.example.com", "localhost:3000"]`; without a port, any port. A
   * request with another `Host` is answered with 403, before its credentials are looked at. `any` checks nothing.
   * @default localhost, 127.0.0.1 and [::1] for requests to a loopback address; elsewhere every name, with one warning
   */
  readonly allowedHosts?: readonly string[] | "any";
  /**
   * The pages that may call this server from a browser, such as `["https://app.example.com"]`, or names of their hosts. A
   * request with another `Origin` is answered with 403; one without `Origin` passes. `any` checks nothing. The headers
   * by which a page may read answers (CORS) are those of your framework.
   * @default pages of the same machine for requests to a loopback address; elsewhere every page, with one warning
   */
  readonly allowedOrigins?: readonly string[] | "any";
  /** How bodies are read. @default see each member */
  readonly body?: HandlerBodyOptions;
  /** Who may call. @default everyone */
  readonly auth?: HandlerAuthOptions;
  /** HTTP methods that the handler serves besides POST, such as GET and DELETE if it keeps sessions. @default none */
  readonly methods?: readonly string[];
  /** Headers for every answer that the guard gives itself. @default none */
  readonly headers?: Readonly<Record<string, string>>;
  /** Receives incidents. @default `stderrSink()` */
  readonly sink?: Sink;
  /** Public name of this server, in the origin of its faults. @default none */
  readonly name?: string;
  /** Base URL of the pages about your reasons. @default none */
  readonly docsBase?: string;
  /** Also report mistakes of callers, such as malformed JSON, as incidents. @default false */
  readonly reportCallerErrors?: boolean;
  /** Replaces time and incident ids in tests. @default the platform's */
  readonly testing?: TestingOptions;
}
