import { NewestMap } from "@recourse/core/wire";
import { explainClasses, type PlainClass } from "./explain-class.ts";
import {
  type GatewayIncident,
  type IncidentFilter,
  type IncidentReader,
  type Incidents,
  MINUTE_MS,
  type RateGroup,
  type RatePoint,
} from "./incidents.ts";
import type { IncidentRecord, Recorder } from "./record.ts";
import { storedCallerForms } from "./sample.ts";
import { worseKnownEffect } from "./spool.ts";

const MAX_KEPT_INCIDENTS = 10_000;
const WIDTHS_MS = { minute: 60_000, hour: 3_600_000 } as const;

/** Keeps the last incidents in this process. */
export function memoryIncidents(recorder: Recorder, max: number = MAX_KEPT_INCIDENTS): Incidents {
  let kept: IncidentRecord[] = [];
  const counted = new MinuteCounts(max);
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
    state: { waiting: 0, dropped: 0, droppedSamples: 0, isAway: false },
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
      const [first, ...others] = records.filter((record) => record.id === id);
      const found = first ?? records.find((record) => record.upstreamIncident === id);
      if (found === undefined || others.length === 0) return found && toRow(found);
      return { ...toRow(found), othersAt: others.map(({ at }) => at) };
    },
    search: async (filter, { limit, before, beforeAt }) => {
      const newest = matching(filter).toSorted((one, other) => compare(other, one));
      const last = before === undefined ? undefined : newestWithId(list(), before, beforeAt);
      if (before !== undefined && last === undefined) return [];
      const rest = last === undefined ? newest : newest.filter((record) => compare(record, last) < 0);
      return rest.slice(0, limit).map(toRow);
    },
    findClass: async (fingerprint) => (await explainClasses(groupClasses(all({ fingerprint }))))[0],
    findClasses: async (prefix, limit) =>
      explainClasses(
        groupClasses(all({}).filter(({ record }) => record.fingerprint.startsWith(prefix)))
          .toSorted((one, other) => Date.parse(other.lastSeen) - Date.parse(one.lastSeen))
          .slice(0, limit),
      ),
    knownNames: async (text, since, limit) => {
      const classes = groupClasses(all({}));
      const callers = matching({ since }).map(({ caller }) => caller);
      return {
        reasons: namesWith(
          text,
          classes.map(({ reason }) => reason),
          limit,
        ),
        tools: namesWith(
          text,
          classes.map(({ tool }) => tool),
          limit,
        ),
        upstreams: namesWith(
          text,
          classes.map(({ upstream }) => upstream),
          limit,
        ),
        callers: namesWith(text, callers, limit),
      };
    },
    rates: async (filter, by, width) => ratePoints(all(filter), by, WIDTHS_MS[width]),
    erase: async (caller) => {
      const forms = storedCallerForms(caller);
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
  "id",
  "trace",
] as const satisfies readonly (keyof IncidentFilter)[];

function agrees(record: IncidentRecord, filter: IncidentFilter): boolean {
  const { caller, since, until } = filter;
  if (SAME.some((member) => filter[member] !== undefined && filter[member] !== record[member])) return false;
  if (caller !== undefined && !storedCallerForms(caller).includes(record.caller ?? "")) return false;
  if (since !== undefined && record.atMs < Date.parse(since)) return false;
  return until === undefined || record.atMs < Date.parse(until);
}

/** By time, then by id. */
function compare(one: Pick<IncidentRecord, "atMs" | "id">, other: Pick<IncidentRecord, "atMs" | "id">): number {
  return one.atMs - other.atMs || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);
}

/** The row that a page ended with. */
function newestWithId(records: readonly IncidentRecord[], id: string, at: string | undefined) {
  if (at !== undefined) return { id, atMs: Date.parse(at) };
  return records.filter((record) => record.id === id).toSorted(compare)[0];
}

function toRow({ atMs: _atMs, about: _about, isKept: _isKept, ...row }: IncidentRecord) {
  return row;
}

/** Names that contain a text, each once: those that begin with it first. */
export function namesWith(text: string, names: readonly (string | undefined)[], limit: number): readonly string[] {
  const part = text.toLowerCase();
  const known = new Set(names.filter((name) => name !== undefined));
  return [...known]
    .map((name) => ({ name, place: name.toLowerCase().indexOf(part) }))
    .filter(({ place }) => place >= 0)
    .toSorted((one, other) => Math.min(one.place, 1) - Math.min(other.place, 1))
    .slice(0, limit)
    .map(({ name }) => name);
}

function groupClasses(records: readonly CountedRecord[]): readonly PlainClass[] {
  return [...Map.groupBy(records, ({ record }) => record.fingerprint)].map(([fingerprint, all]) => {
    const sorted = all.map(({ record }) => record).toSorted(compare);
    const [first] = sorted as [IncidentRecord];
    return {
      fingerprint,
      ...first.about,
      upstream: first.upstream,
      effect: sorted.map(({ effect }) => effect).reduce(worseKnownEffect, undefined),
      sampleId: sorted.findLast(({ sample }) => sample !== undefined)?.id,
      firstSeen: first.at,
      lastSeen: (sorted.at(-1) ?? first).at,
      count: all.reduce((sum, { count }) => sum + count, 0),
    };
  });
}

function ratePoints(records: readonly CountedRecord[], by: RateGroup, widthMs: number): readonly RatePoint[] {
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

/** Incidents that were counted together. */
interface CountedRecord {
  /** The first of them, without what belongs to its call alone. */
  readonly record: IncidentRecord;
  readonly count: number;
}

/** Counts incidents that are not kept, by fingerprint and minute. The oldest counts are forgotten first. */
class MinuteCounts {
  readonly #counts: NewestMap<string, { record: IncidentRecord; count: number }>;

  constructor(max: number) {
    this.#counts = new NewestMap(max);
  }

  get list(): readonly CountedRecord[] {
    return [...this.#counts.values()];
  }

  add(record: IncidentRecord): void {
    const key = `${record.fingerprint} ${Math.floor(record.atMs / MINUTE_MS)}`;
    const known = this.#counts.get(key);
    if (known !== undefined) {
      known.count += 1;
      known.record = { ...known.record, effect: worseKnownEffect(known.record.effect, record.effect) };
      return;
    }
    const bare = { ...record, tenant: undefined, caller: undefined, upstreamIncident: undefined };
    this.#counts.set(key, { record: { ...bare, trace: undefined, sample: undefined }, count: 1 });
  }
}
