import type { JsonObject } from "../../json/read.ts";
import { key_reused } from "../../reasons/library/idempotency.ts";

/** One effect that really happened. */
export interface AppliedEffect {
  readonly tool: string;
  /** The call that caused it: the id in `_meta["recourse/call"]`, else the argument `order`, else the JSON-RPC id. */
  readonly call: string;
  readonly key: string | undefined;
}

/** How often effects really happened. */
export interface EffectCounts {
  /** All effects. */
  readonly total: number;
  /** Effects by the id of their call. */
  readonly calls: Readonly<Record<string, number>>;
  /** Effects by the idempotency key of their call. */
  readonly keys: Readonly<Record<string, number>>;
}

/** Records effects, and stores the result of each idempotency key. */
export interface EffectLog {
  record(effect: AppliedEffect): void;
  /** Gives the stored result of a key, or runs the call and stores its result. Other arguments are a conflict. */
  runOnce(key: string, call: { readonly tool: string; readonly args: JsonObject }, run: () => JsonObject): JsonObject;
  counts(): EffectCounts;
}

/** Counts effects that were recorded in this process or in another one. */
export function countEffects(effects: readonly AppliedEffect[]): EffectCounts {
  const tally = (names: readonly (string | undefined)[]): Record<string, number> => {
    const counts: Record<string, number> = {};
    for (const name of names) if (name !== undefined) counts[name] = (counts[name] ?? 0) + 1;
    return counts;
  };
  return {
    total: effects.length,
    calls: tally(effects.map(({ call }) => call)),
    keys: tally(effects.map(({ key }) => key)),
  };
}

/** A log in memory. `onEffect` is called for every effect, before its call is answered. */
export function createEffectLog(onEffect: (effect: AppliedEffect) => void = () => {}): EffectLog {
  const effects: AppliedEffect[] = [];
  const stored = new Map<string, { readonly fingerprint: string; readonly result: JsonObject }>();
  return {
    record(effect) {
      effects.push(effect);
      onEffect(effect);
    },
    runOnce(key, { tool, args }, run) {
      const fingerprint = sortedJson([tool, args]);
      const earlier = stored.get(key);
      if (earlier !== undefined && earlier.fingerprint !== fingerprint) throw key_reused();
      if (earlier !== undefined) return earlier.result;
      const result = run();
      stored.set(key, { fingerprint, result });
      return result;
    },
    counts: () => countEffects(effects),
  };
}

/** JSON with sorted members, so that equal values give the same text. */
function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}
