import { toLine } from "@recourse/faults/internal-do-not-use";
import { type Arrival, MISBEHAVIOURS, STDIO_MISBEHAVIOURS } from "@recourse/faults/testing/peer";

/** What the client sent is shown on a terminal, so it is made one printable line. */
const MAX_LENGTH = 80;
const shown = (text: unknown): string => toLine(String(text), MAX_LENGTH);

const TABLES: Readonly<Record<string, { readonly description: string }>> = { ...STDIO_MISBEHAVIOURS, ...MISBEHAVIOURS };

/** One line about something that reached the peer, and how the peer treated it. */
export function arrivalText(arrival: Arrival): string {
  switch (arrival.what) {
    case "message": {
      const { method, tool, id, step } = arrival.message;
      const about = TABLES[step]?.description;
      const named = [shown(method), ...(tool === undefined ? [] : [shown(tool)])].join(" ");
      return `${named}${id === undefined ? "" : ` (id ${shown(id)})`}: ${step}${about === undefined ? "" : `. ${about}`}`;
    }
    case "answer":
      return `answer to ${shown(arrival.id)}`;
    case "unreadable":
      return `a message that cannot be read: ${arrival.reason}`;
    case "http":
      return `${shown(arrival.method)} ${shown(arrival.path)}`;
    default:
      return arrival satisfies never;
  }
}
