import type { IncidentClass, IncidentFilter } from "../incidents/incidents.ts";
import type { CountWindow } from "./windows.ts";

/** What came of a call, in the order of the columns of a tally. */
export const CALL_OUTCOMES = ["ok", "caller", "refused", "operator"] as const;
export type CountedOutcome = (typeof CALL_OUTCOMES)[number];

/**
 * Bounds of durations in seconds: those of the conventions for MCP, with finer ones below, where a gateway's own time shows. The
 * histograms of the counts have one bucket for each; what took longer than the last bound is in the last bucket.
 */
export const DURATION_BOUNDS: number[] = [
  0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300,
];

/** Stands for the names that are too many to be listed separately. */
export const OTHER_NAME = "other";

export const CALLER_COUNTS = ["call", "refusal", "incident"] as const;
export type CallerCountKind = (typeof CALLER_COUNTS)[number];

/** Calls of one tool with one outcome. */
export interface ToolCount {
  /** Empty for a call that was refused before its upstream was known. */
  readonly upstream: string;
  /** The name that callers use; empty for what is not a call of a tool, `other` for those that are too many. */
  readonly tool: string;
  readonly outcome: CountedOutcome;
  n: number;
  /** How many calls took how long, by the buckets of `DURATION_BOUNDS`. */
  readonly durations: number[];
}

export interface CallerCount {
  readonly what: CallerCountKind;
  /** Empty if it is not known. */
  readonly tenant: string;
  /** As `incidents.callers` keeps it; empty if it is not kept, `other` for those that are too many. */
  readonly caller: string;
  /** The name of the limit that refused; empty for the rest. */
  readonly policy: string;
  n: number;
  /** The newest, in ms since 1970. */
  lastMs: number;
}

export interface CountTime {
  /** The beginning of the minute, in ms since 1970. */
  readonly minuteMs: number;
}

/** What is written in one transaction. */
export interface CountBatch {
  readonly tools: readonly (ToolCount & CountTime)[];
  readonly callers: readonly (CallerCount & CountTime)[];
}

/** What a number of calls came to. */
type OutcomeTotals = Readonly<Record<CountedOutcome, number>>;

/** Calls over time, for one upstream or tool. */
export interface CallRate {
  readonly group: string;
  readonly calls: number;
  readonly faults: number;
  /** All calls, one number for each step of the window. */
  readonly total: readonly number[];
  /** Those that ended in a failure for the operator. */
  readonly operator: readonly number[];
  /** Undefined if no call took any time. */
  readonly p50Ms: number | undefined;
  readonly p95Ms: number | undefined;
}

export interface IncidentHit {
  readonly group: string;
  readonly count: number;
  /** ISO 8601 time, by the minute. */
  readonly last: string;
}

/** Who is hit by incidents, the most first. */
export interface IncidentHits {
  readonly items: readonly IncidentHit[];
  /** How many there are in all. */
  readonly count: number;
  /** Incidents of those that are not listed. */
  readonly other: number;
  /** Counted in so many of the newest incidents. @default all were counted */
  readonly of?: number | undefined;
}

/** Who is asked for. */
interface HitQuestion {
  readonly by: "tenant" | "caller";
  /** The most of them. */
  readonly limit: number;
}

export interface RefusedCalls {
  readonly tenant: string | undefined;
  readonly caller: string | undefined;
  readonly policy: string;
  readonly refused: number;
  /** ISO 8601 time, by the minute. */
  readonly last: string;
  /** What else the caller did in the time; undefined if refusals are grouped by limit only. */
  readonly incidents: number | undefined;
  readonly calls: number | undefined;
}

interface RefusalQuestion {
  readonly by: "caller" | "policy";
  /** The most of them. */
  readonly limit: number;
  /** Leaves out what else the callers did. @default false */
  readonly isBrief?: boolean;
}

/** What is known about the calls of an upstream at the moment. */
interface RecentCalls {
  /** The last five minutes, without calls that the gateway refused. */
  readonly recent: { readonly calls: number; readonly faults: number };
  /** Of the last hour. */
  readonly p95Ms: number | undefined;
}

/** Which calls are asked for. */
interface RateQuestion {
  readonly by: "upstream" | "tool";
  /** Only calls to this upstream. @default of all */
  readonly upstream?: string | undefined;
  /** The most groups. */
  readonly top: number;
  /** What the groups are ordered by, the most first. @default "calls" */
  readonly order?: "calls" | "faults";
}

/** Calls over time, the largest groups first. */
interface CountedRates {
  /** All calls together. */
  readonly totals: OutcomeTotals;
  readonly groups: readonly CallRate[];
  readonly other: { readonly groups: number; readonly calls: number; readonly faults: number };
}

/** Reads counts of calls and callers. Methods reject if the store is down. */
export interface CountReader {
  totals(window: CountWindow): Promise<OutcomeTotals>;
  rates(window: CountWindow, question: RateQuestion): Promise<CountedRates>;
  /** How many callers there were; at most as many as were counted separately. */
  callers(window: CountWindow): Promise<number>;
  hits(window: CountWindow, question: HitQuestion): Promise<IncidentHits>;
  /** Tenants and callers, the most of each. */
  bothHits(
    window: CountWindow,
    limit: number,
  ): Promise<{ readonly tenants: IncidentHits; readonly callers: IncidentHits }>;
  refusals(window: CountWindow, question: RefusalQuestion): Promise<readonly RefusedCalls[]>;
  /** The upstreams by name. */
  recent(nowMs: number): Promise<ReadonlyMap<string, RecentCalls>>;
}

/** Counts over time in one group. */
export interface GroupSeries {
  readonly group: string;
  readonly total: number;
  /** One for each step of the window, the oldest first. */
  readonly counts: readonly number[];
}

/** Incidents over time, the largest groups first. */
export interface IncidentSeries {
  readonly groups: readonly GroupSeries[];
  readonly other: { readonly groups: number; readonly total: number; readonly counts: readonly number[] };
}

/** What incidents over time are grouped by. */
export type SeriesGroup = "fingerprint" | "kind" | "reason" | "upstream" | "tool";

export interface IncidentCauses {
  /** By fingerprint. */
  readonly named: ReadonlyMap<string, IncidentClass>;
  readonly last: IncidentClass | undefined;
}

/** Reads what was counted of incidents. Methods reject if the store is down. */
export interface IncidentTotals {
  series(
    window: CountWindow,
    question: { readonly by: SeriesGroup; readonly top: number; readonly filter: IncidentFilter },
  ): Promise<IncidentSeries>;
  /** The causes with some fingerprints, counted over all time, and the one that was seen last. */
  causes(fingerprints: readonly string[]): Promise<IncidentCauses>;
  /** How many callers some causes have hit, by fingerprint, in the newest thousand incidents of each. */
  callersHit(window: CountWindow, fingerprints: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Who one cause has hit, in its newest thousand incidents. */
  hits(fingerprint: string, question: HitQuestion): Promise<IncidentHits>;
}

export interface GatewayCounts {
  readonly reader: CountReader;
  readonly incidents: IncidentTotals;
  /** Deletes what is kept about a caller. */
  erase(caller: string): Promise<void>;
  /** Writes what waits, within a bound. */
  close(): Promise<void>;
}
