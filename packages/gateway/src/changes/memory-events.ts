import type { Audit } from "./audit.ts";
import { type Change, type ChangeFilter, type ChangeStore, readChangeCursor, type WaitingChange } from "./changes.ts";

/** How many entries of the audit are kept, and how many changes. */
const MAX_KEPT_EVENTS = 1_000;

/** Where a gateway keeps what changed, and what operators did. */
export interface EventStores {
  readonly audit: Audit;
  readonly changes: ChangeStore;
}

/** The audit and the changes of this process: the last ones only, and none after a restart. */
export function memoryEvents(now: () => number = Date.now, max: number = MAX_KEPT_EVENTS): EventStores {
  /** The newest last. */
  const rows: (Change & { readonly once?: string })[] = [];
  let last = 0;
  const keep = (row: Omit<(typeof rows)[number], "id">): Change => {
    last += 1;
    const { once: _once, ...change } = { id: String(last), ...row };
    rows.push({ ...change, ...(row.once !== undefined && { once: row.once }) });
    const isAudit = ({ kind }: Pick<Change, "kind">) => kind === "operator";
    const same = rows.filter((one) => isAudit(one) === isAudit(row));
    if (same.length > max) rows.splice(rows.indexOf(same[0] as Change), 1);
    return change;
  };
  const add = (waiting: WaitingChange): readonly Change[] => {
    if (rows.some((row) => row.once === waiting.once || isMerged(row, waiting))) return [];
    const { kind, what, target, facts, replica, once, atMs } = waiting;
    return [keep({ at: new Date(atMs).toISOString(), kind, what, target, replica, facts, once })];
  };
  return {
    audit: {
      async record({ by, action, target, facts }) {
        keep({ at: new Date(now()).toISOString(), kind: "operator", what: action, target, by, facts: { ...facts } });
      },
      async list({ limit, before }) {
        const entries = rows.flatMap(({ id, at, kind, what, target, by = "", facts }) =>
          kind === "operator" ? [{ id, at, by, action: what, target, facts }] : [],
        );
        const older = before === undefined ? entries : entries.filter(({ id }) => Number(id) < Number(before));
        return older.slice(-limit).toReversed();
      },
    },
    changes: {
      add: async (changes) => changes.flatMap(add),
      async list(filter) {
        const cursor = readChangeCursor(filter.before);
        const found = rows
          .filter((change) => agreesWith(change, filter))
          .toSorted((one, other) => comparePlaces(placeOf(other), placeOf(one)))
          .filter((change) => cursor === undefined || comparePlaces(placeOf(change), cursor) < 0);
        const items = found.slice(0, filter.limit).map(({ once: _once, ...change }): Change => change);
        const end = items.at(-1);
        const isMore = found.length > items.length && end !== undefined;
        return { items, next: isMore ? `${placeOf(end).micros}.${end.id}` : null };
      },
      close: () => {},
    },
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

function placeOf({ id, at }: Change) {
  return { micros: String(Date.parse(at) * 1_000), id };
}

type ChangePlace = ReturnType<typeof placeOf>;

function comparePlaces(one: ChangePlace, other: ChangePlace): number {
  return Number(one.micros) - Number(other.micros) || Number(one.id) - Number(other.id);
}
