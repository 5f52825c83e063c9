import { nearestNames } from "@recourse/core";
import { toLine } from "@recourse/core/safety";
import type { z } from "zod";
import { type ConfigDocument, type Path, type Position, type Problem, pathText } from "./document.ts";
import { CONFIG, CONFIG_SCHEMA, type ConfigFile, type SchemaNode } from "./schema.ts";

/** What is left of a file without the parts that are wrong. */
export type Draft<T> = T extends readonly (infer Item)[]
  ? readonly (Draft<Item> | undefined)[]
  : T extends object
    ? { readonly [Name in keyof T]?: Draft<T[Name]> | undefined }
    : T;

/** What a file says. */
export interface ReadResult {
  /** The file; undefined if something in it is wrong. */
  readonly file: ConfigFile | undefined;
  readonly draft: Draft<ConfigFile>;
  readonly problems: readonly Problem[];
  /** Values at places that hold secrets. */
  readonly secrets: readonly string[];
}

type ZodIssue = z.core.$ZodIssue;

/** Reads a document by the schema. Everything that is wrong is listed, in our own words: those of others may quote values. */
export function readDocument(document: ConfigDocument): ReadResult {
  const { value } = document;
  let parsed = parseOptions(value);
  const repairs = parsed.issues.flatMap((issue) => [...otherReadings(issue, document)]);
  if (repairs.length > 0) {
    for (const [path, reading] of repairs) change(value, path, reading);
    parsed = parseOptions(value);
  }
  for (const { code, path } of parsed.issues) if (code !== "unrecognized_keys") change(parsed.draft, toPath(path));
  const issues = parsed.issues.flatMap((issue) => [...fittingIssues(issue)]);
  const unknown = issues.flatMap((issue) =>
    issue.code === "unrecognized_keys" ? unknownOptions(issue, document) : [],
  );
  const others = issues.flatMap((issue) => (issue.code === "unrecognized_keys" ? [] : wrongValue(issue, document)));
  // Below an option that is wrong as a whole nothing else is of interest.
  const isBelow = (path: string) => (one: Problem) =>
    path.startsWith(one.path) && /^[.[]|^$/.test(path.slice(one.path.length));
  const problems = [...unknown, ...others];
  problems.push(...document.problems.filter(({ path }) => !problems.some(isBelow(path))));
  const file = problems.length === 0 ? parsed.file : undefined;
  return { file, draft: parsed.draft, problems: unique(problems), secrets: [...secretsIn(value, CONFIG_SCHEMA)] };
}

interface Parsed {
  readonly file: ConfigFile | undefined;
  readonly draft: Draft<ConfigFile>;
  readonly issues: readonly ZodIssue[];
}

function parseOptions(value: unknown): Parsed {
  let draft: Draft<ConfigFile> = {};
  const keepDraft = (partial: ConfigFile) => {
    draft = partial;
    return true;
  };
  // The last check of a schema runs even if others failed, and sees the parts that are good.
  const { data, error } = CONFIG.refine(keepDraft, { when: ({ value: partial }) => isMapping(partial) }).safeParse(
    value,
  );
  return { file: data, draft, issues: error?.issues ?? [] };
}

/** The issues that matter: if a value may have several forms, those of the form that it has. */
function* fittingIssues(issue: ZodIssue, above: Path = []): Generator<ZodIssue> {
  const path = [...above, ...toPath(issue.path)];
  const form = issue.code === "invalid_union" ? issue.errors.find((issues) => issues.some(isInside)) : undefined;
  if (form === undefined) yield { ...issue, path };
  else for (const inner of form) yield* fittingIssues(inner, path);
}

/** Whether the type of the value is right, and something in it is wrong. */
function isInside({ code, path }: ZodIssue): boolean {
  return path.length > 0 || (code !== "invalid_type" && code !== "invalid_value");
}

const OTHER_TYPES: readonly string[] = ["number", "int", "boolean"];

/** Scalars that can be read as the type that is expected. */
function* otherReadings(
  issue: ZodIssue,
  document: ConfigDocument,
  above: Path = [],
): Generator<readonly [Path, unknown]> {
  const path = [...above, ...toPath(issue.path)];
  if (issue.code === "invalid_union")
    for (const inner of issue.errors.flat()) yield* otherReadings(inner, document, path);
  if (issue.code !== "invalid_type") return;
  const isText = issue.expected === "string";
  if (!isText && !OTHER_TYPES.includes(issue.expected)) return;
  const reading = document.readAs(path, isText ? "string" : "other");
  if (reading !== undefined) yield [path, reading];
}

const MAX_KEY_LENGTH = 40;

function unknownOptions(issue: z.core.$ZodIssueUnrecognizedKeys, document: ConfigDocument): readonly Problem[] {
  const path = toPath(issue.path);
  const written = valueAt(document.value, path);
  const names = formsOf(schemaAt(path)).flatMap(({ properties = {} }) => Object.keys(properties));
  const free = names.filter((name) => !isMapping(written) || !Object.hasOwn(written, name));
  return issue.keys.map((key) => {
    const [nearest] = nearestNames(key, free, 1);
    const options = free.length === 0 ? undefined : `Options here: ${free.join(", ")}.`;
    const fix = nearest === undefined ? options : `Did you mean ${nearest}?`;
    const position = document.find([...path, key]) ?? document.findValue(path);
    return problemAt(position, [...path, toLine(key, MAX_KEY_LENGTH)], "there is no such option.", fix);
  });
}

function wrongValue(issue: ZodIssue, document: ConfigDocument): readonly Problem[] {
  const path = toPath(issue.path);
  const [above, key] = [path.slice(0, -1), path.at(-1)];
  if (issue.code === "invalid_key") {
    const { propertyNames } = schemaAt(above) ?? {};
    const message = `expected ${expected(propertyNames, key)} as the name.`;
    return [problemAt(document.find(path), [...above, toLine(String(key), MAX_KEY_LENGTH)], message)];
  }
  const value = valueAt(document.value, path);
  const phrase = expected(schemaAt(path), value);
  if (value !== undefined) return [problemAt(document.findValue(path), path, `expected ${phrase}.`)];
  // A variable that is not set is listed as such.
  if (document.find(path) !== undefined) return [];
  const position = above.length === 0 ? undefined : document.findValue(above);
  return [problemAt(position, path, `is missing. It takes ${phrase}.`)];
}

/** What is expected: the phrase of the schema, or else a name for its type. */
function expected(schema: SchemaNode = {}, value: unknown): string {
  const type = Array.isArray(value) ? "array" : isMapping(value) ? "object" : "string";
  const form = value === undefined ? undefined : schema.anyOf?.find((one) => one.type === type);
  const { title = schema.title } = form ?? schema;
  if (title !== undefined) return title;
  const { required = [], minLength = 0 } = schema;
  if (schema.type === "object") return required.length === 0 ? "an object" : `an object with ${required.join(", ")}`;
  if (schema.type === "integer") return "an integer of at least 1";
  return minLength === 0 ? "a string" : "a string that is not empty";
}

/** Values at places that the schema marks as secrets. */
function* secretsIn(value: unknown, schema: SchemaNode | undefined): Generator<string> {
  if (typeof value === "string") {
    if (formsOf(schema).some(({ writeOnly }) => writeOnly === true)) yield value;
  } else if (typeof value === "object" && value !== null) {
    for (const [key, member] of Object.entries(value)) yield* secretsIn(member, memberSchema(schema, key));
  }
}

function schemaAt(path: Path): SchemaNode | undefined {
  return path.reduce<SchemaNode | undefined>(memberSchema, CONFIG_SCHEMA);
}

function memberSchema(schema: SchemaNode | undefined, key: string | number): SchemaNode | undefined {
  for (const { properties = {}, additionalProperties, items } of formsOf(schema)) {
    const member = Object.hasOwn(properties, key) ? properties[key] : additionalProperties || items;
    if (member !== undefined) return member;
  }
  return undefined;
}

function formsOf(schema: SchemaNode = {}): readonly SchemaNode[] {
  return [schema, ...(schema.anyOf ?? [])];
}

function valueAt(value: unknown, path: Path): unknown {
  let at = value;
  for (const key of path) at = typeof at === "object" && at !== null ? Reflect.get(at, key) : undefined;
  return at;
}

/** Puts another value at a place, or takes it away. Items of a list keep their places. */
function change(value: unknown, path: Path, changed?: unknown): void {
  const holder = valueAt(value, path.slice(0, -1));
  const key = path.at(-1);
  if (typeof holder !== "object" || holder === null || key === undefined) return;
  if (changed === undefined && !Array.isArray(holder)) Reflect.deleteProperty(holder, key);
  else Reflect.set(holder, key, changed);
}

function toPath(path: readonly PropertyKey[]): Path {
  return path as Path;
}

function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function problemAt(position: Position | undefined, path: Path, message: string, fix?: string): Problem {
  return { line: 1, column: 1, ...position, path: pathText(path), message, ...(fix !== undefined && { fix }) };
}

/** One value can break several rules of one schema. */
function unique(problems: readonly Problem[]): readonly Problem[] {
  return [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()];
}
