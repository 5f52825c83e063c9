// A fault that another program sent. What it says about the failure is believed; its sentences are shown as its own.
import { amendFault, type FaultChanges } from "../fault/amend.ts";
import { FAULT_MEMBERS } from "../fault/clean.ts";
import { FAULT_LIMITS, type Fault, type Origin, packFault, type Quote } from "../fault/fault.ts";
import { KINDS, knownKind } from "../fault/kinds.ts";
import { ADOPTED, DECODED, keepAssumption, RELAYED, readProvenance } from "../fault/provenance.ts";
import { readFault } from "../fault/read.ts";
import { recomposeFault } from "../reasons/library/by-id.ts";
import { asReceived, type FilterOptions, limitReading } from "../safety/show-line.ts";
import { relayedQuote } from "./sentence.ts";

export interface PeerContext extends FilterOptions {
  /** The sender is a server of the reader's own, whose faults are taken over whole. @default false */
  readonly speaksFaults?: boolean | undefined;
}

/** Reads a fault that a peer sent as JSON; undefined if the value is not a fault. */
export function readPeerFault(value: unknown, context: PeerContext = {}): Fault | undefined {
  return limitReading(() => {
    const fault = readFault(value, context);
    return fault && (context.speaksFaults === true ? takeOver(fault, context) : attributeToPeer(fault, context));
  });
}

/**
 * The fault of a server of the reader's own: the reader answers for its sentences, moves and links. Only what the sender
 * cannot know stays out: the part of this side, and attempts that would read like ours. A fault that the server passes on
 * from somewhere else keeps its sentence, which that server chose; names, links and problems in it are not that server's.
 */
function takeOver(fault: Fault, filter: FilterOptions): Fault {
  const { cause, origin } = fault;
  const changes = {
    ...keptMoves(recomposeFault(fault, { ...fault.params }, { ...filter }), fault),
    origin: peerOrigin(origin),
    tried: undefined,
    cause: cause && takeOver(cause, filter),
  };
  const provenance = origin.layer === "upstream" ? RELAYED : ADOPTED;
  return amendFault(fault, changes, { provenance, repeatable: changes.recourse !== undefined });
}

/**
 * The fault as this side may present it. The message of a library reason is composed again from its template and the params
 * that fit; any other message becomes a quotation. Attempts of the peer's own retry engine are dropped, since they would
 * read like ours.
 */
export function attributeToPeer(fault: Fault, given: FilterOptions = {}): Fault {
  const filter = asReceived(given);
  const composed = recomposeFault(fault, { ...fault.params }, { ...filter });
  const fallback = KINDS[knownKind(fault)].fallbackMessage;
  const changes = {
    message: composed?.message ?? fallback,
    params: composed === undefined ? fault.params : composed.params,
    quote: FAULT_MEMBERS.quote.clean(
      composed === undefined ? peerSentence(fault, fallback) : peerQuotation(fault),
      filter,
    ),
    ...keptMoves(composed, fault),
    origin: peerOrigin(fault.origin),
    tried: undefined,
    cause: fault.cause && attributeToPeer(fault.cause, filter),
  };
  return amendFault(fault, changes, { provenance: DECODED, repeatable: changes.recourse !== undefined });
}

/** The moves of a reason for which the library offers `retry` although the call may have had an effect, as with a key. */
function keptMoves(composed: Fault | undefined, { effect, retry }: Fault): Pick<FaultChanges, "recourse"> {
  const isKept = composed?.effect === effect && composed.recourse[0].do === "retry" && retry?.allowed !== false;
  return effect !== "none" && isKept ? { recourse: composed.recourse } : {};
}

/** The quotation in a fault. What the code of a peer threw is what the peer said. */
function peerQuotation({ quote }: Fault): Quote | undefined {
  return quote?.from === "thrown" ? { ...quote, from: "peer" } : quote;
}

/** The message and the quotation of a fault as one quotation. A message that says no more than the kind is left out. */
function peerSentence(fault: Fault, fallback: string): Quote | undefined {
  const relayed = relayedQuote(fault, FAULT_LIMITS.quote - fault.message.length - 1);
  if (fault.message === fallback) return peerQuotation(fault);
  return { text: relayed === undefined ? fault.message : `${fault.message} ${relayed}`, from: "peer" };
}

/** Marks a fault that was decoded from a reply: its message is the library's, its other texts are the sender's. */
export function markDecoded<F extends Fault | undefined>(fault: F): F {
  if (fault === undefined || readProvenance(fault) !== undefined) return fault;
  return keepAssumption(packFault(fault, DECODED), fault) as F;
}

/** The client and its transport are on this side, so no peer speaks for them. */
function peerOrigin(origin: Origin): Origin {
  return origin.layer === "client" || origin.layer === "transport" ? { ...origin, layer: "server" } : origin;
}
