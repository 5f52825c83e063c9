import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from "jose";
import type { Observer } from "../call/observer.ts";
import { hasControl } from "../config/control-characters.ts";
import type { JwtConfig } from "../config/types.ts";
import { errorCode } from "../stores/store-error.ts";
import { createCaller } from "./callers.ts";
import { type AuthClock, type ConfirmedCredential, CredentialCache } from "./credential-cache.ts";

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
const MAX_TOKEN_CHECKS = 16;
const SIGNED_TOKEN = /^[\w-]+\.[\w-]+\.[\w-]*$/;

export function isToken(credential: string): boolean {
  // Every header is a JSON object, and `{"` is `eyJ` in Base64.
  return credential.startsWith("eyJ") && SIGNED_TOKEN.test(credential);
}

interface TokenSourceOptions {
  readonly jwt: JwtConfig;
  readonly keyCacheMs: number;
  readonly observer: Pick<Observer, "switched" | "log">;
  readonly clock: AuthClock;
}

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
        return confirmToken(payload, jwt);
      } catch (error) {
        if (error instanceof JwksAway) throw error;
        // Whatever is wrong with a token, it is refused; the error could quote it, so it goes nowhere.
        return undefined;
      }
    },
    freshMs: Math.min(MAX_FRESH_MS, keyCacheMs),
    refreshMs: Number.POSITIVE_INFINITY,
    concurrency: MAX_TOKEN_CHECKS,
    clock,
  });
  return { cache };
}

function confirmToken(payload: JWTPayload, jwt: JwtConfig): ConfirmedCredential | undefined {
  const { sub, exp } = payload;
  if (typeof sub !== "string" || sub === "" || exp === undefined) return undefined;
  const claimed = payload[jwt.tenantClaim];
  // An issuer that names no tenants is one tenant.
  const tenant = typeof claimed === "string" && claimed !== "" ? claimed : jwt.issuer;
  if (hasControl(sub) || hasControl(tenant)) return undefined;
  const caller = createCaller({
    issuer: jwt.issuer,
    tenant,
    subject: sub,
    tools: jwt.tools,
    scopes: [...readNames(payload["scope"]), ...readNames(payload["scp"])],
    entitlements: jwt.entitlementsClaim === undefined ? [] : readNames(payload[jwt.entitlementsClaim]),
    dialect: jwt.dialect,
    hasToken: true,
  });
  return { caller, expiresMs: exp * 1_000 };
}

function readNames(claim: unknown): readonly string[] {
  if (typeof claim === "string") return claim.split(" ").filter((name) => name !== "");
  return Array.isArray(claim) ? claim.filter((name) => typeof name === "string") : [];
}

interface JwksOptions {
  readonly url: string;
  readonly clock: AuthClock;
  readonly onSwitch: (state: "away" | "back", cause?: unknown) => void;
}

/** The keys could not be read, so nothing can be said about a token. */
class JwksAway extends Error {
  override readonly name = "JwksAway";
}

/** Keys this old are read again, while the old ones go on. */
const REFRESH_MS = 10 * 60_000;
/** Keys that could not be read again for this long are no longer trusted. */
const MAX_AGE_MS = 24 * 60 * 60_000;
/** Tokens that name unknown keys make the keys be read again at most this often. */
const COOLDOWN_MS = 30_000;
/** After a failure, the endpoint is left alone for this long. */
const JWKS_PAUSE_MS = 1_000;
const JWKS_TIMEOUT_MS = 5_000;

/** The keys of an issuer. They are read when they are needed first, when they are old, and when a token names an unknown one. */
function createJwks({ url, clock, onSwitch }: JwksOptions): JWTVerifyGetKey {
  // This code decides when to read, since jose stops trusting old keys as soon as the endpoint is down.
  const remote = createRemoteJWKSet(new URL(url), {
    timeoutDuration: JWKS_TIMEOUT_MS,
    cooldownDuration: Number.POSITIVE_INFINITY,
    cacheMaxAge: Number.POSITIVE_INFINITY,
  });
  let readMs = Number.NEGATIVE_INFINITY;
  let failedMs = Number.NEGATIVE_INFINITY;
  let isAway = false;
  let reading: Promise<void> | undefined;

  const read = async (): Promise<void> => {
    const beganMs = clock.elapsed();
    try {
      await remote.reload();
      readMs = beganMs;
      if (isAway) onSwitch("back");
      isAway = false;
    } catch (cause) {
      failedMs = clock.elapsed();
      if (!isAway) onSwitch("away", cause);
      isAway = true;
      throw new JwksAway("the keys of the issuer could not be read", { cause });
    }
  };
  const readOnce = (): Promise<void> => {
    if (reading !== undefined) return reading;
    if (clock.elapsed() - failedMs < JWKS_PAUSE_MS)
      return Promise.reject(new JwksAway("the keys could not be read just now"));
    reading = read().finally(() => {
      reading = undefined;
    });
    return reading;
  };

  return async (header, token) => {
    const age = clock.elapsed() - readMs;
    if (age >= MAX_AGE_MS) await readOnce();
    else if (age >= REFRESH_MS) readOnce().catch(() => {});
    try {
      return await remote(header, token);
    } catch (error) {
      const isKnownSet = !(error instanceof errors.JWKSNoMatchingKey) || clock.elapsed() - readMs < COOLDOWN_MS;
      if (isKnownSet) throw error;
      await readOnce();
      return remote(header, token);
    }
  };
}
