import type { Document } from "../document.ts";

/** A schema as tools publish it: JSON Schema 2020-12 without references. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What a conversion had to leave out. */
export type SchemaNote = "cut" | "unresolved";

/** One conversion under way. */
export interface Walk {
  readonly document: Document;
  /** What is only read does not belong into a request, what is only written not into a response. */
  readonly side: "request" | "response";
  /** Levels that are converted; what lies deeper is left open. */
  readonly deepest: number;
  /** Schemas that may still be made. */
  left: number;
  readonly notes: Set<SchemaNote>;
}
