import type { Fault } from "../fault/fault.ts";
import { shouldReport } from "../fault/should-report.ts";
import { toLine } from "../safety/line.ts";
import { attribute } from "./attribute.ts";
import { renderQuote } from "./details.ts";
import { inlineIssues, issueLines, withIssues } from "./issues.ts";
import { describeNextMoves } from "./next-move.ts";

/** The maximum length of the text, without the lines about issues. */
const MAX_MODEL_TEXT = 480;
/** The part of it that the next moves get even if the message is long. */
const MIN_MOVES_LENGTH = 160;

/** The text for a model: what happened, what others said, what to do next. It is complete, since hosts drop the rest. */
export function renderModel(fault: Fault): string {
  const shown = attribute(fault);
  const incident = reportSentence(fault);
  const maxLength = MAX_MODEL_TEXT - incident.length - 3;
  const inline = inlineIssues(fault, shown.message, shown);
  const whole = inline === undefined ? shown.message : withIssues(shown.message, inline);
  const isInline = inline !== undefined && whole.length + MIN_MOVES_LENGTH <= maxLength;
  // Issues name the arguments already.
  const moves = describeNextMoves(inline === "" ? shown.moves : withoutFields(shown.moves));
  const message = toLine(isInline ? whole : shown.message, maxLength - Math.min(moves.length, MIN_MOVES_LENGTH));
  const next = toLine(moves, maxLength - message.length);
  const used = message.length + next.length + incident.length + 3;
  const maxQuote = MAX_MODEL_TEXT - used - 1;
  const quote = shown.quote === undefined ? "" : renderQuote(shown.quote, { maxLength: maxQuote });
  const line = [closed(message), quote, next, incident].filter((part) => part !== "").join(" ");
  return isInline ? line : [line, ...issueLines(fault, shown)].join("\n");
}

/**
 * The ids by which operators find the failure: of this server, and of the service behind it. Empty where there is none, and
 * where the caller has to correct a mistake of its own, which nobody reports.
 */
function reportSentence(fault: Fault): string {
  const { incident, requestId } = fault;
  if (incident === undefined && !shouldReport(fault, { textHidden: false })) return "";
  const ids = [incident && `incident ${incident}`, requestId && `request id ${requestId}`].filter(
    (id) => id !== undefined,
  );
  return ids.length === 0 ? "" : `If you report this, give ${ids.join(" and ")}.`;
}

/** An author may leave out the full stop, where nothing else follows. */
function closed(message: string): string {
  return /[\p{L}\p{N})]$/u.test(message) ? `${message}.` : message;
}

function withoutFields(fault: Fault): Fault {
  const [first, ...rest] = fault.recourse;
  const { fields: _fields, ...move } = first;
  return { ...fault, recourse: [move, ...rest] };
}
