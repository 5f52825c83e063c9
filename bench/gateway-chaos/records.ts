import type { Intention, Target, UpstreamName } from "./plan.ts";

/** The end of one call of the client kit. */
export interface CallRecord extends Intention {
  /** Calls for one intention are numbered from 1: after a fault its maker does what the fault says. */
  readonly turn: number;
  /** `run` while things were disturbed, `settle` afterwards. */
  readonly phase: "run" | "settle";
  /** Times in ms since 1970. */
  readonly startMs: number;
  readonly endMs: number;
  /** The part of this time in which the process of the caller did not run. */
  readonly stalledMs: number;
  readonly ok: boolean;
  /** Members of the fault. */
  readonly reason?: string;
  readonly kind?: string;
  readonly effect?: string;
  readonly moves?: readonly string[];
  /** The wait of the first move. */
  readonly waitMs?: number | undefined;
  /** Requests that were sent. */
  readonly requests: number;
  /** Text that must not be in an answer, and is; names of what was found. */
  readonly leaks: readonly string[];
}

/** An incident id in an answer that reached a caller. */
export interface GivenIncident {
  readonly id: string;
  /** When the answer came, in ms since 1970. */
  readonly atMs: number;
  readonly replica: number;
}

/** What a driver writes, line by line. */
export type DriverLine = { readonly call: CallRecord } | { readonly incident: GivenIncident };

/** An effect in the ledger of an upstream. */
export interface Effect {
  readonly id: string;
  readonly key: string | undefined;
  readonly atMs: number;
  readonly upstream: UpstreamName;
}

/** Something that was done to a process, as it happened. */
export interface Happened {
  /** `stall`: the machine itself stood still, as shared machines do. */
  readonly what: "kill" | "pause" | "stall";
  readonly target: Target | "machine";
  readonly fromMs: number;
  readonly untilMs: number;
}

/** What a driver is started with. */
export interface DriverSetup {
  readonly seed: number;
  readonly driver: number;
  /** Ports of the replicas. */
  readonly ports: readonly number[];
  readonly apiKey: string;
  /** Where it writes its lines. */
  readonly file: string;
  /** What must not be in any answer, by name. */
  readonly planted: Readonly<Record<string, string>>;
}

/** Memory and handles of a replica after a forced collection. */
export interface Sample {
  readonly heapMib: number;
  readonly rssMib: number;
  readonly handles: number;
}

/** What a driver says in the end. */
export interface DriverEnd {
  /** Answers that it read, and what was found in them and must not be there. */
  readonly answers: number;
  readonly leaks: Readonly<Record<string, number>>;
  /** Answers that were lost between a replica and this driver. */
  readonly lostReplies: number;
}
