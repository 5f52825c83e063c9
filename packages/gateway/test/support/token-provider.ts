// A real authorization server on the loopback address: tokens by client credentials, and exchange of tokens (RFC 8693).

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createLocalJWKSet, exportJWK, generateKeyPair, importJWK, type JWK, jwtVerify, SignJWT } from "jose";
import Provider, { errors } from "oidc-provider";

const EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
const ALG = "ES256";

/** One request to the token endpoint. */
interface TokenRequest {
  readonly grant: "client_credentials" | "exchange" | "other";
  /** What was answered; undefined while it is not. */
  status: number | undefined;
}

/** What a running provider is told to do otherwise than well. */
interface ProviderMood {
  /** Answers with this status, and no body that says anything. */
  status?: number | undefined;
  /** The error that exchanges for a subject end with. */
  readonly refused: Map<string, "invalid_grant" | "access_denied" | "invalid_target" | "server_error">;
}

/** A running authorization server. */
export interface TokenProvider {
  readonly issuer: string;
  readonly jwksUrl: string;
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly requests: TokenRequest[];
  /** The most requests that were under way at one moment. */
  readonly peak: () => number;
  readonly mood: ProviderMood;
  /** Answers no request for a token from now on, until the function that it gives is called. */
  hold(): () => void;
  /** Every token that it has issued or signed. */
  readonly issued: ReadonlySet<string>;
  /** A token of a person for the gateway. */
  sign(subject: string, claims?: Readonly<Record<string, unknown>>): Promise<string>;
  /** Signs with a new key from now on; the old ones are published no more where `forget` is set. */
  rotate(options?: { readonly forget?: boolean }): Promise<void>;
  /** Stops listening, with all connections. */
  stop(): Promise<void>;
  /** Listens again at the same address. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** How long issued tokens count. */
export const TOKEN_LIFE_MS = 600_000;

/** How a provider begins. */
interface TokenProviderOptions {
  /** The audience of the tokens that people show to the gateway. */
  readonly audience: string;
}

/** Starts an authorization server. */
export async function startTokenProvider({ audience }: TokenProviderOptions): Promise<TokenProvider> {
  const requests: TokenRequest[] = [];
  const mood: ProviderMood = { refused: new Map() };
  const issued = new Set<string>();
  let keys: readonly JWK[] = [await newKey("key-1")];
  let handler: (request: IncomingMessage, response: ServerResponse) => unknown = () => undefined;
  let [underWay, peak] = [0, 0];
  let held: Promise<void> | undefined;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!request.url?.startsWith("/token")) return void handler(request, response);
    const seen: TokenRequest = { grant: "other", status: undefined };
    requests.push(seen);
    underWay += 1;
    peak = Math.max(peak, underWay);
    response.once("close", () => {
      underWay -= 1;
      seen.status = response.statusCode;
    });
    Object.assign(request, { seen });
    await held;
    if (mood.status === undefined) return void handler(request, response);
    response.writeHead(mood.status).end("no");
  };
  // A connection that it closes after a while may be the one that the next request is sent on.
  const create = () => createServer({ keepAliveTimeout: 0 }, answer);
  let server = create();
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  await listen(0);
  const { port } = server.address() as { port: number };
  const issuer = `http://127.0.0.1:${port}`;
  const [clientId, clientSecret] = ["gateway", "gateway-secret-0123456789"];

  const build = () => {
    const provider = createProvider({ issuer, clientId, clientSecret, keys, audience, mood, issued });
    handler = provider.callback();
  };
  build();
  return {
    issuer,
    jwksUrl: `${issuer}/jwks`,
    tokenUrl: `${issuer}/token`,
    clientId,
    clientSecret,
    requests,
    peak: () => peak,
    mood,
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return () => {
        held = undefined;
        resolve();
      };
    },
    issued,
    async sign(subject, claims = {}) {
      const [jwk] = keys as [JWK];
      const signer = new SignJWT({ sub: subject, exp: Math.floor(Date.now() / 1_000) + 3_600, ...claims, iss: issuer });
      const token = await signer
        .setAudience(audience)
        .setProtectedHeader({ alg: ALG, kid: String(jwk.kid) })
        .sign(await importJWK(jwk, ALG));
      issued.add(token);
      return token;
    },
    async rotate({ forget = false } = {}) {
      const fresh = await newKey(`key-${Date.now()}-${keys.length}`);
      keys = forget ? [fresh] : [fresh, ...keys];
      build();
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    async start() {
      server = create();
      await listen(port);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function newKey(kid: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair(ALG, { extractable: true });
  return { ...(await exportJWK(privateKey)), kid, alg: ALG, use: "sig" };
}

interface ProviderParts {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly keys: readonly JWK[];
  readonly audience: string;
  readonly mood: ProviderMood;
  readonly issued: Set<string>;
}

function createProvider(parts: ProviderParts): Provider {
  const { issuer, clientId, clientSecret, keys, audience, mood, issued } = parts;
  const lifeSeconds = TOKEN_LIFE_MS / 1_000;
  const resourceServer = (resource: string) => ({
    scope: "read write",
    audience: resource,
    accessTokenTTL: lifeSeconds,
    accessTokenFormat: "jwt" as const,
    jwt: { sign: { alg: ALG as "ES256" } },
  });
  const provider = new Provider(issuer, {
    adapter: ForgetfulAdapter,
    jwks: { keys: keys as never },
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        grant_types: ["client_credentials", EXCHANGE],
        response_types: [],
        redirect_uris: [],
        token_endpoint_auth_method: "client_secret_basic",
        id_token_signed_response_alg: ALG,
      },
    ],
    scopes: ["read", "write"],
    ttl: { AccessToken: lifeSeconds, ClientCredentials: lifeSeconds },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_ctx, resource) => resourceServer(resource),
        useGrantedResource: () => true,
      },
    },
  });
  provider.use(async (ctx, next) => {
    await next();
    const { grant_type: grant } = (ctx["oidc"]?.body ?? {}) as { grant_type?: string };
    const { seen } = ctx.req as unknown as { seen?: { grant: TokenRequest["grant"] } };
    if (seen !== undefined)
      seen.grant = grant === EXCHANGE ? "exchange" : grant === "client_credentials" ? grant : "other";
    const { access_token: token } = (ctx.body ?? {}) as { access_token?: string };
    if (typeof token === "string") issued.add(token);
  });
  const published = createLocalJWKSet({ keys: keys.map(({ d: _, ...jwk }) => jwk) as never });
  provider.registerGrantType(
    EXCHANGE,
    async (ctx) => {
      const { client, params = {} } = ctx.oidc;
      const { subject_token: subjectToken, subject_token_type: type, resource } = params as Record<string, string>;
      if (client === undefined || type !== "urn:ietf:params:oauth:token-type:access_token")
        throw new errors.InvalidRequest("the type of the subject token is not known");
      if (resource === undefined) throw new errors.InvalidTarget("no resource");
      const verified = await jwtVerify(subjectToken ?? "", published, { issuer, audience }).catch(() => undefined);
      const subject = verified?.payload.sub;
      if (subject === undefined) throw new errors.InvalidGrant(`the subject token is not accepted: ${subjectToken}`);
      refuse(mood.refused.get(subject));
      const token = new provider.AccessToken({
        accountId: subject,
        client,
        gty: "token-exchange",
        scope: "read write",
        // The type leaves out what the constructor takes.
        ...({ resourceServer: new provider.ResourceServer(resource, resourceServer(resource)) } as object),
      } as never);
      ctx.body = {
        access_token: await token.save(),
        issued_token_type: "urn:ietf:params:oauth:token-type:access_token",
        token_type: "Bearer",
        expires_in: lifeSeconds,
        scope: "read write",
      };
    },
    ["subject_token", "subject_token_type", "audience", "resource", "scope", "requested_token_type"],
  );
  return provider;
}

/** Signed tokens need no store. */
class ForgetfulAdapter {
  async upsert(): Promise<void> {}
  async find(): Promise<undefined> {}
  async findByUserCode(): Promise<undefined> {}
  async findByUid(): Promise<undefined> {}
  async consume(): Promise<void> {}
  async destroy(): Promise<void> {}
  async revokeByGrantId(): Promise<void> {}
}

function refuse(how: ReturnType<ProviderMood["refused"]["get"]>): void {
  switch (how) {
    case undefined:
      return;
    case "invalid_grant":
      throw new errors.InvalidGrant("the session of the user has ended");
    case "access_denied":
      throw new errors.AccessDenied("the user may not use this service");
    case "invalid_target":
      throw new errors.InvalidTarget("the service is not known");
    case "server_error":
      throw new Error("a bug");
    default:
      how satisfies never;
  }
}
