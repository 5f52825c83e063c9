import type { IncidentsConfig } from "../config/types.ts";
import { keptCaller } from "./caller-key.ts";
import { clean, MAX_NAME } from "./clean.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { FingerprintCap, type FingerprintLimits, OTHER } from "./fingerprint-cap.ts";
import type { GatewayIncident, IncidentRow } from "./incidents.ts";
import { sampleOf } from "./sample.ts";

const MINUTE_MS = 60_000;

/** An incident as it is kept, with what describes all incidents of its fingerprint. */
export interface IncidentRecord extends IncidentRow {
  readonly atMs: number;
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
}

/** Makes records of incidents: fingerprint, bounded names, and a sample for the first of each fingerprint in a minute. */
export class Recorder {
  readonly #config: IncidentsConfig;
  readonly #cap: FingerprintCap;
  #minute = 0;
  #samples = new Map<string, number>();

  constructor({ config, ...limits }: RecorderOptions) {
    this.#config = config;
    this.#cap = new FingerprintCap(limits);
  }

  /** Undefined for a failure without an id, which nobody can ask for. */
  record(incident: GatewayIncident): IncidentRecord | undefined {
    const { fault, at, tenant, caller, tool, upstream, upstreamIncident } = incident;
    const id = fault.incident;
    const atMs = Date.parse(at);
    if (id === undefined || Number.isNaN(atMs)) return undefined;
    const own = fingerprintOf(incident);
    const fingerprint = this.#cap.admit(own, upstream, atMs);
    const message = this.#config.texts === "keep" ? clean(fault.message, MAX_NAME) : "";
    const names = { reason: clean(fault.reason, MAX_NAME), kind: clean(fault.kind, MAX_NAME), tool: nameOf(tool) };
    return {
      id: clean(id, MAX_NAME),
      at,
      atMs,
      fingerprint,
      ...names,
      tenant: nameOf(tenant),
      caller: keptCaller(caller, this.#config.callers),
      upstream: nameOf(upstream),
      upstreamIncident: nameOf(upstreamIncident),
      about: fingerprint === own ? { ...names, message } : OTHER,
      sample: this.#isSampled(fingerprint, atMs) ? sampleOf(incident, this.#config) : undefined,
    };
  }

  #isSampled(fingerprint: string, atMs: number): boolean {
    const minute = Math.floor(atMs / MINUTE_MS);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#samples = new Map();
    }
    const before = this.#samples.get(fingerprint) ?? 0;
    if (before >= this.#config.samplesPerMinute) return false;
    this.#samples.set(fingerprint, before + 1);
    return true;
  }
}

function nameOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : clean(text, MAX_NAME);
}
