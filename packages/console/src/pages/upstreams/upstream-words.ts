// How an upstream is: a tile with a sign, and the same in words.
import type { Upstream } from "../../api/types.ts";
import { count, share, withNoun } from "../../format/numbers.ts";
import { left } from "../../format/time.ts";
import type { IconName } from "../../parts/icon.tsx";

/** The state of an upstream. */
export interface UpstreamWords {
  readonly tone: "bad" | "warn" | "good";
  /** A gap in a line: held back. A half disc: slow, or away for lists. A check: works. */
  readonly icon: IconName;
  readonly words: string;
}

/** Slower than this is worth a word. */
const SLOW_MS = 5_000;
/** A share of faults that is worth a word, if there were some calls. */
const FAULTY = { calls: 20, share: 0.1 } as const;

/** How an upstream is, `sinceMs` after the answer came. */
export function upstreamWords(upstream: Upstream, sinceMs: number): UpstreamWords {
  const { breaker, heldTools = [], listed, downSince, recent, p95Ms } = upstream;
  if (breaker === "open") return bad(`held back${probe(upstream.afterMs, sinceMs)}`);
  if (breaker === "half-open") return bad("single calls pass, to try it");
  if (heldTools.length > 0) return warn(`${withNoun(heldTools.length, "tool")} held back`);
  if (listed !== "current") return warn(LISTED_WORDS[listed]);
  if (downSince !== undefined) return warn("down");
  if (recent !== undefined && recent.calls >= FAULTY.calls && recent.faults >= recent.calls * FAULTY.share)
    return warn(`${share(recent.faults, recent.calls)} of its calls fail`);
  if (p95Ms !== undefined && p95Ms > SLOW_MS) return warn(`slow: p95 ${inSeconds(p95Ms)}`);
  return { tone: "good", icon: "check", words: "works" };
}

/** What is known of its list of tools. */
export const LISTED_WORDS = {
  current: "list current",
  kept: "down, its last list stays",
  never: "never listed",
} as const satisfies Record<Upstream["listed"], string>;

/** How it is reached. */
export const KIND_WORDS = {
  http: "MCP over HTTP",
  stdio: "MCP over stdio",
  openapi: "REST",
} as const satisfies Record<Upstream["kind"], string>;

/** The time to the next probe, counted down: ` · next probe in 12 s`. */
function probe(afterMs: number | undefined, sinceMs: number): string {
  if (afterMs === undefined) return "";
  return afterMs - sinceMs > 0 ? ` · next probe in ${left(afterMs - sinceMs)}` : " · next probe now";
}

/** A duration with one digit after the point, such as `8.2 s`. */
export function inSeconds(ms: number): string {
  return ms < 1_000 ? `${count(Math.round(ms))} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

const bad = (words: string): UpstreamWords => ({ tone: "bad", icon: "breaker", words });
const warn = (words: string): UpstreamWords => ({ tone: "warn", icon: "possible", words });
