import { isSameText, signList } from "../call/binding.ts";

export interface RoundFacts {
  readonly caller: string;
  readonly upstream: string;
  readonly method: string;
  /** SHA-256 of the canonical params, in hex. Large params take time, so it is computed only if all else is right. */
  readonly params: () => string;
  /** The idempotency key as the upstream gets it; undefined for a call without one. */
  readonly key: string | undefined;
}

/**
 * The rounds of calls whose upstreams ask for input. What the caller sends back as `requestState` is signed, so that any
 * replica knows it for its own without a store: the state of the upstream is inside.
 */
export interface Rounds {
  /** The state to give to the caller. `state` is that of the upstream; undefined if it has none. */
  open(facts: RoundFacts, state: string | undefined): string;
  /** The state of the upstream in one that was opened for the same call; undefined if it was not, or long ago. */
  find(facts: RoundFacts, sent: string): { readonly state: string | undefined } | undefined;
  /** The state to give to the caller of a call that is held: its next call names it. */
  openHeld(facts: RoundFacts, place: HeldPlace): string;
  /** Where the call is held that a state was opened for; undefined if it was opened for another one, or long ago. */
  findHeld(facts: RoundFacts, sent: string): HeldPlace | undefined;
}

export interface HeldPlace {
  readonly replica: string;
  readonly held: string;
}

interface RoundsOptions {
  readonly now?: () => number;
}

/** How long a round stays open. Persons answer, and some of them the next morning. */
export const ROUND_MS = 24 * 3_600_000;

/**
 * Version, whether the upstream has a state, the time of its end in seconds, the digest of the params, the signature, and
 * the state as it came.
 */
const STATE_FORM = /^r1\.([01])\.(\d{1,12})\.([0-9a-f]{64})\.[\w-]{43}\.(.*)$/s;

const HELD_PREFIX = "h1.";
/** Version, the time of its end in seconds, the digest of the params, the process, the call in it, and the signature. */
const HELD_FORM = /^h1\.(\d{1,12})\.([0-9a-f]{64})\.([0-9a-z]{1,64})\.([\w-]{1,64})\.[\w-]{43}$/;

/** Whether a text has the form of a state of a held call. It may still be forged: `findHeld` tells. */
export function isHeldState(sent: unknown): sent is string {
  return typeof sent === "string" && sent.startsWith(HELD_PREFIX);
}

interface RoundContents {
  readonly ends: number;
  readonly params: string;
  readonly state: string | undefined;
}

export function createRounds(secret: Buffer, { now = Date.now }: RoundsOptions = {}): Rounds {
  function write({ caller, upstream, method, key }: RoundFacts, { ends, params, state }: RoundContents): string {
    const list = ["round/1", caller, upstream, method, params, key ?? null, ends, state ?? null];
    const signature = signList(secret, list);
    return `r1.${state === undefined ? 0 : 1}.${ends}.${params}.${signature}.${state ?? ""}`;
  }
  function writeHeld(
    { caller, upstream, method, key }: RoundFacts,
    { ends, params, replica, held }: Pick<RoundContents, "ends" | "params"> & HeldPlace,
  ): string {
    const signature = signList(secret, ["held/1", caller, upstream, method, params, key ?? null, ends, replica, held]);
    return `${HELD_PREFIX}${ends}.${params}.${replica}.${held}.${signature}`;
  }
  const endsNow = () => Math.ceil((now() + ROUND_MS) / 1_000);
  return {
    open(facts, state) {
      return write(facts, { ends: endsNow(), params: facts.params(), state });
    },
    find(facts, sent) {
      const [, has, end, params = "", rest] = STATE_FORM.exec(sent) ?? [];
      const ends = Number(end);
      if (!(ends * 1_000 > now())) return undefined;
      const state = has === "1" ? rest : undefined;
      const isOurs = isSameText(sent, write(facts, { ends, params, state }));
      return isOurs && params === facts.params() ? { state } : undefined;
    },
    openHeld(facts, place) {
      return writeHeld(facts, { ends: endsNow(), params: facts.params(), ...place });
    },
    findHeld(facts, sent) {
      const [, end, params = "", replica = "", held = ""] = HELD_FORM.exec(sent) ?? [];
      const ends = Number(end);
      if (!(ends * 1_000 > now())) return undefined;
      const isOurs = isSameText(sent, writeHeld(facts, { ends, params, replica, held }));
      return isOurs && params === facts.params() ? { replica, held } : undefined;
    },
  };
}
