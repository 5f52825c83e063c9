import { createSecretKey, type KeyObject } from "node:crypto";
import { jwtVerify, SignJWT } from "jose";

const ISSUER = "recourse-reference-gtin";
const ALGORITHM = "HS256";

/** The content of a token. */
interface Claims {
  readonly subject: string;
  readonly id: string;
  readonly scopes: readonly string[];
}

/** Signs and reads the tokens of this server. */
export interface Tokens {
  sign(claims: Claims, lifetimeMs: number): Promise<string>;
  /** The content of a valid token of this server; undefined for every other text. */
  read(token: string): Promise<Claims | undefined>;
}

/** Makes tokens that are signed with a secret. The clock is in ms since 1970. */
export function createTokens(secret: string | Uint8Array, now: () => number = Date.now): Tokens {
  const key: KeyObject = createSecretKey(Buffer.from(secret));
  return {
    sign: ({ subject, id, scopes }, lifetimeMs) =>
      new SignJWT({ scope: scopes.join(" ") })
        .setProtectedHeader({ alg: ALGORITHM })
        .setIssuer(ISSUER)
        .setAudience(ISSUER)
        .setSubject(subject)
        .setJti(id)
        .setExpirationTime(Math.floor((now() + lifetimeMs) / 1_000))
        .sign(key),
    async read(token) {
      try {
        const { payload } = await jwtVerify(token, key, {
          issuer: ISSUER,
          audience: ISSUER,
          algorithms: [ALGORITHM],
          requiredClaims: ["exp", "sub", "jti"],
          currentDate: new Date(now()),
        });
        const { sub: subject = "", jti: id = "", scope } = payload;
        return { subject, id, scopes: typeof scope === "string" ? scope.split(" ") : [] };
      } catch {
        return undefined;
      }
    },
  };
}
