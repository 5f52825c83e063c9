import { hash } from "node:crypto";
import { formatId } from "@recourse/core";
import { fingerprint } from "@recourse/core/retry";
import { randomBytes } from "@recourse/core/wire";
import type { IncidentsConfig } from "../config/types.ts";
import {
  type Admission,
  DAY_MS,
  type GatewayIncident,
  type IncidentFacts,
  type IncidentRow,
  MINUTE_MS,
} from "./incidents.ts";
import { clean, createSample, errorName, MAX_NAME, storedCaller, thrownAt } from "./sample.ts";

/** Rows of one fingerprint that a process keeps of one minute. */
const ROWS_PER_MINUTE = 1_000;

/** An incident as it is kept, with what describes all incidents of its fingerprint. */
export interface IncidentRecord extends IncidentRow {
  readonly atMs: number;
  /** False: it is only counted. */
  readonly isKept: boolean;
  /** What describes the fingerprint. */
  readonly about: {
    readonly reason: string;
    readonly kind: string;
    readonly tool: string | undefined;
    readonly message: string;
  };
}

/** Options of a `Recorder`. */
interface RecorderOptions extends FingerprintLimits {
  readonly config: IncidentsConfig;
  /** Rows of one fingerprint that are kept of one minute. @default 1_000 */
  readonly rowsPerMinute?: number;
  /** Makes an id. @default a random one */
  readonly createId?: (atMs: number) => string;
}

/** What is known about a fingerprint. */
interface FingerprintUse {
  minute: number;
  /** Rows and samples of that minute. */
  rows: number;
  samples: number;
  /** The id of the last row that is kept. */
  keptId: string | undefined;
}

/** Makes records of incidents: fingerprint, bounded names, and a sample for the first of each fingerprint in a minute. */
export class Recorder {
  readonly #config: IncidentsConfig;
  readonly #cap: FingerprintCap;
  readonly #rowsPerMinute: number;
  readonly #createId: (atMs: number) => string;
  #day = 0;
  #seen = new Map<string, FingerprintUse>();

  constructor({
    config,
    rowsPerMinute = ROWS_PER_MINUTE,
    createId = (atMs) => formatId(atMs, randomBytes()),
    ...limits
  }: RecorderOptions) {
    this.#config = config;
    this.#cap = new FingerprintCap(limits);
    this.#rowsPerMinute = rowsPerMinute;
    this.#createId = createId;
  }

  /**
   * Decides about a failure before its caller gets an id. If its fingerprint has too many rows already, or there is no
   * room for another one, it gets the id of one that is kept.
   */
  admit(facts: IncidentFacts, { hasRoom = true }: { readonly hasRoom?: boolean } = {}): Admission {
    const { fault, upstream, atMs } = facts;
    const own = computeFingerprint(facts);
    const fingerprint = this.#cap.admit(own, upstream, atMs);
    const isOther = fingerprint !== own;
    const seen = this.#seenOf(fingerprint, atMs);
    if (seen.keptId !== undefined && (seen.rows >= this.#rowsPerMinute || !hasRoom)) {
      return { id: seen.keptId, fingerprint, isOther, isKept: false };
    }
    seen.rows += 1;
    // An upstream whose faults are taken over as a whole keeps its id, so that one id finds the failure in every log.
    return { id: fault.incident ?? this.#createId(atMs), fingerprint, isOther, isKept: true };
  }

  /** Undefined for a failure without an id, which nobody can ask for. */
  record(incident: GatewayIncident): IncidentRecord | undefined {
    const { fault, at, tenant, caller, tool, upstream, upstreamIncident } = incident;
    const atMs = Date.parse(at);
    if (fault.incident === undefined || Number.isNaN(atMs)) return undefined;
    const { fingerprint, isOther, isKept } = incident.admission ?? {
      ...this.admit({ ...incident, atMs }),
      isKept: true,
    };
    const message = this.#config.texts === "keep" ? clean(fault.message, MAX_NAME) : "";
    const names = { reason: clean(fault.reason, MAX_NAME), kind: clean(fault.kind, MAX_NAME), tool: storedName(tool) };
    const seen = this.#seenOf(fingerprint, atMs);
    const id = clean(fault.incident, MAX_NAME);
    const isSampled = isKept && seen.samples < this.#config.samplesPerMinute;
    if (isSampled) seen.samples += 1;
    if (isKept) seen.keptId = id;
    return {
      id,
      at,
      atMs,
      isKept,
      fingerprint,
      ...names,
      tenant: storedName(tenant),
      caller: storedCaller(caller, this.#config.callers),
      upstream: storedName(upstream),
      upstreamIncident: storedName(upstreamIncident),
      effect: fault.effect,
      trace: traceIdOf(fault.trace),
      about: isOther ? OTHER_CLASS : { ...names, message },
      sample: isSampled ? createSample(incident, this.#config) : undefined,
    };
  }

  /** A row is kept no longer, so its id is not given out again. */
  forget({ fingerprint, id }: Pick<IncidentRecord, "fingerprint" | "id">): void {
    const seen = this.#seen.get(fingerprint);
    if (seen?.keptId === id) seen.keptId = undefined;
  }

  /** Nobody knows which rows are kept no longer. */
  forgetAll(): void {
    for (const seen of this.#seen.values()) seen.keptId = undefined;
  }

  #seenOf(fingerprint: string, atMs: number): FingerprintUse {
    const day = Math.floor(atMs / DAY_MS);
    // The number of fingerprints is bounded for each day.
    if (day !== this.#day) this.#seen = new Map();
    this.#day = day;
    const minute = Math.floor(atMs / MINUTE_MS);
    const seen = this.#seen.get(fingerprint) ?? { minute, rows: 0, samples: 0, keptId: undefined };
    this.#seen.set(fingerprint, seen);
    if (seen.minute !== minute) Object.assign(seen, { minute, rows: 0, samples: 0 });
    return seen;
  }
}

function traceIdOf(traceparent: string | undefined): string | undefined {
  return /^[0-9a-f]{2}-([0-9a-f]{32})-/.exec(traceparent ?? "")?.[1];
}

function storedName(text: string | undefined): string | undefined {
  return text === undefined ? undefined : clean(text, MAX_NAME);
}

/** Hex digits of a fingerprint. */
const LENGTH = 32;

/**
 * The same for incidents with the same cause, as far as the gateway can see: upstream, tool, fault, class and place of
 * the error.
 */
export function computeFingerprint({
  upstream,
  tool,
  fault,
  cause,
}: Pick<GatewayIncident, "upstream" | "tool" | "fault" | "cause">): string {
  const thrown = cause === undefined ? [] : [errorName(cause), thrownAt(cause)];
  return fingerprintDigest([upstream ?? "", tool ?? "", fingerprint(fault), ...thrown]);
}

/** Stands for all fingerprints of an upstream that are too many to be listed separately. */
export function otherFingerprint(upstream: string | undefined): string {
  return fingerprintDigest(["other", upstream ?? ""]);
}

function fingerprintDigest(parts: readonly string[]): string {
  return hash("sha256", JSON.stringify(parts), "hex").slice(0, LENGTH);
}

/** What describes the incidents that are too many to be listed separately. */
export const OTHER_CLASS = {
  reason: "other",
  kind: "other",
  tool: undefined,
  message: "Failures of many kinds: there were too many to count separately.",
} as const;

/** How many fingerprints one process lists separately in a day. */
interface FingerprintLimits {
  /** @default 1_000 */
  readonly perUpstream?: number;
  /** @default 10_000 */
  readonly total?: number;
}

/** Keeps the number of fingerprints bounded, since upstreams choose the names of their reasons. */
class FingerprintCap {
  readonly #perUpstream: number;
  readonly #total: number;
  #day = 0;
  #size = 0;
  #seen = new Map<string, Set<string>>();

  constructor({ perUpstream = 1_000, total = 10_000 }: FingerprintLimits = {}) {
    this.#perUpstream = perUpstream;
    this.#total = total;
  }

  /** The fingerprint itself, or the one that stands for those that are too many. */
  admit(fingerprint: string, upstream: string | undefined, atMs: number): string {
    const day = Math.floor(atMs / DAY_MS);
    if (day !== this.#day) {
      this.#day = day;
      this.#size = 0;
      this.#seen = new Map();
    }
    const name = upstream ?? "";
    const seen = this.#seen.get(name) ?? new Set<string>();
    if (seen.has(fingerprint)) return fingerprint;
    if (seen.size >= this.#perUpstream || this.#size >= this.#total) return otherFingerprint(upstream);
    this.#seen.set(name, seen.add(fingerprint));
    this.#size += 1;
    return fingerprint;
  }
}
