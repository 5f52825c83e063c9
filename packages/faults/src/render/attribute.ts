import type { Fault, Quote, Recourse } from "../fault/fault.ts";
import { KINDS, knownKind } from "../fault/kinds.ts";
import { type Provenance, provenanceOf } from "../fault/provenance.ts";
import { inQuotes } from "../reasons/format-value.ts";
import { quoteForeign } from "./details.ts";
import { argumentName } from "./issues.ts";

/** The parts of a fault as a reader may see them: every text of a sender stands in the quotation. */
export interface AttributedFault {
  readonly message: string;
  readonly quote: Quote | undefined;
  /** The fault whose moves are described, with the names of arguments in place of pointers. */
  readonly moves: Fault;
  /** Whether texts of issues are the sender's. */
  readonly received: boolean;
}

/** Separates what this side says from what a sender says. A fault that this process built is shown as it is. */
export function attribute(fault: Fault): AttributedFault {
  const provenance = provenanceOf(fault);
  if (provenance === undefined || provenance.texts === "own") {
    const { message, quote } = fault;
    return { message, quote, moves: withMoves(fault, withArgumentNames), received: false };
  }
  const said = textOfSender(fault, provenance);
  return {
    message: provenance.message === "sender" ? KINDS[knownKind(fault)].fallbackMessage : fault.message,
    quote: said === "" ? undefined : { text: said, from: fault.quote?.from === "upstream" ? "upstream" : "peer" },
    moves: withMoves(fault, (move) => bareMove(move, provenance)),
    received: true,
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
  const named = fault.recourse.flatMap((move) => namesIn(move, provenance));
  const names = named.length === 0 ? undefined : `(${named.join("; ")})`;
  return [message, fault.quote?.text, names].filter((part) => part !== undefined).join(" ");
}

function namesIn(move: Recourse, provenance: Provenance): string[] {
  const { tool, candidates = [], link } = move;
  const unlisted = candidates.filter((name) => !isListed(name, provenance));
  return [
    ...(tool !== undefined && !isListed(tool, provenance) ? [`tool ${inQuotes(tool)}`] : []),
    ...(unlisted.length === 0 ? [] : [`suggested: ${unlisted.map((name) => inQuotes(name)).join(", ")}`]),
    ...(link === undefined ? [] : [`link ${link}`]),
  ];
}

/** A move without what only the sender says. The verb and the wait are believed, and so are tools that the sender lists. */
function bareMove({ do: move, afterMs, fields, tool, candidates = [] }: Recourse, provenance: Provenance): Recourse {
  const listed = candidates.filter((name) => isListed(name, provenance));
  return {
    do: move,
    ...(afterMs !== undefined && { afterMs }),
    ...(fields !== undefined && {
      fields: fields.map((field) => (field === "" ? "" : quoteForeign(argumentName(field)))),
    }),
    ...(tool !== undefined && isListed(tool, provenance) && { tool }),
    ...(listed.length > 0 && { candidates: listed }),
  };
}

function isListed(tool: string, { tools = [] }: Provenance): boolean {
  return tools.includes(tool);
}
