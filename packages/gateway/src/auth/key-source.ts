import { timingSafeEqual } from "node:crypto";
import { AwayGate } from "../stores/away-gate.ts";
import type { KeyStore } from "../stores/keys.ts";
import type { Observer } from "../telemetry/observer.ts";
import { callerOfKey } from "./callers.ts";
import type { Clock } from "./clock.ts";
import { CredentialCache } from "./credential-cache.ts";
import { digestOf } from "./digest.ts";
import { errorCode } from "./error-code.ts";
import { prefixOf } from "./key-format.ts";

/** How many unknown keys are looked up at a time: a flood of them leaves connections for others. */
const CONCURRENCY = 4;

/** No key has this prefix. It is looked up to see whether the database answers. */
const NO_PREFIX = "-";

/** What `keySource` needs. */
export interface KeySourceOptions {
  readonly keys: KeyStore;
  readonly keyCacheMs: number;
  readonly observer: Pick<Observer, "switched" | "log">;
  readonly clock: Clock;
}

/** The keys of the database, with their cache. */
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
  const cache = new CredentialCache({
    async look(credential) {
      const prefix = prefixOf(credential);
      const found = prefix === undefined ? undefined : await gate.run(() => keys.find(prefix));
      if (found === undefined || found.revoked !== undefined) return undefined;
      const presented = Buffer.from(digestOf(credential), "hex");
      if (found.sha256.length !== presented.length || !timingSafeEqual(found.sha256, presented)) return undefined;
      return { caller: callerOfKey(found), expiresMs: found.expires?.getTime() ?? Number.POSITIVE_INFINITY };
    },
    freshMs: keyCacheMs,
    // Looked up again at half of the bound, so that calls in a steady flow never wait for the database.
    refreshMs: keyCacheMs / 2,
    concurrency: CONCURRENCY,
    clock,
  });
  return { cache, close: () => gate.close() };
}
