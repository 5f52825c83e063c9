import type { BreakerSignal } from "@recourse/core/retry";

/** Identifies a call that was let through. */
export interface BreakerTicket {
  /** Names the call if it is the one that finds out whether the upstream works again. */
  readonly probe: string | undefined;
  /** How often the breaker had been closed when the call was sent: what was sent before is no news afterwards. */
  readonly epoch: number;
}

/** The call may be sent. */
export interface BreakerGo {
  readonly go: true;
  readonly pass: BreakerTicket;
}

export type BreakerAnswer =
  | BreakerGo
  /** It may not be sent; `afterMs` is the time to the next probe. */
  | { readonly go: false; readonly afterMs: number };

/** What a breaker watches: an upstream, or one of its tools. */
export interface BreakerScope {
  readonly upstream: string;
  /** @default the upstream as a whole */
  readonly tool?: string | undefined;
}

export interface BreakerView extends BreakerScope {
  readonly state: "closed" | "open" | "half-open";
  /** Time to the next probe; undefined while it is closed. */
  readonly afterMs: number | undefined;
  /** `local`: Redis is down or not configured, so this process counts for itself. */
  readonly scope: "shared" | "local";
  /** Failures in a row, as this process has counted them. @default it has counted none */
  readonly failures?: number | undefined;
  /** How long the present pause is as a whole. @default it is closed */
  readonly pauseMs?: number | undefined;
}

/** A breaker was opened or closed. Probes in between, and pauses that become longer, are none of it. */
export interface BreakerFlip extends BreakerScope {
  readonly what: "opened" | "closed";
  /** Names the change, the same for all replicas that share Redis; undefined if only this process knows it. */
  readonly epoch: string | undefined;
  /** Failures in a row, if this process has counted them. */
  readonly failures: number | undefined;
}

export interface Breakers {
  /** Whether a call may be sent. It waits only if the breaker is not closed. A probe ends within `timeoutMs`. */
  ask(scope: BreakerScope, timeoutMs: number): BreakerAnswer | Promise<BreakerAnswer>;
  /** What came of a call that was let through. It never throws, and callers do not wait for it. */
  tell(scope: BreakerScope, pass: BreakerTicket, signal: BreakerSignal): void;
  /** What is known about the breakers: those of all upstreams, and of the tools that are held back. */
  readonly views: readonly BreakerView[];
  /**
   * Closes the breaker of a tool, or those of an upstream and all its tools, for all replicas. It rejects if Redis does
   * not answer.
   */
  reset(scope: BreakerScope): Promise<void>;
  close(): void;
}

/** The name of a breaker among all. Names of upstreams have no line breaks. */
export function scopeId({ upstream, tool }: BreakerScope): string {
  return tool === undefined ? upstream : `${upstream}\n${tool}`;
}

/** The scope that a name stands for. */
export function readScope(id: string): BreakerScope {
  const at = id.indexOf("\n");
  return at < 0 ? { upstream: id } : { upstream: id.slice(0, at), tool: id.slice(at + 1) };
}
