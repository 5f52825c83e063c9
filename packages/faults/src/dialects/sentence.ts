// The sentences that a wire carries: which one to write for a fault, and how to take over the one that was received.
import { cleanQuoted } from "../fault/clean.ts";
import { type Fault, MAX, type Quote, type Recourse } from "../fault/fault.ts";
import { isReceived } from "../fault/provenance.ts";
import { renderQuote } from "../render/details.ts";
import { inlineIssues, withIssues } from "../render/issues.ts";
import type { FilterOptions } from "../safety/filter-line.ts";
import type { DecodeContext } from "./dialect.ts";

/** The text of `fault.quote` to pass on: a peer's text unchanged, any other in quotation marks with its author. */
export function relayedQuote(fault: Fault, maxLength: number = MAX.quote): string | undefined {
  if (fault.quote === undefined) return undefined;
  return fault.quote.from === "peer" ? fault.quote.text : renderQuote(fault.quote, { maxLength }) || undefined;
}

/**
 * The sentence for a wire with one place for text: the peer's own text, or else the message, the wrong arguments and what it
 * quotes.
 */
export function wireSentence(fault: Fault): string {
  if (fault.quote?.from === "peer") return fault.quote.text;
  const message = withIssues(fault.message, wrongArguments(fault));
  const relayed = relayedQuote(fault, MAX.quote - message.length - 1);
  return relayed === undefined ? message : `${message} ${relayed}`;
}

/** Some wires have no other place for issues, so as many as fit stand in the sentence. */
function wrongArguments(fault: Fault): string {
  const options = { received: isReceived(fault) };
  const { issues = [] } = fault;
  for (let shown = issues.length; shown > 0; shown--) {
    const text = inlineIssues({ ...fault, issues: issues.slice(0, shown) }, fault.message, options);
    if (text !== undefined) return shown === issues.length ? text : `${text}; and ${issues.length - shown} more`;
  }
  return "";
}

/** The `quote` member for a received sentence. */
export function peerQuote(text: string | undefined): { readonly quote: Quote } | Record<never, never> {
  return text === undefined ? {} : { quote: { text, from: "peer" } };
}

/** The param of a reason that names the called tool, so that the message does too. */
export function calledTool({ tool }: DecodeContext): { readonly tool?: string } {
  return tool === undefined ? {} : { tool };
}

/** Joins received texts into one. Each is filtered by itself, so that a removed text does not remove the others. */
export function joinSentences(texts: readonly (string | undefined)[], filters: FilterOptions = {}): string | undefined {
  const clean = texts.flatMap((text) => cleanQuoted(text, MAX.quote, filters) ?? []);
  if (clean.length === 0) return undefined;
  return clean.reduce((all, next) => `${all}${/[.!?…]$/.test(all) ? "" : "."} ${next}`);
}

/** The moves for a failure that only a sentence describes: the model reads it and looks before it repeats the call. */
export const LOOK_BEFORE_REPEATING = [{ do: "refresh" }, { do: "stop" }] as const satisfies readonly Recourse[];
