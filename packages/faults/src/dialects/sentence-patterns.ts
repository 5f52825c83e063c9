// Some servers write fixed sentences instead of codes. A pattern recognises one and reads the values in it.
import type { FaultDetails } from "../fault/build.ts";
import type { Fault } from "../fault/fault.ts";
import type { JsonObject } from "../json/read.ts";
import type { DecodeContext, TableReason } from "./dialect.ts";
import { peerQuote } from "./sentence.ts";

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
export interface ReceivedSentence {
  readonly text: string;
  readonly code: number | undefined;
}

/** Only this part of a sentence is searched. Every pattern is shorter. */
const MAX_SENTENCE_LENGTH = 16_384;

/** Returns the fault of the first pattern that matches, or undefined. */
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
