// The sentences that a wire carries: which one to write for a fault, and how to take over the one that was received.
import { cleanQuoted } from "../fault/clean.ts";
import { type Fault, MAX, type Quote, type Recourse } from "../fault/fault.ts";
import { renderQuote } from "../render/details.ts";
import type { FilterOptions } from "../safety/filter-line.ts";

/** The text of `fault.quote` to pass on: a peer's text unchanged, any other in quotation marks with its author. */
export function relayedQuote(fault: Fault, maxLength: number = MAX.quote): string | undefined {
  if (fault.quote === undefined) return undefined;
  return fault.quote.from === "peer" ? fault.quote.text : renderQuote(fault.quote, maxLength) || undefined;
}

/** The sentence for a wire with one place for text: the peer's own text, or else the message and what it quotes. */
export function wireSentence(fault: Fault): string {
  if (fault.quote?.from === "peer") return fault.quote.text;
  const relayed = relayedQuote(fault, MAX.quote - fault.message.length - 1);
  return relayed === undefined ? fault.message : `${fault.message} ${relayed}`;
}

/** The `quote` member for a received sentence. */
export function peerQuote(text: string | undefined): { readonly quote: Quote } | Record<never, never> {
  return text === undefined ? {} : { quote: { text, from: "peer" } };
}

/** Joins received texts into one. Each is filtered by itself, so that a removed text does not remove the others. */
export function joinSentences(texts: readonly (string | undefined)[], filters: FilterOptions = {}): string | undefined {
  const clean = texts.flatMap((text) => cleanQuoted(text, MAX.quote, filters) ?? []);
  if (clean.length === 0) return undefined;
  return clean.reduce((all, next) => `${all}${/[.!?…]$/.test(all) ? "" : "."} ${next}`);
}

/** The moves for a failure that only a sentence describes: the model reads it and looks before it repeats the call. */
export const LOOK_BEFORE_REPEATING = [{ do: "refresh" }, { do: "stop" }] as const satisfies readonly Recourse[];
