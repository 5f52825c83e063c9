import { expect, it } from "vitest";
import type { Upstream } from "../../api/types.ts";
import { upstreamWords } from "./upstream-words.ts";

const upstream = (changes: Partial<Upstream>): Upstream => ({
  ...{ upstream: "shop", listed: "current", tools: 3, shadowed: [], requests: 0, failures: 0, kind: "http" },
  ...changes,
});

it.each<[Partial<Upstream>, string, string]>([
  [{}, "good", "works"],
  [{ breaker: "closed", p95Ms: 5_000 }, "good", "works"],
  [{ p95Ms: 8_200 }, "warn", "slow: p95 8.2 s"],
  [{ breaker: "open" }, "bad", "held back"],
  [{ breaker: "open", afterMs: 14_000 }, "bad", "held back · next probe in 12 s"],
  [{ breaker: "open", afterMs: 1_000 }, "bad", "held back · next probe now"],
  [{ breaker: "half-open", afterMs: 1_000 }, "bad", "single calls pass, to try it"],
  [{ heldTools: [{ tool: "shop__refund", state: "open" }] }, "warn", "1 tool held back"],
  [{ listed: "never" }, "warn", "never listed"],
  [{ listed: "kept" }, "warn", "down, its last list stays"],
  [{ downSince: "2026-11-16T14:00:00Z" }, "warn", "down"],
  [{ recent: { calls: 20, faults: 2 } }, "warn", "10 % of its calls fail"],
  [{ recent: { calls: 19, faults: 19 } }, "good", "works"],
])("%j", (changes, tone, words) => {
  expect(upstreamWords(upstream(changes), 2_000)).toMatchObject({ tone, words });
});
