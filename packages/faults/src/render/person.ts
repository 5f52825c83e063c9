import type { Fault } from "../fault/fault.ts";
import type { Effect, Move } from "../fault/kinds.ts";
import { formatDuration } from "../reasons/format-value.ts";
import { attribute } from "./attribute.ts";
import { renderQuote } from "./details.ts";
import { issueLines, withoutNamedIssues } from "./issues.ts";

/** What a person can do. */
const ADVICE = {
  retry: "Please try again in a moment.",
  authenticate: "Please sign in again.",
  fix_input: "Please check the input.",
  choose_another: "Please choose something else.",
  refresh: "Please look at the current state before you try again.",
  do_first: "Please take care of that first, then try again.",
  ask_user: "This needs your decision.",
  stop: "Please contact the operator if this goes on.",
} as const satisfies Record<Move, string>;

/** What a person reads about an effect that cannot be ruled out. */
const EFFECT_FOR_PERSON = {
  possible: "The action may have happened already.",
  applied: "The action has happened.",
} as const satisfies Record<Exclude<Effect, "none">, string>;

/** The longest quotation, with its author. */
const MAX_QUOTE_TEXT = 560;

/** The text for a person: what happened, what to do, and the reference for support. */
export function renderPerson(fault: Fault): string {
  const shown = attribute(fault);
  const [move] = shown.moves.recourse;
  const advice =
    move.do === "retry" && move.afterMs !== undefined && move.afterMs >= 1_000
      ? `Please try again in ${formatDuration(move.afterMs)}.`
      : ADVICE[move.do];
  const { message, quote } = shown;
  const parts = [message];
  if (quote !== undefined && !says(message, quote.text))
    parts.push(renderQuote(quote, { maxLength: MAX_QUOTE_TEXT, for: "person" }));
  // `retry` is only offered if a second call is safe.
  if (fault.effect !== "none" && move.do !== "retry") parts.push(EFFECT_FOR_PERSON[fault.effect]);
  if (!says(message, advice)) parts.push(advice);
  if (move.link !== undefined) parts.push(move.link);
  if (fault.incident !== undefined) parts.push(`Reference: ${fault.incident}.`);
  if (fault.requestId !== undefined) parts.push(`Request id of the service: ${fault.requestId}.`);
  return [parts.join(" "), ...issueLines(withoutNamedIssues(fault, message), shown)].join("\n");
}

/** Whether a message says a sentence already. What a sender says in a quotation replaces no sentence of ours. */
function says(message: string, sentence: string): boolean {
  const words = sentence.trim().replace(/[.!]$/, "");
  return words !== "" && message.includes(words);
}
