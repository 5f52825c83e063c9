import type { UpstreamOptions } from "../config/types.ts";
import { callerCredentials } from "../edge/caller-secrets.ts";
import type { RequestHead } from "../edge/head.ts";
import type { Observer } from "../telemetry/observer.ts";
import { CredentialBytes } from "./credential-bytes.ts";
import { credentialValues } from "./secrets.ts";

/** What the cutter needs. */
export interface CredentialCutterOptions {
  readonly observer: Pick<Observer, "log">;
  /** Monotonic clock, in ms. */
  readonly now: () => number;
}

/** The operator is told once in this time for each upstream. */
const WARN_MS = 60_000;

interface Known {
  /** Undefined where the upstream is shown no credential. */
  readonly bytes: CredentialBytes | undefined;
  warnedMs: number;
}

/** Takes the gateway's credential for an upstream out of what the upstream sends to callers. */
export class CredentialCutter {
  readonly #options: CredentialCutterOptions;
  readonly #known = new WeakMap<UpstreamOptions, Known>();

  constructor(options: CredentialCutterOptions) {
    this.#options = options;
  }

  /** A success without the credential. The call was served, so nothing else of it changes. */
  cutAnswer(body: Buffer, upstream: UpstreamOptions): Buffer {
    return this.#cut(body, upstream) ?? body;
  }

  /** A notification without this credential and without those of the caller. */
  cutNotification(message: Buffer, upstream: UpstreamOptions, head: RequestHead): Buffer {
    const own = this.#cut(message, upstream) ?? message;
    return new CredentialBytes(callerCredentials(head)).cut(own) ?? own;
  }

  #cut(json: Buffer, upstream: UpstreamOptions): Buffer | undefined {
    const known = this.#knownOf(upstream);
    const cut = known.bytes?.cut(json);
    if (cut !== undefined) this.#warn(known, upstream);
    return cut;
  }

  #knownOf(upstream: UpstreamOptions): Known {
    const before = this.#known.get(upstream);
    if (before !== undefined) return before;
    const values = credentialValues(upstream.credential);
    const bytes = values.length === 0 ? undefined : new CredentialBytes(values);
    const known = { bytes, warnedMs: Number.NEGATIVE_INFINITY };
    this.#known.set(upstream, known);
    return known;
  }

  #warn(known: Known, { name }: UpstreamOptions): void {
    const { observer, now } = this.#options;
    const nowMs = now();
    if (nowMs - known.warnedMs < WARN_MS) return;
    known.warnedMs = nowMs;
    const message = "An upstream sent the gateway's credential back. It was removed; the upstream should be corrected.";
    observer.log("warn", message, { upstream: name });
  }
}
