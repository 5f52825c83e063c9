import { DAY_MS } from "./days.ts";
import { otherFingerprint } from "./fingerprint.ts";

/** What describes the incidents that are too many to be told apart. */
export const OTHER = {
  reason: "other",
  kind: "other",
  tool: undefined,
  message: "Failures of many kinds: more were seen than are told apart.",
} as const;

/** How many fingerprints are told apart in a day, by one process. */
export interface FingerprintLimits {
  /** @default 1_000 */
  readonly perUpstream?: number;
  /** @default 10_000 */
  readonly total?: number;
}

/** Keeps the number of fingerprints bounded, since upstreams choose the names of their reasons. */
export class FingerprintCap {
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
