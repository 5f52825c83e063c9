import { eachMember, valuesOf } from "../json/members.ts";
import { BACKSLASH, type Span, skipSpace } from "../json/skip.ts";
import { isTextAt } from "../json/text-at.ts";

/** Where the parts of a JSON-RPC message of an upstream stand in its bytes. */
export interface Envelope {
  id: Span | undefined;
  method: Span | undefined;
  result: Span | undefined;
  error: Span | undefined;
}

/**
 * Finds the envelope of a message. Undefined where the bytes are not one whole object, or where a name of the envelope is
 * repeated or escaped, so that two parsers could read two messages. What is inside the members is not checked.
 */
export function findEnvelope(bytes: Buffer): Envelope | undefined {
  const found: Envelope = { id: undefined, method: undefined, result: undefined, error: undefined };
  const end = eachMember(bytes, skipSpace(bytes, 0), (keyStart, keyEnd, span) => {
    const name = envelopeName(bytes, keyStart, keyEnd);
    if (name === undefined) return true;
    if (name === "escaped" || found[name] !== undefined) return false;
    found[name] = span;
    return true;
  });
  return end !== -1 && skipSpace(bytes, end) === bytes.length ? found : undefined;
}

/** Whether the object at a position has a member of that name, also where the name is escaped. */
export function hasMember(bytes: Buffer, start: number, name: string): boolean {
  return valuesOf(bytes, start, name).length > 0;
}

const ENVELOPE_NAMES = ["id", "method", "result", "error"] as const satisfies readonly (keyof Envelope)[];

function envelopeName(bytes: Buffer, start: number, end: number): keyof Envelope | "escaped" | undefined {
  for (const name of ENVELOPE_NAMES) if (isTextAt(bytes, start, end, name)) return name;
  for (let at = start; at < end; at++) if (bytes[at] === BACKSLASH) return "escaped";
  return undefined;
}
