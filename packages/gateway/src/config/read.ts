import { nearestNames } from "@recourse/faults";
import { checkArguments, toLine } from "@recourse/faults/internal-do-not-use";
import { isMap, isScalar, isSeq, type Node, type Scalar } from "yaml";
import type { ConfigDocument } from "./document.ts";
import { type Path, type Problem, pathText } from "./problem.ts";
import type { SchemaNode } from "./schema-node.ts";
import { type Environment, fillVariables } from "./variables.ts";

/** What a file says, as plain data. What is wrong is left out of it, and listed. */
export interface ReadResult {
  readonly value: unknown;
  readonly problems: readonly Problem[];
  /** Values at places that hold secrets. */
  readonly secrets: readonly string[];
}

const MAX_KEY_LENGTH = 40;

/** Reads a document by its schema: variables are put in, defaults filled in, and everything is checked. */
export function readDocument(document: ConfigDocument, schema: SchemaNode, environment: Environment): ReadResult {
  const reader = new Reader(document, environment);
  const value = reader.read(document.root, schema, []);
  return { value, problems: reader.problems, secrets: [...reader.secrets] };
}

class Reader {
  readonly problems: Problem[] = [];
  readonly secrets = new Set<string>();
  readonly #document: ConfigDocument;
  readonly #environment: Environment;

  constructor(document: ConfigDocument, environment: Environment) {
    this.#document = document;
    this.#environment = environment;
  }

  read(written: Node | null, schema: SchemaNode, path: Path): unknown {
    const node = written === null ? null : this.#document.resolve(written);
    if (node === undefined) return this.#report(written, path, "This alias leads nowhere.");
    const form = formOf(node, schema);
    if (form === undefined) return this.#report(node, path, `expected ${expectedOf(schema)}.`);
    if (isMap(node)) return this.#object(node.items as Pairs, form, path, node);
    if (isSeq(node)) return this.#list(node.items as Node[], form, path, node);
    return this.#scalar(node, form, path);
  }

  #object(pairs: Pairs, schema: SchemaNode, path: Path, node: Node): Record<string, unknown> {
    const { properties = {}, additionalProperties: others = false, propertyNames, required = [] } = schema;
    const value: Record<string, unknown> = {};
    if (pairs.length < (schema.minProperties ?? 0)) this.#report(node, path, `expected ${expectedOf(schema)}.`);
    for (const { key, value: written } of pairs) {
      const name = isScalar(key) ? String(key.value) : "";
      const known = Object.hasOwn(properties, name) ? properties[name] : others;
      if (known === false || known === undefined) {
        this.#unknown(
          key,
          name,
          path,
          Object.keys(properties).filter((one) => !pairs.some((p) => nameIs(p.key, one))),
        );
      } else if (propertyNames !== undefined && !isValid(name, propertyNames)) {
        this.#report(key, [...path, shortKey(name)], `expected ${expectedOf(propertyNames)} as the name.`);
      } else {
        const member = this.read(written, known, [...path, name]);
        if (member !== undefined) Object.defineProperty(value, name, { value: member, enumerable: true });
      }
    }
    for (const name of required) {
      if (pairs.some(({ key }) => nameIs(key, name))) continue;
      const expected = expectedOf(properties[name] ?? {});
      this.#report(path.length === 0 ? null : node, [...path, name], `is missing. It takes ${expected}.`);
    }
    return withDefaults(value, properties);
  }

  #list(items: readonly Node[], schema: SchemaNode, path: Path, node: Node): unknown {
    if (items.length < (schema.minItems ?? 0)) return this.#report(node, path, `expected ${expectedOf(schema)}.`);
    return items.flatMap((item, at) => this.read(item, schema.items ?? {}, [...path, at]) ?? []);
  }

  #scalar(node: Node | null, schema: SchemaNode, path: Path): unknown {
    const value = this.#valueOf(node, schema, path);
    if (value === undefined) return undefined;
    if (!isValid(value, schema)) return this.#report(node, path, `expected ${expectedOf(schema)}.`);
    if (schema.writeOnly === true && typeof value === "string") this.secrets.add(value);
    return value;
  }

  /** The value of a scalar, with variables put in; undefined, and reported, where one is missing. */
  #valueOf(node: Node | null, schema: SchemaNode, path: Path): unknown {
    if (!isScalar(node)) return null;
    if (typeof node.value !== "string") {
      // `tenant: 42` and a hash of digits are texts, where a text is expected.
      return typeof node.value === "number" && schema.type === "string" ? (node.source ?? node.value) : node.value;
    }
    const filled = fillVariables(node.value, this.#environment);
    if (filled.hasBadName) {
      const fix = `Write \${NAME} or \${NAME:-default}, and $\${ for the text \${ itself.`;
      return this.#report(node, path, `the text between \${ and } is not the name of a variable.`, fix);
    }
    for (const name of filled.missing)
      this.#report(node, path, `the variable ${name} is not set.`, `Set it, or write a default: \${${name}:-…}.`);
    if (filled.missing.length > 0) return undefined;
    return filled.hasVariables ? typed(filled.text, schema) : filled.text;
  }

  #unknown(key: Node, name: string, path: Path, known: readonly string[]): void {
    const [nearest] = nearestNames(name, known, 1);
    const fix = nearest === undefined ? listed(known) : `Did you mean ${nearest}?`;
    this.#report(key, [...path, shortKey(name)], "there is no such option.", fix);
  }

  #report(node: Node | null, path: Path, message: string, fix?: string): undefined {
    const position = this.#document.positionOf(node);
    this.problems.push({ ...position, path: pathText(path), message, ...(fix === undefined ? {} : { fix }) });
  }
}

type Pairs = readonly { readonly key: Node; readonly value: Node | null }[];

/** The form of a value that its type asks for; undefined where no form has that type. */
function formOf(node: Node | null, schema: SchemaNode): SchemaNode | undefined {
  const kind = isMap(node) ? "object" : isSeq(node) ? "array" : "scalar";
  return (schema.anyOf ?? [schema]).find(({ type }) =>
    kind === "scalar" ? type !== "object" && type !== "array" : type === kind,
  );
}

/** Variables are texts; where the schema wants a number or a switch, they are read as one. */
function typed(text: string, { type }: SchemaNode): unknown {
  if ((type === "integer" || type === "number") && /^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}

function withDefaults(
  value: Record<string, unknown>,
  properties: Readonly<Record<string, SchemaNode>>,
): Record<string, unknown> {
  const filled = { ...value };
  for (const [name, schema] of Object.entries(properties)) filled[name] ??= defaultOf(schema);
  return filled;
}

function defaultOf({ default: byDefault, properties, required }: SchemaNode): unknown {
  if (byDefault !== undefined || properties === undefined || required !== undefined) return byDefault;
  return withDefaults({}, properties);
}

function isValid(value: unknown, schema: SchemaNode): boolean {
  return checkArguments(value, schema as Readonly<Record<string, unknown>>).length === 0;
}

/** The phrase of the schema, or else the one that the library's checker has for it. */
function expectedOf(schema: SchemaNode): string {
  if (schema.title !== undefined) return schema.title;
  const wrong = schema.type === "string" ? 0 : "";
  const [issue] = checkArguments(wrong, schema as Readonly<Record<string, unknown>>);
  return issue?.expected ?? "another value";
}

function nameIs(key: Node, name: string): boolean {
  return isScalar(key) && String((key as Scalar).value) === name;
}

function shortKey(name: string): string {
  return toLine(name, MAX_KEY_LENGTH);
}

function listed(known: readonly string[]): string | undefined {
  return known.length === 0 ? undefined : `Options here: ${known.join(", ")}.`;
}
