import { FaultError } from "@recourse/core";
import { core, toFault } from "@recourse/core/reasons";
import { type ExtendableIdempotencyStore, type IdempotencyState, memoryIdempotency } from "@recourse/core/server";
import { stringAt } from "@recourse/core/wire";
import { postgresIdempotency, readHold, type SharedIdempotencyStore, schemaSql } from "@recourse/stores/postgres";
import type { KeyOutcome, Observer } from "../call/observer.ts";
import type { GatewayConfig } from "../config/types.ts";
import { AwayGate } from "../stores/away-gate.ts";
import type { Stores } from "../stores/open-stores.ts";
import { migrate, type SchemaPart } from "../stores/postgres.ts";
import { HoldWatch } from "./hold.ts";

/**
 * The idempotency keys of a gateway. `begin`, `find` and `extend` reject if the store is down; if they reject for another
 * reason, a fault says why.
 */
export interface Idempotency extends ExtendableIdempotencyStore {
  /** Waits until the outcomes that are known are stored, within a bound. */
  close(): Promise<void>;
}

const IDEMPOTENCY_TABLE = "gateway_idempotency";
const IDEMPOTENCY_SQL = schemaSql({ table: IDEMPOTENCY_TABLE });
/** The tables of the idempotency keys. The second version has the table of the counts. Neither changes what is there. */
export const IDEMPOTENCY_SCHEMA: SchemaPart = { part: "idempotency", versions: [IDEMPOTENCY_SQL, IDEMPOTENCY_SQL] };
/** A call waits no longer than this for the database. */
const STORE_TIMEOUT_MS = 2_000;
/** How many new keys one caller may use in any ten minutes, at all replicas together. */
const MAX_NEW_KEYS = 10_000;
const KEY_WINDOW_MS = 600_000;
/** How many keys one process remembers; each caller may have as many at a time as it may use in the window. */
const MAX_IN_MEMORY = 10 * MAX_NEW_KEYS;

/** Opens the idempotency keys of a gateway. */
export async function openIdempotency(
  { idempotency: { keepMs } }: Pick<GatewayConfig, "idempotency">,
  stores: Stores,
  observer: Pick<Observer, "switched" | "log">,
): Promise<Idempotency> {
  switch (stores.mode) {
    case "memory":
      return {
        ...memoryIdempotency({ keepMs, maxKeys: MAX_IN_MEMORY, maxKeysPerCaller: MAX_NEW_KEYS }),
        close: async () => {},
      };
    case "shared": {
      const { pool } = stores;
      await migrate(pool, [IDEMPOTENCY_SCHEMA]);
      const store = postgresIdempotency({
        pool,
        table: IDEMPOTENCY_TABLE,
        keepMs,
        timeoutMs: STORE_TIMEOUT_MS,
        maxKeysPerCaller: MAX_NEW_KEYS,
        keyWindowMs: KEY_WINDOW_MS,
      });
      const hold = new HoldWatch({ read: () => readHold(pool, { table: IDEMPOTENCY_TABLE }), observer });
      void hold.look();
      return withHoldWatch(withAwayGate(store, observer, STORE_TIMEOUT_MS), hold);
    }
    default:
      return stores satisfies never;
  }
}

function withHoldWatch(store: Idempotency, hold: HoldWatch): Idempotency {
  return {
    ...store,
    begin: (key, digest, claim) =>
      store.begin(key, digest, claim).catch((thrown: unknown) => {
        if (FaultError.is(thrown) && toFault(thrown).reason === core.unavailable.id) void hold.look();
        throw thrown;
      }),
    close() {
      hold.close();
      return store.close();
    },
  };
}

/** No call has this key. It is looked up to see whether the database answers. */
const NO_KEY = "00".repeat(32);
/** How long outcomes may take to be stored when the gateway stops. */
const STORE_CLOSE_MS = 5_000;

/**
 * Stands before a store whose database can be down. Then calls are refused at once, and a probe finds out when it is up
 * again. `timeoutMs` is how long the store itself waits.
 */
export function withAwayGate(
  store: SharedIdempotencyStore,
  observer: Pick<Observer, "switched" | "log">,
  timeoutMs: number,
): Idempotency {
  const gate = new AwayGate({
    probe: () => store.find(NO_KEY, NO_KEY),
    // The store gives up first, since it gives back a claim whose answer comes too late.
    timeoutMs: 2 * timeoutMs,
    onSwitch(state, cause) {
      const answer = state === "away" ? "calls with an idempotency key are refused" : "calls with a key are served";
      observer.switched("idempotency", state, answer);
      if (cause !== undefined)
        observer.log("warn", "the database of the idempotency keys does not answer", { code: stringAt(cause, "code") });
    },
  });

  /** Asks the store. A refusal of its own, such as too many keys of one caller, does not mean that it is down. */
  async function ask<T>(question: () => Promise<T>): Promise<T> {
    const answer = await gate.run(() =>
      question().then(
        (value) => ({ value }),
        (thrown: unknown) => {
          if (FaultError.is(thrown)) return { thrown };
          throw thrown;
        },
      ),
    );
    if ("thrown" in answer) throw answer.thrown;
    return answer.value;
  }

  /** Changes are made whatever the gate knows: the store repeats them until the database is up again. */
  async function change(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (cause) {
      gate.failed(cause);
      throw cause;
    }
  }

  return {
    begin: (key, digest, claim) => ask(() => store.begin(key, digest, claim)),
    find: (key, digest) => ask(() => store.find(key, digest)),
    extend: (key, fence, deadlineMs) => ask(() => store.extend(key, fence, deadlineMs)),
    settle: (key, fence, outcome) => change(store.settle(key, fence, outcome)),
    release: (key, fence) => change(store.release(key, fence)),
    async close() {
      gate.close();
      await store.close({ signal: AbortSignal.timeout(STORE_CLOSE_MS) });
    },
  };
}

export interface CountedIdempotency extends Idempotency {
  readonly counts: Readonly<Record<KeyOutcome, number>>;
}

const OUTCOMES = {
  settled: "stored",
  running: "running",
  unknown: "unknown",
  other: "reused",
} as const satisfies Record<Exclude<IdempotencyState["state"], "new">, KeyOutcome>;

/** Counts what comes of keys: those that are claimed, and known ones whose call may not be sent. */
export function countKeys(store: Idempotency): CountedIdempotency {
  const counts: Record<KeyOutcome, number> = {
    ...{ fresh: 0, taken_over: 0, stored: 0, running: 0 },
    ...{ unknown: 0, reused: 0, refused: 0, unavailable: 0 },
  };
  return {
    ...store,
    counts,
    async begin(key, digest, claim) {
      try {
        const begun = await store.begin(key, digest, claim);
        if (begun.state !== "new") counts[OUTCOMES[begun.state]] += 1;
        else if (begun.isTakenOver === true) counts.taken_over += 1;
        else counts.fresh += 1;
        return begun;
      } catch (thrown) {
        // A store that is there says by a fault why it refuses a key.
        counts[FaultError.is(thrown) ? "refused" : "unavailable"] += 1;
        throw thrown;
      }
    },
    async find(key, digest) {
      const found = await store.find(key, digest);
      if (found.state !== "absent") counts[OUTCOMES[found.state]] += 1;
      return found;
    },
  };
}
