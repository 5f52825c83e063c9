import { createHmac, timingSafeEqual } from "node:crypto";

/** The call that a round belongs to. */
export interface RoundFacts {
  /** Id of the caller. */
  readonly caller: string;
  /** Name of the upstream. */
  readonly upstream: string;
  readonly method: string;
  /** SHA-256 of the canonical params, in hex. Large params take time, so it is asked for only where all else is right. */
  readonly params: () => string;
  /** The idempotency key as the upstream gets it; undefined for a call without one. */
  readonly key: string | undefined;
}

/**
 * The rounds of calls whose upstreams ask for input. What the caller sends back as `requestState` is signed, so that any
 * replica knows it for its own without a store: the state of the upstream is inside.
 */
export interface Rounds {
  /** The state to give to the caller. `state` is that of the upstream; undefined where it has none. */
  open(facts: RoundFacts, state: string | undefined): string;
  /** The state of the upstream in one that was opened for the same call; undefined where it was not, or long ago. */
  find(facts: RoundFacts, sent: string): { readonly state: string | undefined } | undefined;
}

/** Options of `createRounds`. */
export interface RoundsOptions {
  /** Time of day in ms. @default Date.now */
  readonly now?: () => number;
}

/** How long a round stays open. Persons answer, and some of them the next morning. */
export const ROUND_MS = 24 * 3_600_000;

/**
 * Version, whether the upstream has a state, the time of its end in seconds, the digest of the params, the signature, and
 * the state as it came.
 */
const FORM = /^r1\.([01])\.(\d{1,12})\.([0-9a-f]{64})\.[\w-]{43}\.(.*)$/s;

/** What is written into a state. */
interface Written {
  readonly ends: number;
  readonly params: string;
  readonly state: string | undefined;
}

/** Rounds that are signed with a secret, which all replicas share. */
export function createRounds(secret: Buffer, { now = Date.now }: RoundsOptions = {}): Rounds {
  function write({ caller, upstream, method, key }: RoundFacts, { ends, params, state }: Written): string {
    // Written as JSON, so that no two calls have the same text.
    const text = JSON.stringify(["round/1", caller, upstream, method, params, key ?? null, ends, state ?? null]);
    const signature = createHmac("sha256", secret).update(text).digest("base64url");
    return `r1.${state === undefined ? 0 : 1}.${ends}.${params}.${signature}.${state ?? ""}`;
  }
  return {
    open(facts, state) {
      const ends = Math.ceil((now() + ROUND_MS) / 1_000);
      return write(facts, { ends, params: facts.params(), state });
    },
    find(facts, sent) {
      const [, has, end, params = "", rest] = FORM.exec(sent) ?? [];
      const ends = Number(end);
      if (!(ends * 1_000 > now())) return undefined;
      const state = has === "1" ? rest : undefined;
      const [given, own] = [Buffer.from(sent), Buffer.from(write(facts, { ends, params, state }))];
      const isOurs = given.length === own.length && timingSafeEqual(given, own);
      return isOurs && params === facts.params() ? { state } : undefined;
    },
  };
}
