import type { Fault, Quote, Recourse } from "../fault/fault.ts";
import { KINDS, knownKind } from "../fault/kinds.ts";
import { type Provenance, readProvenance } from "../fault/provenance.ts";
import { shouldReport } from "../fault/severity.ts";
import { inQuotes } from "../reasons/template.ts";
import { toLine } from "../safety/line.ts";
import {
  argumentName,
  type IssueOptions,
  inlineIssues,
  issueLines,
  issueOptions,
  quoteForeign,
  renderQuote,
  withIssues,
} from "./issues.ts";
import { describeNextMovesAfter } from "./next-move.ts";

/** The maximum length of the text, without the lines about issues. */
const MAX_MODEL_TEXT = 480;
/** The part of it that the next moves get even if the message is long. */
const MIN_MOVES_LENGTH = 160;

/** The text for a model: what happened, what others said, what to do next. It is complete, since hosts drop the rest. */
export function renderModel(fault: Fault): string {
  const shown = attribute(fault);
  const incident = reportSentence(fault);
  const maxLength = MAX_MODEL_TEXT - incident.length - 3;
  const inline = inlineIssues(fault, shown.message, shown.issues);
  const whole = inline === undefined ? shown.message : withIssues(shown.message, inline);
  const isInline = inline !== undefined && whole.length + MIN_MOVES_LENGTH <= maxLength;
  // Issues name the arguments already.
  const moves = describeNextMovesAfter(shown.message, inline === "" ? shown.moves : withoutFields(shown.moves));
  const message = toLine(isInline ? whole : shown.message, maxLength - Math.min(moves.length, MIN_MOVES_LENGTH));
  const next = toLine(moves, maxLength - message.length);
  const used = message.length + next.length + incident.length + 3;
  const maxQuote = MAX_MODEL_TEXT - used - 1;
  const quote = shown.quote === undefined ? "" : renderQuote(shown.quote, { maxLength: maxQuote });
  const line = [endSentence(message), quote, next, incident].filter((part) => part !== "").join(" ");
  return isInline ? line : [line, ...issueLines(fault, shown.issues)].join("\n");
}

/**
 * The ids by which operators find the failure: of this server, and of the service behind it. Empty if there are no ids, and
 * if the caller has to correct its own mistake, which is not reported.
 */
export function reportSentence(fault: Fault): string {
  const { incident, requestId } = fault;
  if (incident === undefined && !shouldReport(fault, { textHidden: false })) return "";
  const ids = [incident && `incident ${incident}`, requestId && `request id ${requestId}`].filter(
    (id) => id !== undefined,
  );
  return ids.length === 0 ? "" : `If you report this, give ${ids.join(" and ")}.`;
}

/** What an author wrote, and the id of its incident if there is one: it lost something, which the operator finds by the id. */
export function withReport(text: string, fault: Fault): string {
  const report = fault.incident === undefined ? "" : reportSentence(fault);
  if (report === "") return text;
  const said = text.trimEnd();
  const isSentence = /[\p{L}\p{N})\].!?…]$/u.test(said) && !said.includes("\n");
  return isSentence ? `${/[.!?…]$/.test(said) ? said : `${said}.`} ${report}` : `${said}\n${report}`;
}

/** An author may leave out the full stop, if nothing else follows. */
function endSentence(message: string): string {
  return /[\p{L}\p{N})]$/u.test(message) ? `${message}.` : message;
}

function withoutFields(fault: Fault): Fault {
  const [first, ...rest] = fault.recourse;
  const { fields: _fields, ...move } = first;
  return { ...fault, recourse: [move, ...rest] };
}

/** The parts of a fault as a reader may see them: every text of a sender stands in the quotation. */
interface AttributedFault {
  readonly message: string;
  readonly quote: Quote | undefined;
  /** The fault whose moves are described, with the names of arguments in place of pointers. */
  readonly moves: Fault;
  /** Whose words the texts of issues are. */
  readonly issues: IssueOptions;
}

/** Separates what this side says from what a sender says. A fault that this process built is shown as it is. */
export function attribute(fault: Fault): AttributedFault {
  const provenance = readProvenance(fault);
  if (provenance === undefined || provenance.texts === "own") {
    const { message, quote } = fault;
    return { message, quote, moves: withMoves(fault, withArgumentNames), issues: issueOptions(fault) };
  }
  const said = textOfSender(fault, provenance);
  return {
    message: provenance.message === "sender" ? KINDS[knownKind(fault)].fallbackMessage : fault.message,
    quote: said === "" ? undefined : { text: said, from: fault.quote?.from === "upstream" ? "upstream" : "peer" },
    moves: withMoves(fault, (move) => bareMove(move, provenance)),
    issues: issueOptions(fault),
  };
}

function withMoves(fault: Fault, change: (move: Recourse) => Recourse): Fault {
  const [first, ...rest] = fault.recourse;
  return { ...fault, recourse: [change(first), ...rest.map(change)] };
}

function withArgumentNames(move: Recourse): Recourse {
  return move.fields === undefined ? move : { ...move, fields: move.fields.map(argumentName) };
}

/** What the sender says: its message, its quotation, and what its moves name. */
function textOfSender(fault: Fault, provenance: Provenance): string {
  const message = provenance.message === "sender" ? fault.message : undefined;
  const named = fault.recourse.flatMap((move) => namesInMove(move, provenance));
  const names = named.length === 0 ? undefined : `(${named.join("; ")})`;
  return [message, fault.quote?.text, names].filter((part) => part !== undefined).join(" ");
}

function namesInMove(move: Recourse, provenance: Provenance): string[] {
  const { tool, candidates = [], link } = move;
  const unlisted = candidates.filter((name) => !isListedTool(name, provenance));
  return [
    ...(tool !== undefined && !isListedTool(tool, provenance) ? [`tool ${inQuotes(tool)}`] : []),
    ...(unlisted.length === 0 ? [] : [`suggested: ${unlisted.map((name) => inQuotes(name)).join(", ")}`]),
    ...(link === undefined ? [] : [`link ${link}`]),
  ];
}

/** A move without what only the sender says. The verb and the wait are believed, and so are tools that the sender lists. */
function bareMove({ do: move, afterMs, fields, tool, candidates = [] }: Recourse, provenance: Provenance): Recourse {
  const listed = candidates.filter((name) => isListedTool(name, provenance));
  return {
    do: move,
    ...(afterMs !== undefined && { afterMs }),
    ...(fields !== undefined && {
      fields: fields.map((field) => (field === "" ? "" : quoteForeign(argumentName(field)))),
    }),
    ...(tool !== undefined && isListedTool(tool, provenance) && { tool }),
    ...(listed.length > 0 && { candidates: listed }),
  };
}

function isListedTool(tool: string, { tools = [] }: Provenance): boolean {
  return tools.includes(tool);
}
