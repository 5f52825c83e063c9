import { type JWTPayload, jwtVerify } from "jose";
import { hasControl } from "../config/control-characters.ts";
import type { JwtConfig } from "../config/types.ts";
import type { Observer } from "../telemetry/observer.ts";
import { callerOf } from "./callers.ts";
import type { Clock } from "./clock.ts";
import { type Confirmed, CredentialCache } from "./credential-cache.ts";
import { errorCode } from "./error-code.ts";
import { createJwks, JwksAway } from "./jwks.ts";

/** Signatures that need no shared secret. With one, the public key of the issuer could be used as the secret. */
const ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];

/** A verified token is accepted for no longer than this without being verified again. */
const MAX_FRESH_MS = 60_000;
const CONCURRENCY = 16;
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** Whether a credential has the form of a signed token. */
export function isToken(credential: string): boolean {
  // Every header is a JSON object, and `{"` is `eyJ` in Base64.
  return credential.startsWith("eyJ") && TOKEN.test(credential);
}

/** What `tokenSource` needs. */
export interface TokenSourceOptions {
  readonly jwt: JwtConfig;
  readonly keyCacheMs: number;
  readonly observer: Pick<Observer, "switched" | "log">;
  readonly clock: Clock;
}

/** The tokens of an issuer, with their cache. */
export function tokenSource({ jwt, keyCacheMs, observer, clock }: TokenSourceOptions): {
  readonly cache: CredentialCache;
} {
  const getKey = createJwks({
    url: jwt.jwksUrl,
    clock,
    onSwitch(state, cause) {
      const answer =
        state === "away" ? "tokens signed by known keys are accepted, others get 503" : "every token is checked";
      observer.switched("tokens", state, answer);
      if (cause !== undefined)
        observer.log("warn", "the keys of the issuer cannot be read", { url: jwt.jwksUrl, code: errorCode(cause) });
    },
  });
  const cache = new CredentialCache({
    async look(token) {
      try {
        const { payload } = await jwtVerify(token, getKey, {
          issuer: jwt.issuer,
          audience: jwt.audience,
          algorithms: ALGORITHMS,
          requiredClaims: ["exp", "sub"],
          currentDate: new Date(clock.now()),
        });
        return confirm(payload, jwt);
      } catch (error) {
        if (error instanceof JwksAway) throw error;
        // Whatever is wrong with a token, it is refused; the error could quote it, so it goes nowhere.
        return undefined;
      }
    },
    freshMs: Math.min(MAX_FRESH_MS, keyCacheMs),
    refreshMs: Number.POSITIVE_INFINITY,
    concurrency: CONCURRENCY,
    clock,
  });
  return { cache };
}

function confirm(payload: JWTPayload, jwt: JwtConfig): Confirmed | undefined {
  const { sub, exp } = payload;
  if (typeof sub !== "string" || sub === "" || exp === undefined) return undefined;
  const claimed = payload[jwt.tenantClaim];
  // An issuer that names no tenants is one tenant.
  const tenant = typeof claimed === "string" && claimed !== "" ? claimed : jwt.issuer;
  if (hasControl(sub) || hasControl(tenant)) return undefined;
  const caller = callerOf({
    issuer: jwt.issuer,
    tenant,
    subject: sub,
    tools: jwt.tools,
    scopes: [...namesIn(payload["scope"]), ...namesIn(payload["scp"])],
    entitlements: jwt.entitlementsClaim === undefined ? [] : namesIn(payload[jwt.entitlementsClaim]),
    dialect: jwt.dialect,
  });
  return { caller, expiresMs: exp * 1_000 };
}

/** Names as claims write them: a list, or a text with spaces in between. */
function namesIn(claim: unknown): readonly string[] {
  if (typeof claim === "string") return claim.split(" ").filter((name) => name !== "");
  return Array.isArray(claim) ? claim.filter((name) => typeof name === "string") : [];
}
