import type { Observer } from "../call/observer.ts";
import type { Audit } from "../incidents/audit.ts";
import type { Stores } from "../stores/open-stores.ts";
import {
  type Change,
  type ChangeFilter,
  type ChangeStore,
  type Changes,
  readChangeCursor,
  type WaitingChange,
} from "./changes.ts";
import { createChangeTables, postgresChanges } from "./postgres-changes.ts";
import { type OwnReplica, postgresReplicas, type Replicas, singleReplica } from "./replicas.ts";

interface OpenChangesOptions {
  readonly changes: Changes;
  readonly audit: Audit | undefined;
  readonly observer: Observer;
  /** The public name of the gateway. */
  readonly name: string;
  readonly own: OwnReplica;
  readonly now: () => number;
}

/** Begins to keep changes, and records that this process has started. It rejects if the tables cannot be made. */
export async function openChanges(
  stores: Stores,
  { changes, audit, observer, name, own, now }: OpenChangesOptions,
): Promise<Replicas> {
  const isShared = stores.mode === "shared";
  if (isShared) await createChangeTables(stores.pool);
  changes.attach(isShared ? postgresChanges(stores.pool, observer) : memoryChanges(audit), own.id);
  const facts = { version: own.version };
  changes.record({ kind: "process", what: "started", target: name, facts });
  const replicas = isShared ? postgresReplicas(stores.pool, own, { observer }) : singleReplica(own, now);
  return {
    list: () => replicas.list(),
    async close() {
      changes.record({ kind: "process", what: "stopped", target: name, facts });
      await Promise.all([changes.close(), replicas.close()]);
    },
  };
}

const MAX_KEPT_CHANGES = 1_000;
/** How much of the audit is looked at: all that it keeps in a process. */
const MAX_AUDIT_ROWS = 1_000;

/** Changes in this process: the last ones only, and none after a restart. */
export function memoryChanges(audit: Pick<Audit, "list"> | undefined, max: number = MAX_KEPT_CHANGES): ChangeStore {
  /** The newest last. */
  const rows: (Change & { readonly once: string })[] = [];
  let last = 0;
  const add = (waiting: WaitingChange): readonly Change[] => {
    if (rows.some((row) => row.once === waiting.once || isMerged(row, waiting))) return [];
    last += 1;
    const { kind, what, target, facts, replica, once } = waiting;
    const change = { id: `e${last}`, at: new Date(waiting.atMs).toISOString(), kind, what, target, replica, facts };
    rows.push({ ...change, once });
    if (rows.length > max) rows.shift();
    return [change];
  };
  return {
    add: async (changes) => changes.flatMap(add),
    async list(filter) {
      const entries = (await audit?.list({ limit: MAX_AUDIT_ROWS })) ?? [];
      const operators = entries.map(({ id, at, by, action, target, facts }) => {
        return { id: `a${id}`, at, kind: "operator", what: action, target, by, facts } as const;
      });
      const own = rows.map(({ once: _once, ...change }): Change => change);
      const cursor = readChangeCursor(filter.before);
      const place = cursor && { micros: Number(cursor.micros), source: cursor.source, number: Number(cursor.number) };
      const found = [...operators, ...own]
        .filter((change) => agreesWith(change, filter))
        .toSorted((one, other) => comparePlaces(placeOf(other), placeOf(one)))
        .filter((change) => place === undefined || comparePlaces(placeOf(change), place) < 0);
      const items = found.slice(0, filter.limit);
      const end = items.at(-1);
      const isMore = found.length > items.length && end !== undefined;
      return { items, next: isMore ? `${placeOf(end).micros}.${end.id}` : null };
    },
    close: () => {},
  };
}

/** Whether a change that is to be kept is one that was kept a moment ago. */
function isMerged(row: Change, { kind, what, target, facts, atMs, mergeMs = 0 }: WaitingChange): boolean {
  if (mergeMs === 0 || Date.parse(row.at) < atMs - mergeMs) return false;
  const isSame = row.kind === kind && row.what === what && row.target === target;
  return isSame && JSON.stringify(row.facts) === JSON.stringify(facts);
}

function agreesWith({ kind, target, at }: Change, filter: ChangeFilter): boolean {
  const { since, until } = filter;
  if (filter.kind !== undefined && filter.kind !== kind) return false;
  if (filter.target !== undefined && filter.target !== target) return false;
  if (since !== undefined && Date.parse(at) < Date.parse(since)) return false;
  return until === undefined || Date.parse(at) < Date.parse(until);
}

interface ChangePlace {
  readonly micros: number;
  readonly source: string;
  readonly number: number;
}

function placeOf({ id, at }: Change): ChangePlace {
  return { micros: Date.parse(at) * 1_000, source: id.slice(0, 1), number: Number(id.slice(1)) };
}

function comparePlaces(one: ChangePlace, other: ChangePlace): number {
  const bySource = one.source === other.source ? 0 : one.source < other.source ? -1 : 1;
  return one.micros - other.micros || bySource || one.number - other.number;
}
