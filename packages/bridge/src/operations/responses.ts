import { KINDS, type StatedKind } from "@recourse/faults";
import {
  booleanAt,
  entriesOf,
  FAULT_LIMITS,
  objectAt,
  REASON_NAME,
  stringAt,
} from "@recourse/faults/internal-do-not-use";
import type { Document } from "../document/document.ts";
import { toPrintableLine } from "../document/printable.ts";
import { resolvedObject } from "../document/refs.ts";
import { isMediaType } from "./media-type.ts";
import type { ResponseSpec } from "./operation.ts";

const MAX_ACCEPT_LENGTH = 500;
/** Many services send problem documents only to clients that accept them. */
const PROBLEM_JSON = "application/problem+json";

/** The responses that an operation declares. */
export function readResponses(document: Document, operation: unknown): readonly ResponseSpec[] {
  return entriesOf(objectAt(operation, "responses"))
    .filter(([status]) => /^(?:[1-5](?:\d\d|XX)|default)$/i.test(status))
    .map(([status, node]) => {
      const response = resolvedObject(document, node);
      const error = readDeclaredError(response);
      return {
        status: status === "default" ? status : status.toUpperCase(),
        description: toPrintableLine(response?.["description"], 200),
        mediaTypes: entriesOf(objectAt(response, "content"))
          .map(([type]) => type.toLowerCase())
          .filter(isMediaType),
        ...(error !== undefined && { error }),
      };
    });
}

/** The `Accept` header for the declared responses. */
export function acceptHeader(responses: readonly ResponseSpec[]): string {
  const good = responses.filter(({ status }) => /^(?:2|default)/.test(status)).flatMap(({ mediaTypes }) => mediaTypes);
  const types = [...new Set([...good, "application/json", PROBLEM_JSON])];
  const accept: string[] = [];
  for (const type of types) if (accept.join(", ").length + type.length < MAX_ACCEPT_LENGTH) accept.push(type);
  return [...accept, "*/*;q=0.1"].join(", ");
}

/** A failure that the document declares with `x-mcp-error: { kind, reason, message, retryable? }` in a response. */
export interface DeclaredError {
  /** What has to happen next. */
  readonly kind: StatedKind;
  /** The name of the reason, without a domain. */
  readonly name: string;
  /** The sentence for callers. */
  readonly text: string;
  /** Whether the same call may be repeated. */
  readonly retryable?: boolean;
}

/** A document cannot ask for credentials or cancel a call. */
const EXCLUDED_KINDS = new Set(["unknown", "unauthenticated", "cancelled"]);

/** Reads `x-mcp-error` of a response; undefined when it is missing or cannot be used. */
export function readDeclaredError(response: unknown): DeclaredError | undefined {
  const node = objectAt(response, "x-mcp-error");
  const [kind = "", name = ""] = [stringAt(node, "kind"), stringAt(node, "reason")];
  const text = toPrintableLine(stringAt(node, "message"), FAULT_LIMITS.message);
  const retryable = booleanAt(node, "retryable");
  // Brackets and braces would be read as slots.
  const isValid = REASON_NAME.test(name) && text !== "" && !/[[\]{}]/.test(text);
  if (!isValid || !Object.hasOwn(KINDS, kind) || EXCLUDED_KINDS.has(kind)) return undefined;
  return { kind: kind as StatedKind, name, text, ...(retryable !== undefined && { retryable }) };
}
