import type { Fault } from "../fault/fault.ts";
import { toLine } from "../safety/line.ts";
import { attribute } from "./attribute.ts";
import { issueLines, renderQuote } from "./details.ts";
import { describeNextMoves, describeTried } from "./next-move.ts";

/** The maximum length of the text, without the lines about issues. */
const MAX_MODEL_TEXT = 480;
/** The part of it that the next moves get even if the message is long. */
const MIN_MOVES_LENGTH = 100;

/** The text for a model: what happened, what others said, what to do next. It is complete, since hosts drop the rest. */
export function renderModel(fault: Fault): string {
  const shown = attribute(fault);
  const identity = `[${shown.identity}]`;
  const incident = fault.incident === undefined ? "" : `Incident ${fault.incident}.`;
  const end = [describeTried(fault), incident, identity].filter((part) => part !== "").join(" ");
  const maxLength = MAX_MODEL_TEXT - end.length - 2;
  const moves = describeNextMoves(shown.moves);
  const message = toLine(shown.message, maxLength - Math.min(moves.length, MIN_MOVES_LENGTH));
  const next = toLine(moves, maxLength - message.length);
  const used = message.length + next.length + end.length + 2;
  const quote = shown.quote === undefined ? "" : renderQuote(shown.quote, MAX_MODEL_TEXT - used - 1);
  const line = [message, quote, next, end].filter((part) => part !== "").join(" ");
  return [line, ...issueLines(fault, shown)].join("\n");
}
