import type { Fault } from "../fault/fault.ts";
import { toLine } from "../safety/line.ts";
import { issueLines, renderQuote } from "./details.ts";
import { describeNextMoves, describeTried } from "./next-move.ts";

/** The maximum length of the text, without the lines about issues. */
const MAX_MODEL_TEXT = 480;
/** The part of it that the next moves get even if the message is long. */
const MIN_MOVES_LENGTH = 100;

/** The text for a model: what happened, what others said, what to do next. It is complete, since hosts drop the rest. */
export function renderModel(fault: Fault): string {
  const identity = `[${fault.kind} ${fault.reason}]`;
  const incident = fault.incident === undefined ? "" : `Incident ${fault.incident}.`;
  const end = [describeTried(fault), incident, identity].filter((part) => part !== "").join(" ");
  const maxLength = MAX_MODEL_TEXT - end.length - 2;
  const moves = describeNextMoves(fault);
  const message = toLine(fault.message, maxLength - Math.min(moves.length, MIN_MOVES_LENGTH));
  const next = toLine(moves, maxLength - message.length);
  const used = message.length + next.length + end.length + 2;
  const quote = fault.quote === undefined ? "" : renderQuote(fault.quote, MAX_MODEL_TEXT - used - 1);
  const line = [message, quote, next, end].filter((part) => part !== "").join(" ");
  return [line, ...issueLines(fault)].join("\n");
}
