import { ProxyError } from "@recourse/core/node";
import { credentialFilter } from "@recourse/core/proxy";
import { basicAuthorization, isObject, memberAt, parseJson, stringAt } from "@recourse/core/wire";
import * as oauth from "oauth4webapi";
import type { TokenOutcome } from "../../call/observer.ts";
import { readRetryable } from "../../call/retryable-statuses.ts";
import type { TokenClient } from "../../config/types.ts";
import type { TokenFetch } from "./token-fetch.ts";

/** What a token is asked for with: the gateway's own credential, or the token of a caller as well. */
export type GrantKind = { readonly kind: "own" } | { readonly kind: "exchange"; readonly subjectToken: string };

interface GivenToken {
  readonly outcome: "given";
  readonly value: string;
  /** How long it is valid; undefined if the service did not say. */
  readonly lifeMs: number | undefined;
}

/** Why there is no token. */
export interface TokenRefusal {
  /** `refused`: the service refuses this caller. `misconfigured`: it refuses the gateway, or is no token service. */
  readonly outcome: Exclude<TokenOutcome, "given">;
  /** It would have been the same for every caller. */
  readonly isForAll: boolean;
  /** The service was not asked: it failed others a moment ago, or is busy. @default false */
  readonly isUnasked?: boolean | undefined;
  /** How long the service asks to be left alone. @default it does not say */
  readonly afterMs?: number | undefined;
  /** For the operator. It holds neither a token nor a secret. */
  readonly cause: TokenServiceError;
}

export type TokenAnswer = GivenToken | TokenRefusal;

interface TokenRequestOptions {
  readonly client: TokenClient;
  readonly fetch: TokenFetch["fetch"];
  readonly signal: AbortSignal;
}

const TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
const ACCESS_TOKEN_TYPE = "urn:ietf:params:oauth:token-type:access_token";
const JWT_TYPE = "urn:ietf:params:oauth:token-type:jwt";

/** Asks a token service for one token. It never rejects. */
export async function requestToken(grant: GrantKind, options: TokenRequestOptions): Promise<TokenAnswer> {
  let response: Response;
  try {
    response = await send(grant, options);
  } catch (error) {
    return unreached(error);
  }
  const passing = readPassing(response);
  if (passing !== undefined) return passing;
  const server = { issuer: options.client.tokenUrl, token_endpoint: options.client.tokenUrl };
  try {
    const about = { client_id: options.client.clientId };
    const body = await oauth.processGenericTokenEndpointResponse(server, about, await withReadMembers(response));
    return readGivenToken(body, grant);
  } catch (error) {
    return readTokenRefusal(error, response.status, { grant, client: options.client });
  }
}

function send(grant: GrantKind, { client, fetch, signal }: TokenRequestOptions): Promise<Response> {
  const { tokenUrl, clientId, clientSecret, auth, scope, resource, audience } = client;
  const server = { issuer: tokenUrl, token_endpoint: tokenUrl };
  const parameters = new URLSearchParams();
  if (scope !== undefined) parameters.set("scope", scope);
  if (resource !== undefined) parameters.set("resource", resource);
  if (audience !== undefined) parameters.set("audience", audience);
  const prove = auth === "body" ? oauth.ClientSecretPost(clientSecret) : proveInHeader(clientSecret);
  const more = {
    signal,
    [oauth.customFetch]: fetch,
    // The configuration lets plain http pass for addresses of this machine only.
    [oauth.allowInsecureRequests]: tokenUrl.startsWith("http:"),
  };
  const about = { client_id: clientId };
  if (grant.kind === "own") return oauth.clientCredentialsGrantRequest(server, about, prove, parameters, more);
  parameters.set("subject_token", grant.subjectToken);
  parameters.set("subject_token_type", ACCESS_TOKEN_TYPE);
  return oauth.genericTokenEndpointRequest(server, about, prove, TOKEN_EXCHANGE, parameters, more);
}

function proveInHeader(secret: string): oauth.ClientAuth {
  return (_server, { client_id: id }, _body, headers) => headers.set("authorization", basicAuthorization(id, secret));
}

function readPassing(response: Response): TokenRefusal | undefined {
  const later = readRetryable(response);
  const cause = new TokenServiceError(`HTTP status ${response.status}`);
  return later && { outcome: "unavailable", isForAll: false, afterMs: later.afterMs, cause };
}

/** Nothing came back that could be read. What broke is named; it holds no more than the address of the service. */
function unreached(error: unknown): TokenRefusal {
  if (error instanceof ProxyError) {
    const outcome = error.isMisconfigured ? "misconfigured" : "unavailable";
    return { outcome, isForAll: error.isMisconfigured, cause: new TokenServiceError(`no answer (${error.message})`) };
  }
  const code = stringAt(error, "code") ?? stringAt(memberAt(error, "cause"), "code");
  const name = error instanceof Error ? error.name : "unknown";
  const said = code === undefined || !PLAIN_CODE.test(code) ? name : code;
  return { outcome: "unavailable", isForAll: false, cause: new TokenServiceError(`no answer (${said})`) };
}

const READ_MEMBERS = ["access_token", "token_type", "expires_in", "issued_token_type"] as const;

/** A good answer without what is not read: the library would refuse it for a token for signing in, or a scope that is null. */
async function withReadMembers(response: Response): Promise<Response> {
  if (response.status !== 200) return response;
  const text = await response.text();
  const given = parseJson(text);
  if (!isObject(given)) return new Response(text, response);
  const read = Object.fromEntries(READ_MEMBERS.map((name) => [name, given[name] ?? undefined]));
  return new Response(JSON.stringify(read), response);
}

const TOKEN_VALUE = /^[\x21-\x7e]{1,16384}$/;

/** The token in a good answer, or why it cannot be shown to an upstream. */
function readGivenToken(body: oauth.TokenEndpointResponse, grant: GrantKind): TokenAnswer {
  const { access_token: value, token_type: type, expires_in: seconds } = body;
  const issued = body["issued_token_type"];
  if (type !== "bearer") return unusable("its token is no bearer token");
  if (issued !== undefined && issued !== ACCESS_TOKEN_TYPE && issued !== JWT_TYPE)
    return unusable("what it issued is no access token");
  if (!TOKEN_VALUE.test(value)) return unusable("its token cannot be sent in a header");
  // The protocol forbids to pass the caller's own token on.
  if (grant.kind === "exchange" && value === grant.subjectToken) return unusable("it gave the caller's own token back");
  return { outcome: "given", value, lifeMs: seconds === undefined ? undefined : seconds * 1_000 };
}

function unusable(why: string): TokenRefusal {
  return { outcome: "misconfigured", isForAll: true, cause: new TokenServiceError(why) };
}

/** What an error code says about an exchange. */
const CODES = {
  invalid_client: { outcome: "misconfigured", isForAll: true },
  unauthorized_client: { outcome: "misconfigured", isForAll: true },
  unsupported_grant_type: { outcome: "misconfigured", isForAll: true },
  invalid_target: { outcome: "misconfigured", isForAll: false },
  invalid_scope: { outcome: "misconfigured", isForAll: false },
  // The code of the specification for a subject token that is not accepted.
  invalid_request: { outcome: "refused", isForAll: false },
  invalid_grant: { outcome: "refused", isForAll: false },
  invalid_token: { outcome: "refused", isForAll: false },
  access_denied: { outcome: "refused", isForAll: false },
  login_required: { outcome: "refused", isForAll: false },
  consent_required: { outcome: "refused", isForAll: false },
  interaction_required: { outcome: "refused", isForAll: false },
  temporarily_unavailable: { outcome: "unavailable", isForAll: false },
  server_error: { outcome: "unavailable", isForAll: false },
  slow_down: { outcome: "unavailable", isForAll: false },
} as const satisfies Record<string, Pick<TokenRefusal, "outcome" | "isForAll">>;

const PLAIN_CODE = /^[A-Za-z0-9_.-]{1,64}$/;

interface Asked {
  readonly grant: GrantKind;
  readonly client: TokenClient;
}

function readTokenRefusal(error: unknown, status: number, { grant, client }: Asked): TokenRefusal {
  const given = error instanceof oauth.ResponseBodyError ? error.error : undefined;
  const code = given !== undefined && PLAIN_CODE.test(given) ? given : statusCode(status);
  const cause = new TokenServiceError(`HTTP status ${status}, ${code ?? "an answer that cannot be read"}`);
  if (error instanceof oauth.ResponseBodyError) cause.said = plainDescription(error, { grant, client });
  const known = code !== undefined && Object.hasOwn(CODES, code) ? CODES[code as keyof typeof CODES] : undefined;
  const { outcome, isForAll } = known ?? { outcome: "misconfigured", isForAll: false };
  // Without a caller in the request, whatever is refused is the gateway.
  if (grant.kind === "own" && outcome !== "unavailable") return { outcome: "misconfigured", isForAll: true, cause };
  return { outcome, isForAll, cause };
}

/** What a status alone says; a challenge of the service stands for its refusal of the client. */
function statusCode(status: number): keyof typeof CODES | undefined {
  if (status === 401) return "invalid_client";
  return status === 403 ? "access_denied" : undefined;
}

const MAX_DESCRIPTION = 200;

/** What the service says about its refusal, unless it repeats a secret. */
function plainDescription(error: oauth.ResponseBodyError, { grant, client }: Asked): string | undefined {
  const said = error.error_description;
  if (typeof said !== "string") return undefined;
  const secrets = [client.clientSecret, ...(grant.kind === "exchange" ? [grant.subjectToken] : [])];
  const isTold = credentialFilter(secrets)?.has(said) === true || /eyJ[\w-]{8}/.test(said);
  return isTold ? undefined : said.slice(0, MAX_DESCRIPTION);
}

export class TokenServiceError extends Error {
  override readonly name = "TokenService";
  /** What the service says about it; undefined if it said nothing that may be shown. */
  said: string | undefined = undefined;

  constructor(why: string) {
    super(`the token service: ${why}`);
  }
}
