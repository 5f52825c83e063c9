import type { Json } from "../../dialects/wire.ts";
import { key_reused } from "../../reasons/library/idempotency.ts";

/** One thing that was really done. */
export interface Effect {
  readonly tool: string;
  /** The call that did it: by the id in `_meta["recourse/call"]`, else by its order, else by its JSON-RPC id. */
  readonly call: string;
  readonly key: string | undefined;
}

/** How often something was done: in all, by call and by idempotency key. */
export interface Effects {
  readonly total: number;
  readonly calls: Readonly<Record<string, number>>;
  readonly keys: Readonly<Record<string, number>>;
}

/** The book of what was done, and of the outcomes that keys stand for. */
export interface Ledger {
  apply(effect: Effect): void;
  /** The stored outcome of a key, or what `run` gives, which is stored; other arguments are a conflict. */
  once(key: string, facts: { readonly tool: string; readonly args: Json }, run: () => Json): Json;
  effects(): Effects;
}

/** Counts effects alike in this process and in one that wrote them to a file. */
export function countEffects(done: readonly Effect[]): Effects {
  const tally = (names: readonly (string | undefined)[]): Record<string, number> => {
    const counts: Record<string, number> = {};
    for (const name of names) if (name !== undefined) counts[name] = (counts[name] ?? 0) + 1;
    return counts;
  };
  return { total: done.length, calls: tally(done.map(({ call }) => call)), keys: tally(done.map(({ key }) => key)) };
}

/** A book in memory; `write` is told of every effect before anybody can answer for it. */
export function createLedger(write: (effect: Effect) => void = () => {}): Ledger {
  const done: Effect[] = [];
  const outcomes = new Map<string, { readonly of: string; readonly outcome: Json }>();
  return {
    apply(effect) {
      done.push(effect);
      write(effect);
    },
    once(key, { tool, args }, run) {
      const of = canonical([tool, args]);
      const stored = outcomes.get(key);
      if (stored !== undefined && stored.of !== of) throw key_reused();
      if (stored !== undefined) return stored.outcome;
      const outcome = run();
      outcomes.set(key, { of, outcome });
      return outcome;
    },
    effects: () => countEffects(done),
  };
}

/** The same text for the same value, whatever the order of members. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}
