import type { Document } from "../document/document.ts";
import { fitSchemas } from "../document/schema/fit.ts";
import type { JsonSchema, SchemaNote } from "../document/schema/walk.ts";
import { toText } from "../document/text.ts";
import type { Argument } from "./operation.ts";

/** An argument with the schema that the document has for it. */
export interface Described {
  readonly argument: Argument;
  readonly node: unknown;
  readonly said?: { readonly description: unknown; readonly deprecated: boolean };
}

/** The input schema of a tool: one flat object that allows no other members. */
export function inputSchemaOf(
  document: Document,
  described: readonly Described[],
): { readonly schema: JsonSchema; readonly notes: ReadonlySet<SchemaNote> } {
  const nodes = described.map(({ node }) => node);
  const { schemas, notes } = fitSchemas(document, nodes, { side: "request" });
  const properties = described.map(({ argument, said }, index) => {
    const description = toText(said?.description, 300);
    const more = { ...(description !== "" && { description }), ...(said?.deprecated === true && { deprecated: true }) };
    return [argument.name, { ...schemas[index], ...more }] as const;
  });
  const required = described.filter(({ argument }) => argument.required).map(({ argument }) => argument.name);
  return {
    schema: {
      type: "object",
      properties: Object.fromEntries(properties),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    },
    notes,
  };
}
