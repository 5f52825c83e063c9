import { formatId } from "@recourse/faults";
import { randomBytes } from "@recourse/faults/internal-do-not-use";
import type { IncidentsConfig } from "../config/types.ts";
import { keptCaller } from "./caller-key.ts";
import { clean, MAX_NAME } from "./clean.ts";
import { DAY_MS } from "./days.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { FingerprintCap, type FingerprintLimits, OTHER } from "./fingerprint-cap.ts";
import type { Admission, GatewayIncident, IncidentFacts, IncidentRow } from "./incidents.ts";
import { sampleOf } from "./sample.ts";

const MINUTE_MS = 60_000;
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
export interface RecorderOptions extends FingerprintLimits {
  readonly config: IncidentsConfig;
  /** Rows of one fingerprint that are kept of one minute. @default 1_000 */
  readonly rowsPerMinute?: number;
  /** Makes an id. @default a random one */
  readonly createId?: (atMs: number) => string;
}

/** What is known about a fingerprint. */
interface Seen {
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
  #seen = new Map<string, Seen>();

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
   * Decides about a failure before its caller is told an id. Where its fingerprint has too many rows already, or there is no
   * room for another one, it gets the id of one that is kept.
   */
  admit(facts: IncidentFacts, { hasRoom = true }: { readonly hasRoom?: boolean } = {}): Admission {
    const { fault, upstream, atMs } = facts;
    const own = fingerprintOf(facts);
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
    const names = { reason: clean(fault.reason, MAX_NAME), kind: clean(fault.kind, MAX_NAME), tool: nameOf(tool) };
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
      tenant: nameOf(tenant),
      caller: keptCaller(caller, this.#config.callers),
      upstream: nameOf(upstream),
      upstreamIncident: nameOf(upstreamIncident),
      about: isOther ? OTHER : { ...names, message },
      sample: isSampled ? sampleOf(incident, this.#config) : undefined,
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

  #seenOf(fingerprint: string, atMs: number): Seen {
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

function nameOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : clean(text, MAX_NAME);
}
