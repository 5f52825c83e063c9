import type { GatewayConfig } from "../config/types.ts";
import type { KeyStore } from "../stores/keys.ts";
import type { Observer } from "../telemetry/observer.ts";
import { REFUSED } from "./answers.ts";
import type { Authenticator } from "./authenticator.ts";
import { BoundedMap } from "./bounded-map.ts";
import type { Caller } from "./caller.ts";
import { callerAt, callerOfKey } from "./callers.ts";
import { type Clock, SYSTEM_CLOCK } from "./clock.ts";
import { readCredential } from "./credential.ts";
import { digestOf } from "./digest.ts";
import { keySource } from "./key-source.ts";
import { isToken, tokenSource } from "./tokens.ts";

/** An authenticator with what it holds. */
export interface OpenAuthenticator {
  readonly authenticator: Authenticator;
  /** Ends what runs in the background. */
  close(): void;
}

/** What authentication needs of the stores. */
export interface AuthStores {
  /** The keys that all replicas share; undefined where only those of the file count. */
  readonly keys: KeyStore | undefined;
}

/** Makes the authenticator of a configuration: keys of the file, keys of the database, tokens, or nothing at all. */
export function createAuthenticator(
  config: Pick<GatewayConfig, "authentication" | "keys" | "keyCacheMs" | "jwt">,
  stores: AuthStores,
  observer: Pick<Observer, "switched" | "log">,
  clock: Partial<Clock> = {},
): OpenAuthenticator {
  if (config.authentication === "none") return { authenticator: anonymous(), close() {} };
  const parts = { observer, clock: { ...SYSTEM_CLOCK, ...clock }, keyCacheMs: config.keyCacheMs };
  // Found by digest: how long a search takes says something about digests, which nobody can steer, and nothing about keys.
  const fileKeys = new Map<string, Caller>(config.keys.map((key) => [key.sha256.toLowerCase(), callerOfKey(key)]));
  const keys = stores.keys && keySource({ ...parts, keys: stores.keys });
  const tokens = config.jwt && tokenSource({ ...parts, jwt: config.jwt });
  const authenticator: Authenticator = (head) => {
    const credential = readCredential(head);
    if (credential === undefined) return REFUSED;
    const digest = digestOf(credential);
    const source = isToken(credential) ? tokens : keys;
    return fileKeys.get(digest) ?? source?.cache.find(credential, digest) ?? REFUSED;
  };
  return {
    authenticator,
    close() {
      keys?.close();
    },
  };
}

const MAX_ADDRESSES = 10_000;

function anonymous(): Authenticator {
  const callers = new BoundedMap<Caller>(MAX_ADDRESSES);
  return ({ address }) => {
    const known = callers.get(address);
    if (known !== undefined) return known;
    const caller = callerAt(address);
    callers.set(address, caller);
    return caller;
  };
}
