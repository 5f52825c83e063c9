import type { LimitRefused, LimitShortage } from "./contract.ts";

/** The refusal of a call, by the buckets that had too few tokens: at least one. */
export function refusedFor(short: readonly LimitShortage[]): LimitRefused {
  return {
    ok: false,
    away: false,
    waitMs: short.reduce((most, { waitMs }) => Math.max(most, waitMs), 0),
    short: short as LimitRefused["short"],
  };
}
