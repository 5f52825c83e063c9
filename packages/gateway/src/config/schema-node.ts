/** A place of the configuration's JSON Schema. Only these keywords are used, so that the reader knows all of them. */
export interface SchemaNode {
  readonly $schema?: string;
  readonly $id?: string;
  /** What is expected here, as a phrase for the sentence "expected …". */
  readonly title?: string;
  readonly description?: string;
  readonly type?: "object" | "array" | "string" | "integer" | "number" | "boolean";
  readonly const?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly minItems?: number;
  readonly minProperties?: number;
  readonly items?: SchemaNode;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false | SchemaNode;
  readonly propertyNames?: SchemaNode;
  /** Forms that differ in their type, so that the type of a value says which one is meant. */
  readonly anyOf?: readonly SchemaNode[];
  /** Filled in where nothing is written. */
  readonly default?: string | number | boolean | readonly string[];
  readonly examples?: readonly unknown[];
  /** Holds a secret. */
  readonly writeOnly?: true;
}
