import type { Fault } from "../fault/fault.ts";
import type { Effect, Move } from "../fault/kinds.ts";
import { showDuration } from "../reasons/show.ts";
import { sayIssues } from "./issues.ts";
import { sayQuote } from "./quotation.ts";

/** What a person is told to do; the moves that are a machine's are told as what is going to happen. */
const ADVICE = {
  retry: "Please try again in a moment.",
  authenticate: "Please sign in again.",
  fix_input: "Please check the input.",
  choose_another: "Please choose another one.",
  refresh: "Please look at the current state before you try again.",
  do_first: "Something else has to be done first.",
  ask_user: "This needs your decision.",
  stop: "Please contact the operator if this goes on.",
} as const satisfies Record<Move, string>;

/** What a person has to know about the effect before doing anything. */
const EFFECT = {
  possible: "It may have happened.",
  applied: "It has happened.",
} as const satisfies Record<Exclude<Effect, "none">, string>;

/** For a person: the sentence, what to do, where to ask. */
export function renderPerson(fault: Fault): string {
  const [move] = fault.recourse;
  const advice =
    move.do === "retry" && move.afterMs !== undefined && move.afterMs > 0
      ? `Please try again in ${showDuration(move.afterMs)}.`
      : ADVICE[move.do];
  const parts = [fault.message];
  if (fault.quote !== undefined) parts.push(sayQuote(fault.quote, 560));
  // A repetition is only offered where it does no harm.
  if (fault.effect !== "none" && move.do !== "retry") parts.push(EFFECT[fault.effect]);
  parts.push(move.link === undefined ? advice : `${advice} ${move.link}`);
  if (fault.incident !== undefined) parts.push(`Reference: ${fault.incident}.`);
  return [parts.join(" "), ...sayIssues(fault)].join("\n");
}
