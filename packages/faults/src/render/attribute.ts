import type { Fault, Quote, Recourse } from "../fault/fault.ts";
import { KINDS, knownKind } from "../fault/kinds.ts";
import { type Provenance, provenanceOf } from "../fault/provenance.ts";
import { inQuotes } from "../reasons/format-value.ts";
import { inGuillemets } from "./details.ts";

/** The parts of a fault as a reader may see them: every text of a sender stands in the quotation. */
export interface AttributedFault {
  readonly message: string;
  readonly quote: Quote | undefined;
  /** The fault whose moves are described. */
  readonly moves: Fault;
  /** Kind and reason, as far as they are not the sender's own words. */
  readonly identity: string;
  /** Whether texts of issues are the sender's. */
  readonly received: boolean;
}

/** Separates what this side says from what a sender says. A fault that this process built is shown as it is. */
export function attribute(fault: Fault): AttributedFault {
  const provenance = provenanceOf(fault);
  if (provenance === undefined || provenance.texts === "own") {
    const { message, quote, kind, reason } = fault;
    return { message, quote, moves: fault, identity: `${kind} ${reason}`, received: false };
  }
  const kind = knownKind(fault);
  const said = textOfSender(fault, provenance);
  const [first, ...rest] = fault.recourse;
  return {
    message: provenance.message === "library" ? fault.message : KINDS[kind].fallbackMessage,
    quote: said === "" ? undefined : { text: said, from: fault.quote?.from === "upstream" ? "upstream" : "peer" },
    moves: { ...fault, recourse: [bareMove(first, provenance), ...rest.map((move) => bareMove(move, provenance))] },
    identity: provenance.reason === "library" ? `${kind} ${fault.reason}` : kind,
    received: true,
  };
}

/** What the sender says: its message, its quotation, and what its moves name. */
function textOfSender(fault: Fault, provenance: Provenance): string {
  const message = provenance.message === "sender" ? fault.message : undefined;
  const named = fault.recourse.flatMap((move) => namesIn(move, provenance));
  const names = named.length === 0 ? undefined : `(${named.join("; ")})`;
  return [message, fault.quote?.text, names].filter((part) => part !== undefined).join(" ");
}

function namesIn(move: Recourse, provenance: Provenance): string[] {
  const { tool, candidates, link } = move;
  return [
    ...(tool !== undefined && !isListed(tool, provenance) ? [`tool ${inQuotes(tool)}`] : []),
    ...(candidates === undefined ? [] : [`candidates ${candidates.map((name) => inQuotes(name)).join(", ")}`]),
    ...(link === undefined ? [] : [`link ${link}`]),
  ];
}

/** A move without what only the sender says. The verb and the wait are believed, and so is a tool that the sender lists. */
function bareMove({ do: move, afterMs, fields, tool }: Recourse, provenance: Provenance): Recourse {
  return {
    do: move,
    ...(afterMs !== undefined && { afterMs }),
    ...(fields !== undefined && { fields: fields.map((field) => (field === "" ? "" : inGuillemets(field))) }),
    ...(tool !== undefined && isListed(tool, provenance) && { tool }),
  };
}

function isListed(tool: string, { tools = [] }: Provenance): boolean {
  return tools.includes(tool);
}
