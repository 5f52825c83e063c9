// The sentences that a wire carries: which one to write for a fault, and how to take over the one that was received.

import type { FaultDetails } from "../fault/build.ts";
import { cleanQuoted } from "../fault/clean.ts";
import { FAULT_LIMITS, type Fault, type Quote, type Recourse } from "../fault/fault.ts";
import { inlineIssues, issueOptions, renderQuote, withIssues } from "../render/issues.ts";
import type { FilterOptions } from "../safety/show-line.ts";
import type { JsonObject } from "../wire/json.ts";
import type { DecodeContext, TableReason } from "./dialect.ts";

/** The text of `fault.quote` to pass on: a peer's text unchanged, any other in quotation marks with its author. */
export function relayedQuote(fault: Fault, maxLength: number = FAULT_LIMITS.quote): string | undefined {
  if (fault.quote === undefined) return undefined;
  return fault.quote.from === "peer" ? fault.quote.text : renderQuote(fault.quote, { maxLength }) || undefined;
}

/**
 * The sentence for a wire with one place for text: the peer's own text, or else the message, the wrong arguments and what it
 * quotes.
 */
export function wireSentence(fault: Fault): string {
  if (fault.quote?.from === "peer") return fault.quote.text;
  const message = withIssues(fault.message, issueSentence(fault));
  const relayed = relayedQuote(fault, FAULT_LIMITS.quote - message.length - 1);
  return relayed === undefined ? message : `${message} ${relayed}`;
}

/** Some wires have no other place for issues, so as many as fit stand in the sentence. */
function issueSentence(fault: Fault): string {
  const options = issueOptions(fault);
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
  const clean = texts.flatMap((text) => cleanQuoted(text, FAULT_LIMITS.quote, filters) ?? []);
  if (clean.length === 0) return undefined;
  return clean.reduce((all, next) => `${all}${/[.!?…]$/.test(all) ? "" : "."} ${next}`);
}

/** The moves for a failure that only a sentence describes: the model reads it and looks before it repeats the call. */
export const LOOK_BEFORE_REPEATING = [{ do: "refresh" }, { do: "stop" }] as const satisfies readonly Recourse[];

// Some servers write fixed sentences instead of codes. A pattern recognises one and reads the values in it.
/** One fixed sentence of a server, and its reason. */
export interface SentencePattern {
  /** Anchored at the start. `params` and `details` read its groups. */
  readonly pattern: RegExp;
  /** JSON-RPC codes that the sentence comes with. Without codes it is also recognised as the text of a tool. */
  readonly codes?: readonly number[];
  readonly reason: TableReason;
  /** Values for the slots of the reason. */
  params?(groups: readonly string[]): JsonObject;
  /** Further members of the fault. They replace those that every match has. */
  details?(text: string, groups: readonly string[]): FaultDetails;
}

/** A sentence that was received, and the JSON-RPC code beside it, if there was one. */
interface ReceivedSentence {
  readonly text: string;
  readonly code: number | undefined;
}

/** Only this part of a sentence is searched. Every pattern is shorter. */
const MAX_SENTENCE_LENGTH = 16_384;

export function matchSentence(
  patterns: readonly SentencePattern[],
  { text, code }: ReceivedSentence,
  context: DecodeContext,
): Fault | undefined {
  const head = text.slice(0, MAX_SENTENCE_LENGTH);
  for (const { pattern, codes, reason, params, details } of patterns) {
    if (codes !== undefined && (code === undefined || !codes.includes(code))) continue;
    const groups = pattern.exec(head)?.slice(1);
    if (groups === undefined) continue;
    return reason.fault(params?.(groups), {
      ...context,
      basis: "mapped",
      ...peerQuote(text),
      ...details?.(head, groups),
    });
  }
  return undefined;
}
