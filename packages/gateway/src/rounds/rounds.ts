import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Stores } from "../stores/open-stores.ts";
import { migrate } from "../stores/postgres.ts";

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
interface RoundsOptions {
  /** Time of day in ms. @default Date.now */
  readonly now?: () => number;
}

/** How long a round stays open. Persons answer, and some of them the next morning. */
export const ROUND_MS = 24 * 3_600_000;

/**
 * Version, whether the upstream has a state, the time of its end in seconds, the digest of the params, the signature, and
 * the state as it came.
 */
const STATE_FORM = /^r1\.([01])\.(\d{1,12})\.([0-9a-f]{64})\.[\w-]{43}\.(.*)$/s;

/** What is written into a state. */
interface RoundContents {
  readonly ends: number;
  readonly params: string;
  readonly state: string | undefined;
}

/** Rounds that are signed with a secret, which all replicas share. */
export function createRounds(secret: Buffer, { now = Date.now }: RoundsOptions = {}): Rounds {
  function write({ caller, upstream, method, key }: RoundFacts, { ends, params, state }: RoundContents): string {
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
      const [, has, end, params = "", rest] = STATE_FORM.exec(sent) ?? [];
      const ends = Number(end);
      if (!(ends * 1_000 > now())) return undefined;
      const state = has === "1" ? rest : undefined;
      const [given, own] = [Buffer.from(sent), Buffer.from(write(facts, { ends, params, state }))];
      const isOurs = given.length === own.length && timingSafeEqual(given, own);
      return isOurs && params === facts.params() ? { state } : undefined;
    },
  };
}

/** What each version adds, in order. Entries are never changed. The first replica makes the secret: 244 random bits. */
const SECRET_TABLE_VERSIONS = [
  `create table gateway_secret (name text primary key, secret bytea not null);
  insert into gateway_secret values
    ('rounds', decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'));`,
] as const;

/**
 * Opens the rounds of a gateway. Their secret is in the database, where there is one, so that the replicas share it;
 * otherwise it ends with the process, and callers whose rounds were open begin anew.
 */
export async function openRounds(stores: Stores, options: RoundsOptions = {}): Promise<Rounds> {
  if (stores.mode === "memory") return createRounds(randomBytes(32), options);
  await migrate(stores.pool, "secrets", SECRET_TABLE_VERSIONS);
  const { rows } = await stores.pool.query<{ secret: Buffer }>(
    "select secret from gateway_secret where name = 'rounds'",
  );
  const [row] = rows;
  if (row === undefined) throw new Error("the table gateway_secret has lost the secret of the rounds");
  return createRounds(row.secret, options);
}
