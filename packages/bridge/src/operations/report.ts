import { toPrintableLine } from "../document/schema-keywords.ts";

const SKIP_TEXTS = {
  method: "Its method is not offered as a tool.",
  unreadable: "Its description in the document cannot be read.",
  unsafe_path: "Its path could lead elsewhere than it seems to.",
  path_parameter: "A parameter in its path is not described.",
  parameter: "A parameter that it needs cannot be read.",
  body: "Its body is of a type that cannot be sent.",
  too_many_arguments: "It takes more arguments than a tool can have.",
  event_stream: "It answers with a stream of events that does not end.",
  server: "It has an address of its own that is not among those allowed.",
} as const satisfies Readonly<Record<string, string>>;

const CHANGE_TEXTS = {
  renamed: "The argument has another name than in the API.",
  header: "The header is set by the bridge, never by a caller.",
  credential: "The parameter carries a credential, so it is not an argument.",
  left_out: "The parameter cannot be sent, so it is not an argument.",
  style: "The parameter's style does not exist in its place; the usual one is used.",
  body: "A body with this method has no meaning, so it is not sent.",
  cut: "The schema is too deep or contains itself; what lies below is left open.",
  unresolved: "A part of the schema refers to what is not in the document; it is left open.",
} as const satisfies Readonly<Record<string, string>>;

interface OperationNote<Code extends string> {
  /** Method and path. */
  readonly operation: string;
  readonly code: Code;
  /** What the code says, as a sentence. */
  readonly text: string;
}

/** An operation that is not a tool, and why. */
export type SkippedOperation = OperationNote<keyof typeof SKIP_TEXTS>;

/** A difference between an operation and its tool. */
export interface ChangedArgument extends OperationNote<keyof typeof CHANGE_TEXTS> {
  /** The argument or parameter; undefined if the difference concerns the whole operation. */
  readonly argument?: string;
}

/** A tool whose name differs from the `operationId`. */
export interface RenamedTool {
  /** Method and path. */
  readonly operation: string;
  /** The `operationId`; undefined if the document has none. */
  readonly from: string | undefined;
  readonly to: string;
}

/** How the tools differ from the document. */
export interface OperationsReport {
  /** Tools whose name differs from the `operationId`. */
  readonly renamed: readonly RenamedTool[];
  /** Operations that are not tools. */
  readonly skipped: readonly SkippedOperation[];
  /** Other differences between operations and their tools. */
  readonly changed: readonly ChangedArgument[];
}

/** Method and path of an operation, for reports and logs. */
export function operationLabel(method: string, path: string): string {
  return toPrintableLine(`${method.toUpperCase()} ${path}`, 200);
}

export function skippedOperation(operation: string, code: SkippedOperation["code"]): SkippedOperation {
  return { operation, code, text: SKIP_TEXTS[code] };
}

export function changedArgument(operation: string, code: ChangedArgument["code"], argument?: string): ChangedArgument {
  return {
    operation,
    ...(argument !== undefined && { argument: toPrintableLine(argument, 100) }),
    code,
    text: CHANGE_TEXTS[code],
  };
}
