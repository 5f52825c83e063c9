import type { SchemaNode } from "./schema-node.ts";

type More = Partial<SchemaNode>;

/** The parts that many options share. */
export const text = (description: string, more: More = {}): SchemaNode => ({
  type: "string",
  description,
  minLength: 1,
  ...more,
});

export const flag = (description: string, byDefault: boolean): SchemaNode => ({
  type: "boolean",
  title: "true or false",
  description,
  default: byDefault,
});

export const count = (description: string, more: More = {}): SchemaNode => ({
  type: "integer",
  description,
  minimum: 1,
  ...more,
});

export const choice = (names: readonly string[], description: string, more: More = {}): SchemaNode => ({
  type: "string",
  title: names.length === 1 ? String(names[0]) : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`,
  description,
  enum: names,
  ...more,
});

export const list = (description: string, more: More = {}): SchemaNode => ({
  type: "array",
  title: "a list of names",
  description,
  items: { type: "string", minLength: 1 },
  ...more,
});

export const duration = (description: string, byDefault: string): SchemaNode => ({
  type: "string",
  title: "a duration such as 500ms, 30s, 15m or 1h",
  description,
  pattern: "^\\d+(?:\\.\\d+)?(?:ms|s|m|h)$",
  default: byDefault,
});

export const size = (description: string, byDefault: string): SchemaNode => ({
  type: "string",
  title: "a size such as 512KiB or 4MiB",
  description,
  pattern: "^\\d+(?:B|KiB|MiB|GiB)$",
  default: byDefault,
});

export const webUrl = (description: string, more: More = {}): SchemaNode => ({
  type: "string",
  title: "a URL with http or https",
  description,
  pattern: "^https?://[^\\s/]",
  ...more,
});

const RATE: SchemaNode = {
  type: "string",
  title: "a rate such as 20/s, 100/m or 1000/h",
  pattern: "^\\d+(?:\\.\\d+)?/(?:s|m|h)$",
};

export const rate = (description: string): SchemaNode => ({
  description,
  title: "a rate such as 20/s, or { rate: 20/s, burst: 40 }",
  anyOf: [
    RATE,
    {
      type: "object",
      additionalProperties: false,
      required: ["rate"],
      properties: {
        rate: { ...RATE, description: "How many are allowed in a second, a minute or an hour." },
        burst: count("The most at one moment. Without it: what the rate gives in one second, at least 1."),
      },
    },
  ],
});

/** Patterns of the names that callers see, such as `shop__*`. */
export const patterns = (description: string): SchemaNode =>
  list(description, { title: "a list of tool names or patterns such as shop__*", default: ["*"] });
