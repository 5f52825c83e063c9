import { core } from "@recourse/faults";
import { ABORTED, race } from "@recourse/wire";
import {
  type Applied,
  type Credential,
  type CredentialContext,
  checkHeaderValue,
  registerCredentials,
  takesToken,
} from "./credential.ts";
import { requestClientToken, type TokenEndpoint, type TokenFailure } from "./token-request.ts";

/** Options of `clientCredentials`. */
export interface ClientCredentialsOptions {
  /** The address of the token endpoint. */
  readonly tokenUrl: string | URL;
  /** The id of this server at the authorization server. */
  readonly clientId: string;
  /** The secret of this server at the authorization server. */
  readonly clientSecret: string;
  /**
   * The scopes to request.
   *
   * @default none, so the authorization server decides
   */
  readonly scopes?: readonly string[];
  /**
   * The audience to request, for authorization servers that need one.
   *
   * @default none
   */
  readonly audience?: string;
  /**
   * How the client authenticates at the token endpoint: with a Basic header, or with members of the body.
   *
   * @default "basic"
   */
  readonly auth?: "basic" | "body";
}

interface Token {
  readonly value: string;
  /** When it is no longer used, in ms since 1970. */
  readonly until: number;
  /** Ends the registration of its value as a secret. */
  readonly release: () => void;
}

type FetchedToken = { readonly ok: true; readonly token: Token } | TokenFailure;

/** A token is renewed this long before it expires: the request still has to arrive. */
const RENEWAL_MARGIN_MS = 10_000;

/**
 * A token that this server requests for itself with OAuth 2.0 client credentials. The token is kept until it expires, and
 * all calls share one token request.
 *
 * It throws a TypeError if the address or the secret cannot be used.
 *
 * @example
 * const credential = clientCredentials({
 *   tokenUrl: "https://auth.example.com/token",
 *   clientId: "orders",
 *   clientSecret: process.env.ORDERS_SECRET ?? "",
 *   scopes: ["orders:read"],
 * });
 * const orders = await openapi("./orders.yaml", { credential });
 */
export function clientCredentials(options: ClientCredentialsOptions): Credential {
  const endpoint: TokenEndpoint = {
    ...options,
    url: tokenUrl(options.tokenUrl),
    clientSecret: checkHeaderValue(options.clientSecret, "client secret"),
  };
  let held: Token | undefined;
  let pending: Promise<FetchedToken> | undefined;

  function drop(token: Token | undefined): void {
    if (token === undefined || held !== token) return;
    held = undefined;
    token.release();
  }

  async function fetchToken({ network, now }: CredentialContext): Promise<FetchedToken> {
    const requestedAt = now();
    const got = await requestClientToken(endpoint, network, now);
    if (!got.ok) return got;
    const until =
      got.expiresInMs === undefined ? Infinity : requestedAt + Math.max(got.expiresInMs - RENEWAL_MARGIN_MS, 0);
    drop(held);
    held = { value: got.value, until, release: registerCredentials([got.value]) };
    return { ok: true, token: held };
  }

  async function currentToken(context: CredentialContext): Promise<FetchedToken> {
    if (held !== undefined && held.until > context.now()) return { ok: true, token: held };
    // All calls that need a token at the same time wait for one request, also when the first of them gives up.
    pending ??= fetchToken(context).finally(() => {
      pending = undefined;
    });
    return pending;
  }

  return {
    owner: "own",
    secrets: [endpoint.clientSecret],
    fits: takesToken,
    async apply(_, context): Promise<Applied> {
      const got = await race(currentToken(context), { signal: context.signal });
      if (got === ABORTED) return { ok: false, fault: core.cancelled.fault({}, { effect: "none" }) };
      if (!got.ok) return got;
      const { token } = got;
      const renew = () => {
        drop(token);
        return true;
      };
      return { ok: true, parts: { headers: { authorization: `Bearer ${token.value}` } }, secrets: [], renew };
    },
    close: () => drop(held),
  };
}

function tokenUrl(address: string | URL): URL {
  const url = URL.parse(String(address));
  if (url === null) throw new TypeError("tokenUrl is not an absolute address: pass the address of the token endpoint");
  return url;
}
