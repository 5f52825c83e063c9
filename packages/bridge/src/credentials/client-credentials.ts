import { amendFault, core, type Fault, rest } from "@recourse/faults";
import { http } from "@recourse/faults/dialects";
import { ABORTED, memberAt, parseJson, race, stringAt } from "@recourse/wire";
import type { Network } from "../network/create-network.ts";
import { exchangeFault, UpstreamReply } from "../reply/fault.ts";
import {
  type Applied,
  type Credential,
  type CredentialContext,
  checkHeaderValue,
  isHeaderValue,
  registerCredentials,
  takesToken,
} from "./credential.ts";

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

interface TokenFailure {
  readonly ok: false;
  readonly fault: Fault;
  readonly cause?: unknown;
}

/** A token is renewed this long before it expires: the request still has to arrive. */
const RENEWAL_MARGIN_MS = 10_000;

/**
 * A token that this server requests for itself with OAuth 2.0 client credentials. The token is kept until it expires, and
 * all calls share one token request.
 *
 * It throws a TypeError where the address or the secret cannot be used.
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
    const got = await requestToken(endpoint, network, now);
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

interface TokenEndpoint extends Omit<ClientCredentialsOptions, "tokenUrl"> {
  readonly url: URL;
}

/** A token, or why there is none. The call that needs it has not been sent yet. */
type TokenResult =
  | { readonly ok: true; readonly value: string; readonly expiresInMs: number | undefined }
  | TokenFailure;

async function requestToken(endpoint: TokenEndpoint, network: Network, now: () => number): Promise<TokenResult> {
  const ended = await network.send(tokenRequest(endpoint));
  if (!ended.ok) {
    const fault = exchangeFault(ended.failure, { changes: false, repeatable: true });
    return { ok: false, fault, cause: ended.failure.cause };
  }
  const { status, headers, body } = ended.reply;
  const text = new TextDecoder().decode(body);
  const token = parseToken(text);
  if (status === 200 && token !== undefined) return { ok: true, ...token };
  const context = { credential: "own", httpMethod: "GET", now: now(), expects: "json" } as const;
  // What the endpoint says about the client is for the operator; for callers the service is not available.
  const decoded = http.decode({ status, headers, body: undefined }, context) ?? rest.upstream_auth.fault();
  const fault = decoded.class === "retryable" || decoded.class === "dependency" ? decoded : rest.upstream_auth.fault();
  return {
    ok: false,
    fault: amendFault(fault, { effect: "none" }),
    cause: new UpstreamReply("the token endpoint", { status, headers }, text),
  };
}

function tokenRequest({ url, clientId, clientSecret, scopes, audience, auth = "basic" }: TokenEndpoint) {
  const form = new URLSearchParams({ grant_type: "client_credentials" });
  if (scopes !== undefined && scopes.length > 0) form.set("scope", scopes.join(" "));
  if (audience !== undefined) form.set("audience", audience);
  if (auth === "body") {
    form.set("client_id", clientId);
    form.set("client_secret", clientSecret);
  }
  const pair = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString("base64");
  return {
    method: "POST",
    url,
    headers: {
      accept: "application/json",
      "content-type": "application/x-www-form-urlencoded",
      ...(auth === "basic" && { authorization: `Basic ${pair}` }),
    },
    body: form.toString(),
  } as const;
}

function parseToken(text: string): Pick<Extract<TokenResult, { ok: true }>, "value" | "expiresInMs"> | undefined {
  const body = parseJson(text);
  const value = memberAt(body, "access_token");
  const type = stringAt(body, "token_type") ?? "bearer";
  if (!isHeaderValue(value) || /\s/.test(value) || type.toLowerCase() !== "bearer") return undefined;
  const seconds = Number(memberAt(body, "expires_in") ?? Number.NaN);
  return { value, expiresInMs: seconds >= 0 ? seconds * 1_000 : undefined };
}
