import { peek, peekList } from "../../errors/peek.ts";

/** How many errors are read of a chain of causes and aggregates. */
const MAX_CHAIN = 20;

/** The thrown value, its causes and the errors of aggregates, the nearest first. */
export function chainOf(thrown: unknown): unknown[] {
  const chain: unknown[] = [thrown];
  for (let at = 0; at < chain.length && chain.length < MAX_CHAIN; at++) {
    for (const next of [peek(chain[at], "cause"), ...peekList(chain[at], "errors", MAX_CHAIN)]) {
      if (next !== undefined && !chain.includes(next)) chain.push(next);
    }
  }
  return chain.slice(0, MAX_CHAIN);
}
