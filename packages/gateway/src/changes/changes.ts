// What changed in a gateway: breakers, the configuration, stores, processes. What people did is kept with it by the audit.

import { race, sleep } from "@recourse/core/wire";
import type { BreakerFlip } from "../breaker/breakers.ts";
import type { ControlName, Observer } from "../call/observer.ts";

/** What can change, or `operator` if a person changed something. */
export type ChangeKind = "operator" | "config" | "breaker" | "store" | "process";

export interface Change {
  readonly id: string;
  /** ISO 8601 time. */
  readonly at: string;
  readonly kind: ChangeKind;
  readonly what: string;
  readonly target: string;
  /** The id of the operator's key. */
  readonly by?: string | undefined;
  /** The process that noticed it. */
  readonly replica?: string | undefined;
  readonly facts: Readonly<Record<string, unknown>>;
}

export interface NewChange extends Pick<Change, "what" | "target" | "facts"> {
  readonly kind: Exclude<ChangeKind, "operator">;
  /** Of changes with the same name one is kept, whatever the number of processes that record it. @default it has no other name */
  readonly once?: string | undefined;
  /** An equal change within this time before it is the same one. @default 0 */
  readonly mergeMs?: number | undefined;
}

export interface WaitingChange extends NewChange {
  readonly once: string;
  readonly atMs: number;
  readonly replica: string;
}

/** Which changes are listed, the newest first. */
export interface ChangeFilter {
  readonly kind?: ChangeKind | undefined;
  readonly target?: string | undefined;
  /** ISO 8601 times: from the first, and before the second. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** The `next` of the page before. */
  readonly before?: string | undefined;
  readonly limit: number;
}

export interface ChangePage {
  readonly items: readonly Change[];
  readonly next: string | null;
}

/** Where changes are kept. Methods reject if the store is down. */
export interface ChangeStore {
  /** Keeps changes; gives those that were not kept before. It may be repeated. */
  add(changes: readonly WaitingChange[]): Promise<readonly Change[]>;
  list(filter: ChangeFilter): Promise<ChangePage>;
  close(): void;
}

export interface ChangesOptions {
  readonly now: () => number;
  /** A text that no other change of any replica has. */
  readonly createId: () => string;
  /** How long to wait before a store that is down is tried again. @default 1_000 */
  readonly retryMs?: number;
}

/** Changes that wait while the store is down; beyond it the oldest are given up. */
const MAX_WAITING_CHANGES = 1_000;
const BATCH_CHANGES = 100;
/** What one process records in a minute. A part that comes and goes all the time fills no table. */
const MAX_CHANGES_A_MINUTE = 120;
const CHANGE_RETRY_MS = 1_000;
/** How long the last changes may take when the gateway stops. */
const CHANGES_CLOSE_MS = 2_000;
/** The same store is found to be away by several parts and replicas, one after the other. */
const STORE_MERGE_MS = 5_000;

/** Records what changes in this process, and lists what changed in the gateway. */
export class Changes {
  readonly #options: ChangesOptions;
  readonly #waiting: WaitingChange[] = [];
  readonly #away = new Set<ControlName>();
  #store: ChangeStore | undefined;
  #replica = "";
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #minute = 0;
  #inMinute = 0;

  constructor(options: ChangesOptions) {
    this.#options = options;
  }

  /** From now on changes are kept there. Those from before are kept too. */
  attach(store: ChangeStore, replica: string): void {
    this.#store = store;
    this.#replica = replica;
    this.#flushSoon();
  }

  /** Records a change. It never waits and never throws. */
  record(change: NewChange): void {
    const { now, createId } = this.#options;
    const atMs = now();
    const minute = Math.floor(atMs / 60_000);
    if (minute !== this.#minute) this.#inMinute = 0;
    this.#minute = minute;
    this.#inMinute += 1;
    if (this.#inMinute > MAX_CHANGES_A_MINUTE) return;
    this.#waiting.push({ ...change, once: change.once ?? createId(), atMs, replica: this.#replica });
    if (this.#waiting.length > MAX_WAITING_CHANGES) this.#waiting.shift();
    this.#flushSoon();
  }

  /** A breaker was opened or closed. Every replica records it, and one of them is kept. */
  flipped({ upstream, tool, what, epoch, failures }: BreakerFlip): void {
    const facts = { ...(tool !== undefined && { tool }), ...(failures !== undefined && { failures }) };
    const once = epoch === undefined ? undefined : `breaker ${JSON.stringify([upstream, tool, what, epoch])}`;
    this.record({ kind: "breaker", what, target: upstream, facts, once });
  }

  /** The observer, which from now on is watched for stores that go away and come back. */
  watch(observer: Observer): Observer {
    return {
      ...observer,
      switched: (control, state, answer) => {
        observer.switched(control, state, answer);
        // Upstreams have breakers and lists of their own to tell.
        if (control.includes(" ") || this.#away.has(control) === (state === "away")) return;
        if (state === "away") this.#away.add(control);
        else this.#away.delete(control);
        const facts = state === "away" ? { answer } : {};
        this.record({ kind: "store", what: state, target: control, facts, mergeMs: STORE_MERGE_MS });
      },
    };
  }

  /** The newest first, with what people did. It rejects if the store is down. */
  async list(filter: ChangeFilter): Promise<ChangePage> {
    return (await this.#store?.list(filter)) ?? { items: [], next: null };
  }

  /** Keeps what waits, within a bound. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await race(this.#closeWaiting(), { ms: CHANGES_CLOSE_MS, sleep });
    this.#store?.close();
  }

  async #closeWaiting(): Promise<void> {
    await this.#running;
    await this.#flush();
  }

  #flushSoon(afterMs = 0): void {
    if (this.#store === undefined || this.#running !== undefined || this.#isClosed || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#running = this.#flush().finally(() => {
        this.#running = undefined;
        if (this.#waiting.length > 0) this.#flushSoon(this.#options.retryMs ?? CHANGE_RETRY_MS);
      });
    }, afterMs).unref();
  }

  /** Keeps all that waits. It ends if the store is down. */
  async #flush(): Promise<void> {
    while (this.#store !== undefined && this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, BATCH_CHANGES);
      try {
        // Those from before the store was there do not know their process.
        await this.#store.add(batch.map((one) => ({ ...one, replica: this.#replica })));
      } catch {
        return;
      }
      const done = new Set(batch);
      const rest = this.#waiting.filter((one) => !done.has(one));
      this.#waiting.splice(0, this.#waiting.length, ...rest);
    }
  }
}

/** The place of a change in the list: its time in microseconds, and its id. */
export interface ChangeCursor {
  readonly micros: string;
  readonly id: string;
}

/** What a `next` looks like. */
export const CHANGE_CURSOR = /^([0-9]{1,17})\.([0-9]{1,18})$/;

/** Reads a `next`; undefined if it is not valid. */
export function readChangeCursor(text: string | undefined): ChangeCursor | undefined {
  const [, micros, id] = CHANGE_CURSOR.exec(text ?? "") ?? [];
  return micros === undefined || id === undefined ? undefined : { micros, id };
}
