import type { Effect, Fault } from "@recourse/core";
import type { Incident, Sink } from "@recourse/core/server";
import type { Severity } from "@recourse/explain";
import type { CallPassage } from "./call-facts.ts";

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** What is known about a failure before it is an incident. */
export interface IncidentFacts extends Pick<GatewayIncident, "fault" | "upstream" | "tool" | "cause"> {
  /** Time in ms since 1970. */
  readonly atMs: number;
}

/** What becomes of a failure. */
export interface Admission {
  /** The id to give out: a new one, or that of an incident with the same fingerprint that is kept. */
  readonly id: string;
  readonly fingerprint: string;
  /** The fingerprint stands for many, since there are too many to be listed separately. */
  readonly isOther: boolean;
  /** False: the failure is only counted. */
  readonly isKept: boolean;
}

/** An incident with what the gateway knows about its call. */
export interface GatewayIncident extends Incident {
  readonly tenant: string | undefined;
  readonly caller: string | undefined;
  readonly upstream: string | undefined;
  /** The text that was sent, as the model read it. */
  readonly sentText: string | undefined;
  /** The id of the incident at the upstream, if its answer named one. */
  readonly upstreamIncident: string | undefined;
  /** What the upstream wrote about that incident into its log, if the gateway can read that. */
  readonly upstreamLog?: string | undefined;
  /** The way of its call. @default it belongs to no call */
  readonly callFacts?: CallPassage | undefined;
  /** What `admit` said about it. @default it is kept */
  readonly admission?: Admission;
}

/** The part of an incident that is kept for some of them only: enough to understand what happened. */
export interface IncidentSample extends Partial<CallPassage> {
  /** The fault as the caller got it. */
  readonly fault: Fault;
  readonly sentText: string | undefined;
  /** What was thrown, its causes and their members: class, code, fields, message and top frames of each, without secrets. */
  readonly causes: readonly IncidentCause[];
  readonly upstreamLog: string | undefined;
  readonly method: string | undefined;
  readonly durationMs: number | undefined;
  readonly code: number | undefined;
}

/** One error behind an incident. */
export interface IncidentCause {
  /** How it belongs to those before it: what was thrown, the cause of an error, or a member of an `AggregateError`. */
  readonly relation: "thrown" | "cause" | "member";
  readonly name: string;
  readonly message: string;
  readonly code: string | undefined;
  /** What well-known errors say besides, such as an address or a table. */
  readonly fields: Readonly<Record<string, string>>;
  readonly frames: readonly string[];
}

export interface IncidentRow {
  readonly id: string;
  /** ISO 8601 time. */
  readonly at: string;
  /** Incidents with the same fingerprint have the same cause, as far as the gateway can see. Hex. */
  readonly fingerprint: string;
  readonly reason: string;
  readonly kind: string;
  readonly tenant: string | undefined;
  readonly caller: string | undefined;
  readonly tool: string | undefined;
  readonly upstream: string | undefined;
  /** The id of the incident at the upstream. An upstream chooses the id above only if `speaksFaults` says so. */
  readonly upstreamIncident: string | undefined;
  /** Whether something was done; undefined for an incident of an older version. */
  readonly effect: Effect | undefined;
  /** The id of the trace that the call belongs to, in hex; undefined if it belongs to none. */
  readonly trace: string | undefined;
  readonly sample: IncidentSample | undefined;
  /** ISO 8601 times of other incidents with the same id, if one was looked for by its id. @default there are none */
  readonly othersAt?: readonly string[] | undefined;
}

export interface IncidentClass {
  readonly fingerprint: string;
  readonly reason: string;
  readonly kind: string;
  readonly tool: string | undefined;
  readonly upstream: string | undefined;
  readonly message: string;
  /** The reason in a few words. */
  readonly title: string;
  readonly severity: Severity;
  /** The worst that was seen; undefined if only an older version has seen it. */
  readonly effect: Effect | undefined;
  /** The newest incident that has a sample. */
  readonly sampleId: string | undefined;
  readonly firstSeen: string;
  readonly lastSeen: string;
  /** How often it was seen in the time that was asked for. */
  readonly count: number;
}

/** What incidents are searched by. All that is given has to agree. */
export interface IncidentFilter {
  /** More than one incident has an id that an upstream used twice. */
  readonly id?: string | undefined;
  /** The id of a trace, in hex. */
  readonly trace?: string | undefined;
  readonly fingerprint?: string | undefined;
  readonly reason?: string | undefined;
  readonly kind?: string | undefined;
  readonly tool?: string | undefined;
  readonly upstream?: string | undefined;
  readonly tenant?: string | undefined;
  readonly caller?: string | undefined;
  /** ISO 8601 times. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** A page of a list, the newest first. `before` is the id of the last row of the page before. */
export interface IncidentPage {
  readonly limit: number;
  readonly before?: string | undefined;
  /** The time of that row. Upstreams may use one id twice; without the time, pages may leave out what lies between. */
  readonly beforeAt?: string | undefined;
}

/** What incidents over time can be grouped by. */
export type RateGroup = "kind" | "reason" | "tool" | "upstream" | "fingerprint";

/** How many incidents there were in one stretch of time. */
export interface RatePoint {
  readonly at: string;
  readonly group: string;
  readonly count: number;
}

/** Names in incidents that contain a text, each once. */
interface KnownNames {
  readonly reasons: readonly string[];
  readonly tools: readonly string[];
  readonly upstreams: readonly string[];
  /** Ids of callers, as they are kept. */
  readonly callers: readonly string[];
}

/** Reads what is kept. Methods reject if the store is down. */
export interface IncidentReader {
  /** Finds an incident by its id, or else by the id that the upstream gave to it. */
  find(id: string): Promise<IncidentRow | undefined>;
  search(filter: IncidentFilter, page: IncidentPage): Promise<readonly IncidentRow[]>;
  findClass(fingerprint: string): Promise<IncidentClass | undefined>;
  /** The fingerprints that begin with some hex digits, those seen last first. */
  findClasses(prefix: string, limit: number): Promise<readonly IncidentClass[]>;
  /** Names that contain a text, whatever its case. Callers are those of the newest incidents from a time on. */
  knownNames(text: string, since: string, limit: number): Promise<KnownNames>;
  /** Counts incidents that are kept, one by one: for filters that only incidents themselves answer. */
  rates(filter: IncidentFilter, by: RateGroup, width: "minute" | "hour"): Promise<readonly RatePoint[]>;
  /** Deletes what is kept about a caller. Gives the number of incidents; counts stay, since they name nobody. */
  erase(caller: string): Promise<number>;
}

export interface Incidents {
  /**
   * Decides about a failure, before its caller gets an id. Every id that is given out belongs to an incident that is
   * kept.
   */
  admit(facts: IncidentFacts): Admission;
  readonly sink: Sink<GatewayIncident>;
  readonly reader: IncidentReader;
  /** How many incidents wait to be written, and how many since the start were not kept, or only without their sample. */
  readonly state: {
    readonly waiting: number;
    readonly dropped: number;
    readonly droppedSamples: number;
    readonly isAway: boolean;
  };
  /** Writes what waits, within a bound. */
  close(): Promise<void>;
}
