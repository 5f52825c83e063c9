import type { Document } from "../document.ts";
import { convert } from "./convert.ts";
import type { JsonSchema, SchemaNote, Walk } from "./walk.ts";

/** Schemas in one tool, about 15 kB of them: a model reads all tools before every call. */
const MOST_SCHEMAS = 600;
/** Levels that are tried, the deepest first. */
const DEPTHS = [12, 8, 6, 5, 4, 3, 2, 1];

/** Several schemas of one tool. */
export interface Fitted {
  readonly schemas: readonly JsonSchema[];
  readonly notes: ReadonlySet<SchemaNote>;
}

/** What fitting may be told. */
export interface FitOptions {
  readonly side: Walk["side"];
  readonly mostSchemas?: number | undefined;
}

/** Converts the schemas of one tool, as deep as they all fit into it together. */
export function fitSchemas(document: Document, nodes: readonly unknown[], options: FitOptions): Fitted {
  const { side, mostSchemas = MOST_SCHEMAS } = options;
  for (const deepest of DEPTHS) {
    const walk: Walk = { document, side, deepest, left: mostSchemas, notes: new Set() };
    const schemas = nodes.map((node) => convert(walk, node));
    if (walk.left >= 0) return { schemas, notes: walk.notes };
  }
  const walk: Walk = { document, side, deepest: 0, left: Infinity, notes: new Set() };
  return { schemas: nodes.map((node) => convert(walk, node)), notes: walk.notes };
}
