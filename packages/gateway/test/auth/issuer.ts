// An issuer of tokens on the loopback address.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listenOnLoopback } from "@recourse/test-kit/loopback";
import { exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";

/** Claims of a token, beside those that every token has. */
type Claims = Readonly<Record<string, unknown>>;

export const ISSUER = "https://login.example";
export const AUDIENCE = "https://tools.example/mcp";

/** A key pair with its name. */
export interface SigningKey {
  readonly kid: string;
  readonly jwk: JWK;
  readonly sign: (claims: Claims, header?: Readonly<Record<string, unknown>>) => Promise<string>;
}

/** Makes a key. Times of its tokens are counted from `now`. */
export async function signingKey(kid: string, now: () => number, alg = "ES256"): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid, alg, use: "sig" };
  return {
    kid,
    jwk,
    sign: (claims, header = {}) =>
      new SignJWT({
        iss: ISSUER,
        aud: AUDIENCE,
        sub: "ada",
        exp: Math.floor(now() / 1_000) + 600,
        ...claims,
      })
        .setProtectedHeader({ alg, kid, ...header })
        .sign(privateKey),
  };
}

/** Serves a set of keys, and counts how often it was read. */
export async function startIssuer(keys: readonly SigningKey[]) {
  const state = { keys, reads: 0, isBroken: false };
  const answer = (_request: IncomingMessage, response: ServerResponse) => {
    state.reads += 1;
    response.statusCode = state.isBroken ? 500 : 200;
    response.end(JSON.stringify({ keys: state.keys.map(({ jwk }) => jwk) }));
  };
  const server = await listenOnLoopback(createServer(answer));
  return { state, url: new URL("/jwks", server.url).href, close: server.close };
}
