import { KINDS, type StatedKind } from "@recourse/faults";
import { booleanAt, objectAt, stringAt } from "../document/json.ts";
import { toText } from "../document/text.ts";

/** A failure that a document has a sentence for: `x-mcp-error: { kind, reason, message, retryable? }` beside a response. */
export interface DeclaredError {
  readonly kind: StatedKind;
  /** The name of the reason, without a domain. */
  readonly name: string;
  readonly text: string;
  /** Whether the same call may be repeated, by the author's word. */
  readonly retryable?: boolean;
}

/** Who is asked for credentials, and who gave up, is never for a document to say. */
const NOT_HERE = new Set(["unknown", "unauthenticated", "cancelled"]);

/** Reads `x-mcp-error` of a response; undefined when there is none that can be used. */
export function declaredError(response: unknown): DeclaredError | undefined {
  const node = objectAt(response, "x-mcp-error");
  const [kind = "", name = ""] = [stringAt(node, "kind"), stringAt(node, "reason")];
  const text = toText(stringAt(node, "message"), 240);
  const retryable = booleanAt(node, "retryable");
  // Brackets and braces would be read as places for values.
  const isRight = /^[a-z][a-z0-9_]{0,59}$/.test(name) && text !== "" && !/[[\]{}]/.test(text);
  if (!isRight || !Object.hasOwn(KINDS, kind) || NOT_HERE.has(kind)) return undefined;
  return { kind: kind as StatedKind, name, text, ...(retryable !== undefined && { retryable }) };
}
