import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SchemaNode } from "../../packages/gateway/src/config/schema.ts";
import { code, GENERATED, page, table } from "./markdown.ts";

/** The hand-written beginning of the page. */
const PART = join(import.meta.dirname, "gateway-parts/configuration.md");

/** Every option of the gateway's configuration file: one section for each group, from its JSON Schema. */
export function gatewayConfigPage(schema: SchemaNode): string {
  return page([GENERATED, readFileSync(PART, "utf8").trim(), "## Options", ...sectionsOf(schema, "")]);
}

/** The options of one mapping, then a section for each mapping in it. */
function sectionsOf(schema: SchemaNode, path: string): string[] {
  const members = Object.entries(schema.properties ?? {});
  const rows = members.map(([name, one]) => [
    code(name),
    (schema.required ?? []).includes(name) ? "**required**" : defaultText(one),
    described(one),
  ]);
  return [
    table(["Option", "Default", "Meaning"], rows),
    ...members.flatMap(([name, one]) => below(one, path === "" ? name : `${path}.${name}`)),
  ];
}

/** The section of an option that holds a mapping of its own; none for the others. */
function below(schema: SchemaNode, path: string): string[] {
  const others = typeof schema.additionalProperties === "object" ? schema.additionalProperties : undefined;
  if (others?.properties !== undefined) return section(others, `${path}.<name>`);
  const inner = [schema, ...(schema.anyOf ?? []), ...(schema.items === undefined ? [] : [schema.items])].find(
    (one) => one.properties !== undefined,
  );
  if (inner === undefined || Object.keys(inner.properties ?? {}).includes("burst")) return [];
  return section(inner, schema.items === inner ? `${path}[…]` : path);
}

function section(schema: SchemaNode, path: string): string[] {
  return [`### ${code(path)}`, ...sectionsOf(schema, path)];
}

function described({ description = "", title, type, enum: names, examples = [] }: SchemaNode): string {
  // A switch needs no words, and names are explained if they are few.
  const isPlain =
    title === undefined || type === "boolean" || names?.every((name) => description.includes(`\`${name}\``));
  const form = isPlain === true ? "" : ` Takes ${title?.replaceAll(/[{<][^}>]*[}>]/g, code("$&"))}.`;
  const [example] = examples;
  return `${description}${form}${example === undefined ? "" : ` Example: ${code(yaml(example))}.`}`;
}

function defaultText({ default: byDefault }: SchemaNode): string {
  return byDefault === undefined ? "" : code(yaml(byDefault));
}

/** A short value as YAML. */
function yaml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((one) => (one === "*" ? '"*"' : String(one))).join(", ")}]`;
  return value === "" ? '""' : String(value);
}
