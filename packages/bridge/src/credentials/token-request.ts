import { amendFault, type Fault, rest } from "@recourse/faults";
import { http } from "@recourse/faults/dialects";
import { basicAuthorization, isObject, parseJson } from "@recourse/wire";
import * as oauth from "oauth4webapi";
import type { Network } from "../network/create-network.ts";
import type { ExchangeFailure, HttpReply } from "../network/exchange.ts";
import { exchangeFault, UpstreamReply } from "../reply/fault.ts";
import { isHeaderValue } from "./credential.ts";

/** A token endpoint, and this server as its client. */
export interface TokenEndpoint {
  readonly url: URL;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes?: readonly string[];
  readonly audience?: string;
  readonly auth?: "basic" | "body";
}

/** Why there is no token. */
export interface TokenFailure {
  readonly ok: false;
  readonly fault: Fault;
  readonly cause?: unknown;
}

/** A token, or why it is missing. The call that needs it has not been sent yet. */
type TokenResult =
  | { readonly ok: true; readonly value: string; readonly expiresInMs: number | undefined }
  | TokenFailure;

/** Carries a failure of the network through the library that writes the request. */
class NotFetched extends Error {
  readonly failure: ExchangeFailure;

  constructor(failure: ExchangeFailure) {
    super("the token endpoint did not answer");
    this.failure = failure;
  }
}

/** Requests a token with client credentials. It never rejects. */
export async function requestClientToken(
  endpoint: TokenEndpoint,
  network: Network,
  now: () => number,
): Promise<TokenResult> {
  const { url, clientId, clientSecret, scopes = [], audience, auth = "basic" } = endpoint;
  const server = { issuer: url.href, token_endpoint: url.href };
  const client = { client_id: clientId };
  const parameters = new URLSearchParams();
  if (scopes.length > 0) parameters.set("scope", scopes.join(" "));
  if (audience !== undefined) parameters.set("audience", audience);
  let reply: HttpReply | undefined;
  const options = {
    // The address comes from the code of this server, and redirects are not followed.
    [oauth.allowInsecureRequests]: true,
    [oauth.customFetch]: async (_: string, { headers, body }: { headers: Record<string, string>; body: unknown }) => {
      const ended = await network.send({ method: "POST", url, headers, body: String(body) });
      if (!ended.ok) throw new NotFetched(ended.failure);
      reply = ended.reply;
      return toResponse(ended.reply);
    },
  };
  try {
    const prove = auth === "body" ? oauth.ClientSecretPost(clientSecret) : proveByHeader(clientSecret);
    const response = await oauth.clientCredentialsGrantRequest(server, client, prove, parameters, options);
    const body = await oauth.processClientCredentialsResponse(server, client, response);
    const token = readToken(body);
    if (token !== undefined) return { ok: true, ...token };
  } catch (error) {
    if (error instanceof NotFetched) {
      const { failure } = error;
      return { ok: false, fault: exchangeFault(failure, { changes: false, repeatable: true }), cause: failure.cause };
    }
  }
  return refusedToken(reply, now());
}

/** The client proves itself in a header. */
function proveByHeader(secret: string): oauth.ClientAuth {
  return (_server, { client_id: id }, _body, headers) => headers.set("authorization", basicAuthorization(id, secret));
}

const BODILESS_STATUSES: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * The reply as the library reads it. Servers that leave out the type of the token, or that of the content, are understood. What
 * is not read is left out: the library would refuse the reply for a token for signing in, or for a scope that is null.
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
  return new Response(BODILESS_STATUSES.has(status) ? null : Buffer.from(body), { status, headers: pairs });
}

function readToken(body: oauth.TokenEndpointResponse) {
  const { access_token: value, token_type: type, expires_in: seconds } = body;
  if (type !== "bearer" || !isHeaderValue(value) || /\s/.test(value)) return undefined;
  return { value, expiresInMs: seconds === undefined ? undefined : seconds * 1_000 };
}

/** What the endpoint says about the client is for the operator; for callers the service is not available. */
function refusedToken(reply: HttpReply | undefined, now: number): TokenFailure {
  if (reply === undefined) return { ok: false, fault: rest.upstream_auth.fault() };
  const { status, headers, body } = reply;
  const context = { credential: "own", httpMethod: "GET", now, expects: "json" } as const;
  const decoded = http.decode({ status, headers, body: undefined }, context) ?? rest.upstream_auth.fault();
  const fault = decoded.class === "retryable" || decoded.class === "dependency" ? decoded : rest.upstream_auth.fault();
  return {
    ok: false,
    fault: amendFault(fault, { effect: "none" }),
    // A reply that is no refusal may hold a token that could not be used.
    cause: new UpstreamReply(
      "the token endpoint",
      { status, headers },
      status < 300 ? "no token that can be used" : new TextDecoder().decode(body),
    ),
  };
}
