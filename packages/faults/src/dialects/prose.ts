import { cleanText } from "../fault/clean.ts";
import { type Fault, MAX, type Quote } from "../fault/fault.ts";
import { sayQuote } from "../render/quotation.ts";
import type { Nets } from "../safety/nets.ts";

/** What somebody else said, as a wire passes it on: a peer's words as they came, all others fenced and named. */
export function relayOf(fault: Fault, room: number = MAX.quote): string | undefined {
  if (fault.quote === undefined) return undefined;
  return fault.quote.from === "peer" ? fault.quote.text : sayQuote(fault.quote, room) || undefined;
}

/** The sentence that a wire with one place for prose carries: a peer's words, else our message and what it quotes. */
export function proseOf(fault: Fault): string {
  if (fault.quote?.from === "peer") return fault.quote.text;
  const relayed = relayOf(fault, MAX.quote - fault.message.length - 1);
  return relayed === undefined ? fault.message : `${fault.message} ${relayed}`;
}

/** Prose that came over a wire: somebody else wrote it, so it is a quotation. */
export function quoteOf(text: string | undefined): { readonly quote: Quote } | Record<never, never> {
  return text === undefined ? {} : { quote: { text, from: "peer" } };
}

/** Several pieces of prose as one; each passes the nets by itself, so that one that is withheld does not take the others along. */
export function sentenceOf(pieces: readonly (string | undefined)[], nets: Nets = {}): string | undefined {
  const said = pieces.flatMap((piece) => cleanText(piece, MAX.quote, nets) ?? []);
  if (said.length === 0) return undefined;
  return said.reduce((all, next) => `${all}${/[.!?…]$/.test(all) ? "" : "."} ${next}`);
}
