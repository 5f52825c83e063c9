import type { UpstreamOptions } from "../config/types.ts";

/** What a call that was let through is told by. */
export interface BreakerPass {
  /** Names the call where it is the one that finds out whether the upstream works again. */
  readonly probe: string | undefined;
  /** How often the breaker had been closed when the call was sent: what was sent before is no news afterwards. */
  readonly epoch: number;
}

/** The call may be sent. */
export interface BreakerGo {
  readonly go: true;
  readonly pass: BreakerPass;
}

/** The answer for one call. */
export type BreakerAnswer =
  | BreakerGo
  /** It may not be sent; `afterMs` is the time to the next probe. */
  | { readonly go: false; readonly afterMs: number };

/** What a call shows about its upstream. */
export type BreakerSignal = "success" | "failure" | "ignored";

/** The breaker of one upstream, as an operator sees it. */
export interface BreakerView {
  readonly upstream: string;
  readonly state: "closed" | "open" | "half-open";
  /** Time to the next probe; undefined while it is closed. */
  readonly afterMs: number | undefined;
  /** `local`: Redis is away, or there is none, so this process counts for itself. */
  readonly scope: "shared" | "local";
}

/** The circuit breakers of all upstreams. */
export interface Breakers {
  /** Whether a call may be sent. It waits only where the breaker is not closed. A probe ends within the time of its upstream. */
  ask(upstream: Pick<UpstreamOptions, "name" | "timeoutMs">): BreakerAnswer | Promise<BreakerAnswer>;
  /** What came of a call that was let through. It never throws and is not waited for. */
  tell(upstream: string, pass: BreakerPass, signal: BreakerSignal): void;
  /** What is known about the breakers. */
  readonly views: readonly BreakerView[];
  /** Closes a breaker for all replicas. It rejects where Redis does not answer. */
  reset(upstream: string): Promise<void>;
  close(): void;
}
