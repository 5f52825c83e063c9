import { toText } from "../document/text.ts";

/** Why an operation did not become a tool. */
const SKIPPED = {
  method: "Its method is not offered as a tool.",
  unreadable: "Its description in the document cannot be read.",
  unsafe_path: "Its path could lead elsewhere than it seems to.",
  path_parameter: "A parameter in its path is not described.",
  parameter: "A parameter that it needs cannot be read.",
  body: "Its body is of a type that cannot be sent.",
  too_many_arguments: "It takes more arguments than a tool can have.",
  server: "It has an address of its own that is not among those allowed.",
} as const satisfies Readonly<Record<string, string>>;

/** How a tool differs from its operation. */
const CHANGED = {
  renamed: "The argument has another name than in the API.",
  header: "The header is set by the bridge, never by a caller.",
  credential: "The parameter carries a credential, so it is not an argument.",
  left_out: "The parameter cannot be sent, so it is not an argument.",
  style: "The parameter's style does not exist in its place; the usual one is used.",
  body: "A body with this method has no meaning, so it is not sent.",
  cut: "The schema is too deep or contains itself; what lies below is left open.",
  unresolved: "A part of the schema refers to what is not in the document; it is left open.",
} as const satisfies Readonly<Record<string, string>>;

/** An operation that is no tool. */
export interface Skipped {
  /** Method and path. */
  readonly operation: string;
  readonly why: keyof typeof SKIPPED;
  readonly text: string;
}

/** A difference between an operation and its tool. */
export interface Changed {
  readonly operation: string;
  readonly argument?: string;
  readonly why: keyof typeof CHANGED;
  readonly text: string;
}

/** A tool that is not called what the document calls its operation. */
export interface Renamed {
  readonly operation: string;
  /** The document's name; undefined where it has none. */
  readonly from: string | undefined;
  readonly to: string;
}

/** What was renamed, skipped and changed on the way from a document to tools. */
export interface Report {
  readonly renamed: readonly Renamed[];
  readonly skipped: readonly Skipped[];
  readonly changed: readonly Changed[];
}

/** An operation as reports name it. */
export function labelOf(method: string, path: string): string {
  return toText(`${method.toUpperCase()} ${path}`, 200);
}

/** An entry for an operation that was skipped. */
export function skipped(operation: string, why: Skipped["why"]): Skipped {
  return { operation, why, text: SKIPPED[why] };
}

/** An entry for a difference. */
export function changed(operation: string, why: Changed["why"], argument?: string): Changed {
  return { operation, ...(argument !== undefined && { argument: toText(argument, 100) }), why, text: CHANGED[why] };
}
