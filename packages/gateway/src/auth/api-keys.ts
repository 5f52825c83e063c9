import { randomBytes, timingSafeEqual } from "node:crypto";
import { sha256Hex } from "../call/binding.ts";
import type { Observer } from "../call/observer.ts";
import { AwayGate } from "../stores/away-gate.ts";
import type { KeyStore, StoredApiKey } from "../stores/keys.ts";
import { errorCode } from "../stores/store-error.ts";
import { callerForKey } from "./callers.ts";
import { type AuthClock, CredentialCache } from "./credential-cache.ts";

export interface ApiKey {
  /** The key itself. It is shown once and stored nowhere. */
  readonly key: string;
  /** The part by which people and the database find it. It is no secret. */
  readonly prefix: string;
  /** What is stored. A slow hash protects passwords, which can be guessed; 32 random bytes cannot, and each request is checked. */
  readonly sha256: string;
}

const KEY_FORM = /^rk_([0-9a-f]{8})_[A-Za-z0-9_-]{43}$/;
const PREFIX_BYTES = 4;
const SECRET_BYTES = 32;

/** Makes a key: `rk_`, eight characters to find it by, and 32 random bytes. */
export function createApiKey(random: (size: number) => Buffer = randomBytes): ApiKey {
  const prefix = random(PREFIX_BYTES).toString("hex");
  const key = `rk_${prefix}_${random(SECRET_BYTES).toString("base64url")}`;
  return { key, prefix, sha256: sha256Hex(key) };
}

/** The prefix of a text that has the form of a key. */
export function readKeyPrefix(text: string): string | undefined {
  return KEY_FORM.exec(text)?.[1];
}

/** How many unknown keys are looked up at a time: a flood of them leaves connections for others. */
const MAX_KEY_LOOKUPS = 4;

/** No key has this prefix. It is looked up to see whether the database answers. */
const NO_PREFIX = "-";

/** The time of use is kept by the hour. */
const USE_STEP_MS = 3_600_000;

interface KeySourceOptions {
  readonly keys: KeyStore;
  readonly keyCacheMs: number;
  readonly observer: Pick<Observer, "switched" | "log">;
  readonly clock: AuthClock;
}

export function keySource({ keys, keyCacheMs, observer, clock }: KeySourceOptions): {
  readonly cache: CredentialCache;
  close(): void;
} {
  const answer = `known keys are accepted for up to ${keyCacheMs} ms after they were last confirmed, others get 503`;
  const gate = new AwayGate({
    probe: () => keys.find(NO_PREFIX),
    onSwitch(state, cause) {
      observer.switched("keys", state, state === "away" ? answer : "every key is looked up");
      if (cause !== undefined)
        observer.log("warn", "the database of the keys does not answer", { code: errorCode(cause) });
    },
  });
  /** Look-ups are rare, so this is not on the way of a call. The time of use is only a hint: nothing waits for it. */
  const noteUse = ({ prefix, expires, lastUsed }: StoredApiKey) => {
    const isExpired = expires !== undefined && expires.getTime() <= clock.now();
    if (isExpired || (lastUsed !== undefined && clock.now() < lastUsed.getTime() + USE_STEP_MS)) return;
    void keys.markUsed(prefix).catch(() => {});
  };
  const cache = new CredentialCache({
    async look(credential) {
      const prefix = readKeyPrefix(credential);
      const found = prefix === undefined ? undefined : await gate.run(() => keys.find(prefix));
      if (found === undefined || found.revoked !== undefined) return undefined;
      const presented = Buffer.from(sha256Hex(credential), "hex");
      if (found.sha256.length !== presented.length || !timingSafeEqual(found.sha256, presented)) return undefined;
      noteUse(found);
      return { caller: callerForKey(found), expiresMs: found.expires?.getTime() ?? Number.POSITIVE_INFINITY };
    },
    freshMs: keyCacheMs,
    // Looked up again at half of the bound, so that calls in a steady flow never wait for the database.
    refreshMs: keyCacheMs / 2,
    concurrency: MAX_KEY_LOOKUPS,
    clock,
  });
  return { cache, close: () => gate.close() };
}
