import type { Fault } from "../fault/fault.ts";
import { toLine } from "../safety/line.ts";
import { sayIssues } from "./issues.ts";
import { sayNext, sayTried } from "./next.ts";
import { sayQuote } from "./quotation.ts";

/** The most a model is told about one fault, issues apart. */
const ROOM = 480;
/** What the next move keeps of it, however long the rest is. */
const KEPT = 100;

/** For a model: what happened, what others said, what to do next; it stands alone, since hosts drop the rest. */
export function renderModel(fault: Fault): string {
  const identity = `[${fault.kind} ${fault.reason}]`;
  const incident = fault.incident === undefined ? "" : `Incident ${fault.incident}.`;
  const ends = [sayTried(fault), incident, identity].filter((part) => part !== "").join(" ");
  const room = ROOM - ends.length - 2;
  const moves = sayNext(fault);
  const message = toLine(fault.message, room - Math.min(moves.length, KEPT));
  const next = toLine(moves, room - message.length);
  const fixed = message.length + next.length + ends.length + 2;
  const quote = fault.quote === undefined ? "" : sayQuote(fault.quote, ROOM - fixed - 1);
  const line = [message, quote, next, ends].filter((part) => part !== "").join(" ");
  return [line, ...sayIssues(fault)].join("\n");
}
