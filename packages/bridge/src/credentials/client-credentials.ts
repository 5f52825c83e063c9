import { amendFault } from "@recourse/core";
import { http } from "@recourse/core/dialects";
import { core, rest } from "@recourse/core/reasons";
import { ABORTED, basicAuthorization, isObject, parseJson, race } from "@recourse/core/wire";
import * as oauth from "oauth4webapi";
import type { ExchangeFailure, HttpReply } from "../network/exchange.ts";
import { exchangeFault, UpstreamReply } from "../reply/fault.ts";
import {
  type Applied,
  type Credential,
  type CredentialContext,
  type CredentialFailure,
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
  /** The scopes to request. @default none, so the authorization server decides */
  readonly scopes?: readonly string[];
  /** The audience to request, for authorization servers that need one. @default none */
  readonly audience?: string;
  /**
   * How the client authenticates at the token endpoint: with a Basic header, or with members of the body. @default "basic"
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

type FetchedToken = { readonly ok: true; readonly token: Token } | CredentialFailure;

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
  const url = URL.parse(String(options.tokenUrl));
  if (url === null) throw new TypeError("tokenUrl is not an absolute address: pass the address of the token endpoint");
  const clientSecret = checkHeaderValue(options.clientSecret, "client secret");
  const endpoint: TokenEndpoint = { ...options, url, clientSecret };
  let held: Token | undefined;
  let pending: Promise<FetchedToken> | undefined;

  function drop(token: Token | undefined): void {
    if (token === undefined || held !== token) return;
    held = undefined;
    token.release();
  }

  async function fetchToken(context: CredentialContext): Promise<FetchedToken> {
    const requestedAt = context.now();
    const got = await askEndpoint(endpoint, context);
    if (!got.ok) return got;
    drop(held);
    const until = requestedAt + Math.max(got.expiresInMs - RENEWAL_MARGIN_MS, 0);
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
    secrets: [clientSecret],
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

type TokenEndpoint = Omit<ClientCredentialsOptions, "tokenUrl"> & { readonly url: URL };

/** A token, or why it is missing. The call that needs it has not been sent yet. */
type TokenResult = { readonly ok: true; readonly value: string; readonly expiresInMs: number } | CredentialFailure;

async function askEndpoint(
  { url, clientId, clientSecret, scopes = [], audience, auth = "basic" }: TokenEndpoint,
  { network, now }: CredentialContext,
): Promise<TokenResult> {
  const server = { issuer: url.href, token_endpoint: url.href };
  const client = { client_id: clientId };
  const parameters = new URLSearchParams();
  if (scopes.length > 0) parameters.set("scope", scopes.join(" "));
  if (audience !== undefined) parameters.set("audience", audience);
  let reply: HttpReply | undefined;
  let failure: ExchangeFailure | undefined;
  const options = {
    // The address comes from the code of this server, and redirects are not followed.
    [oauth.allowInsecureRequests]: true,
    [oauth.customFetch]: async (_: string, { headers, body }: { headers: Record<string, string>; body: unknown }) => {
      const ended = await network.send({ method: "POST", url, headers, body: String(body) });
      if (!ended.ok) {
        failure = ended.failure;
        throw new Error("the token endpoint did not answer");
      }
      reply = ended.reply;
      return toResponse(ended.reply);
    },
  };
  try {
    const prove = auth === "body" ? oauth.ClientSecretPost(clientSecret) : proveByHeader(clientSecret);
    const response = await oauth.clientCredentialsGrantRequest(server, client, prove, parameters, options);
    const body = await oauth.processClientCredentialsResponse(server, client, response);
    const { access_token: value, token_type: type, expires_in: seconds = Infinity } = body;
    const isUsable = type === "bearer" && isHeaderValue(value) && !/\s/.test(value);
    if (isUsable) return { ok: true, value, expiresInMs: seconds * 1_000 };
  } catch {
    // The reply says why, or there is none.
  }
  if (failure === undefined) return refusedToken(reply, now());
  return { ok: false, fault: exchangeFault(failure, { changes: false, repeatable: true }), cause: failure.cause };
}

function proveByHeader(secret: string): oauth.ClientAuth {
  return (_server, { client_id: id }, _body, headers) => headers.set("authorization", basicAuthorization(id, secret));
}

/**
 * The reply as the library reads it. Servers that leave out the type of the token, or that of the content, are understood.
 * What is not read is left out: the library would refuse the reply for a token for signing in, or for a scope that is null.
 */
function toResponse({ status, headers, body }: HttpReply): Response {
  const given = status === 200 ? parseJson(new TextDecoder().decode(body)) : undefined;
  if (isObject(given)) {
    const { access_token, token_type, expires_in } = given;
    return Response.json({ access_token, token_type: token_type ?? "bearer", expires_in: expires_in ?? undefined });
  }
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  );
  return new Response([204, 205, 304].includes(status) ? null : Buffer.from(body), { status, headers: pairs });
}

/** What the endpoint says about the client is for the operator; for callers the service is not available. */
function refusedToken(reply: HttpReply | undefined, now: number): CredentialFailure {
  if (reply === undefined) return { ok: false, fault: rest.upstream_auth.fault() };
  const { status, headers, body } = reply;
  const context = { credential: "own", httpMethod: "GET", now, expects: "json" } as const;
  const decoded = http.decode({ status, headers, body: undefined }, context);
  const isPassing = decoded?.class === "retryable" || decoded?.class === "dependency";
  const fault = amendFault(isPassing ? decoded : rest.upstream_auth.fault(), { effect: "none" });
  // A reply that is no refusal may hold a token that could not be used.
  const said = status < 300 ? "no token that can be used" : new TextDecoder().decode(body);
  return { ok: false, fault, cause: new UpstreamReply("the token endpoint", { status, headers }, said) };
}
