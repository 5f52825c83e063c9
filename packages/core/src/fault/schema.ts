import { type Codec, FAULT_MEMBERS, type FaultSchemaNode, objectSchema } from "./clean.ts";
import { FAULT_LIMITS, type Fault, PATTERNS } from "./fault.ts";
import { CLASSES, KINDS } from "./kinds.ts";

const requiredMember = (schema: FaultSchemaNode) => ({ schema, required: true }) as const;

const BODY_MEMBERS = {
  v: requiredMember({ const: 1 }),
  // Readers accept kinds that they do not know and act on the class.
  kind: requiredMember({ type: "string", pattern: PATTERNS.kind, examples: Object.keys(KINDS) }),
  class: requiredMember({ enum: CLASSES }),
  reason: requiredMember({ type: "string", pattern: PATTERNS.reasonId }),
  message: requiredMember({ type: "string", minLength: 1, maxLength: FAULT_LIMITS.message }),
  ...FAULT_MEMBERS,
  cause: { schema: { $ref: "#" } },
} satisfies { readonly [K in keyof Required<Fault>]: Pick<Codec<unknown>, "schema" | "required"> };

/** The JSON Schema (2020-12) of a fault, read or on a wire. The package publishes it as `schema/fault.json`. */
export const faultSchema: FaultSchemaNode = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Recourse fault, version 1",
  ...objectSchema(BODY_MEMBERS),
};
