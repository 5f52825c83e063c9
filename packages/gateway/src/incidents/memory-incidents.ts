import { formsOfCaller } from "./caller-key.ts";
import { Counted, type CountedRecord } from "./counted.ts";
import type {
  GatewayIncident,
  IncidentClass,
  IncidentFilter,
  IncidentReader,
  Incidents,
  RateGroup,
  RatePoint,
} from "./incidents.ts";
import type { IncidentRecord, Recorder } from "./record.ts";

const MAX_KEPT = 10_000;
const WIDTHS_MS = { minute: 60_000, hour: 3_600_000 } as const;

/** Keeps the last incidents in this process. */
export function memoryIncidents(recorder: Recorder, max: number = MAX_KEPT): Incidents {
  let kept: IncidentRecord[] = [];
  const counted = new Counted(max);
  /** Ids of what is removed are not given out any longer. */
  const replace = (rest: readonly IncidentRecord[]) => {
    const left = new Set(rest);
    for (const record of kept) if (!left.has(record)) recorder.forget(record);
    kept = [...rest];
  };
  return {
    admit: (facts) => recorder.admit(facts),
    sink: (incident: GatewayIncident) => {
      const record = recorder.record(incident);
      if (record === undefined) return;
      if (!record.isKept) {
        counted.add(record);
        return;
      }
      kept.push(record);
      // A quarter at a time: removing the first of a long list for each incident would cost more than the rest.
      if (kept.length >= max * 1.25) replace(kept.slice(-max));
    },
    reader: memoryReader({ list: () => kept, counted: () => counted.list, replace }),
    state: { waiting: 0, dropped: 0, isAway: false },
    close: () => Promise.resolve(),
  };
}

interface Source {
  list(): readonly IncidentRecord[];
  /** What was only counted. */
  counted(): readonly CountedRecord[];
  replace(rest: readonly IncidentRecord[]): void;
}

function memoryReader({ list, counted, replace }: Source): IncidentReader {
  const matching = (filter: IncidentFilter) => list().filter((record) => agrees(record, filter));
  const all = (filter: IncidentFilter): readonly CountedRecord[] => [
    ...matching(filter).map((record) => ({ record, count: 1 })),
    ...counted().filter(({ record }) => agrees(record, filter)),
  ];
  return {
    find: async (id) => {
      const records = list();
      const found =
        records.find((record) => record.id === id) ?? records.find((record) => record.upstreamIncident === id);
      return found && rowOf(found);
    },
    search: async (filter, { limit, before, beforeAt }) => {
      const newest = matching(filter).toSorted((one, other) => compare(other, one));
      const last = before === undefined ? undefined : lastOf(list(), before, beforeAt);
      if (before !== undefined && last === undefined) return [];
      const rest = last === undefined ? newest : newest.filter((record) => compare(record, last) < 0);
      return rest.slice(0, limit).map(rowOf);
    },
    ranking: async (filter, limit) =>
      classesOf(all(filter))
        .toSorted((one, other) => other.count - one.count)
        .slice(0, limit),
    findClass: async (fingerprint) => classesOf(all({ fingerprint }))[0],
    rates: async (filter, by, width) => pointsOf(all(filter), by, WIDTHS_MS[width]),
    erase: async (caller) => {
      const forms = formsOfCaller(caller);
      const before = list();
      const rest = before.filter((record) => record.caller === undefined || !forms.includes(record.caller));
      replace(rest);
      return before.length - rest.length;
    },
  };
}

const SAME = [
  "fingerprint",
  "reason",
  "kind",
  "tool",
  "upstream",
  "tenant",
] as const satisfies readonly (keyof IncidentFilter)[];

function agrees(record: IncidentRecord, filter: IncidentFilter): boolean {
  const { caller, since, until } = filter;
  if (SAME.some((member) => filter[member] !== undefined && filter[member] !== record[member])) return false;
  if (caller !== undefined && !formsOfCaller(caller).includes(record.caller ?? "")) return false;
  if (since !== undefined && record.atMs < Date.parse(since)) return false;
  return until === undefined || record.atMs < Date.parse(until);
}

/** By time, then by id. */
function compare(one: Pick<IncidentRecord, "atMs" | "id">, other: Pick<IncidentRecord, "atMs" | "id">): number {
  return one.atMs - other.atMs || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);
}

/** The row that a page ended with. */
function lastOf(records: readonly IncidentRecord[], id: string, at: string | undefined) {
  if (at !== undefined) return { id, atMs: Date.parse(at) };
  return records.filter((record) => record.id === id).toSorted(compare)[0];
}

function rowOf({ atMs: _atMs, about: _about, isKept: _isKept, ...row }: IncidentRecord) {
  return row;
}

function classesOf(records: readonly CountedRecord[]): readonly IncidentClass[] {
  return [...Map.groupBy(records, ({ record }) => record.fingerprint)].map(([fingerprint, all]) => {
    const sorted = all.map(({ record }) => record).toSorted(compare);
    const [first] = sorted as [IncidentRecord];
    return {
      fingerprint,
      ...first.about,
      upstream: first.upstream,
      firstSeen: first.at,
      lastSeen: (sorted.at(-1) ?? first).at,
      count: all.reduce((sum, { count }) => sum + count, 0),
    };
  });
}

function pointsOf(records: readonly CountedRecord[], by: RateGroup, widthMs: number): readonly RatePoint[] {
  const points = new Map<string, { at: string; group: string; count: number }>();
  for (const { record, count } of records) {
    const at = new Date(Math.floor(record.atMs / widthMs) * widthMs).toISOString();
    const group = record[by] ?? "";
    const key = `${at} ${group}`;
    const point = points.get(key) ?? { at, group, count: 0 };
    points.set(key, { ...point, count: point.count + count });
  }
  return [...points].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, point]) => point);
}
