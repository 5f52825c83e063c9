import { arrayAt, entriesOf, isObject, memberAt } from "@recourse/faults/internal-do-not-use";

const TYPES = ["string", "integer", "number", "boolean", "object", "array", "null"];

const isNumber = (value: unknown) => typeof value === "number" && Number.isFinite(value);
const isCount = (value: unknown) => isNumber(value) && Number(value) >= 0;
const isText = (value: unknown) => typeof value === "string";
const isSchema = (value: unknown) => typeof value === "boolean" || isObject(value);
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText);
const isSchemas = (value: unknown) => Array.isArray(value) && value.length > 0 && value.every(isSchema);
const isSchemaMap = (value: unknown) => isObject(value) && Object.values(value).every(isSchema);
const isType = (value: unknown) => typeof value === "string" && TYPES.includes(value);

/** What the value of each keyword must be, in draft-07 and in 2020-12. Keywords that are not listed are not looked at. */
const KEYWORDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  type: (value) => isType(value) || (Array.isArray(value) && value.length > 0 && value.every(isType)),
  properties: isSchemaMap,
  patternProperties: isSchemaMap,
  $defs: isSchemaMap,
  definitions: isSchemaMap,
  required: isTexts,
  additionalProperties: isSchema,
  propertyNames: isSchema,
  items: (value) => isSchema(value) || isSchemas(value),
  prefixItems: isSchemas,
  contains: isSchema,
  allOf: isSchemas,
  anyOf: isSchemas,
  oneOf: isSchemas,
  not: isSchema,
  enum: Array.isArray,
  pattern: (value) => typeof value === "string" && compiles(value),
  minimum: isNumber,
  maximum: isNumber,
  // Draft-04 has a boolean here, which newer validators refuse.
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  multipleOf: (value) => isNumber(value) && Number(value) > 0,
  minLength: isCount,
  maxLength: isCount,
  minItems: isCount,
  maxItems: isCount,
  minProperties: isCount,
  maxProperties: isCount,
  $ref: isText,
};

/** Keywords below which other schemas stand. */
const MAPS = ["properties", "patternProperties", "$defs", "definitions"];
const LISTS = ["prefixItems", "allOf", "anyOf", "oneOf", "items"];
const SINGLES = ["additionalProperties", "propertyNames", "contains", "not", "items"];

/** More parts of a schema than this are not looked at. */
const MAX_PARTS = 5_000;

function compiles(pattern: string): boolean {
  try {
    new RegExp(pattern, "u");
    return true;
  } catch {
    // Validators fall back to the older syntax, so only what neither takes is wrong.
    try {
      new RegExp(pattern);
      return true;
    } catch {
      return false;
    }
  }
}

/** Where and how a JSON Schema is malformed: `properties/limit: type`. Undefined if every validator can read it. */
export function schemaProblem(root: unknown): string | undefined {
  if (!isSchema(root)) return "the schema is no object";
  const parts: { readonly at: string; readonly schema: unknown }[] = [{ at: "", schema: root }];
  for (let next = 0; next < parts.length && next < MAX_PARTS; next += 1) {
    const { at, schema } = parts[next] as (typeof parts)[number];
    for (const [key, value] of entriesOf(schema)) {
      const isRight = Object.hasOwn(KEYWORDS, key) ? KEYWORDS[key] : undefined;
      if (isRight?.(value) === false || (key === "$ref" && !resolves(root, value))) return `${at}${key}`;
    }
    for (const key of MAPS)
      for (const [name, below] of entriesOf(memberAt(schema, key)))
        parts.push({ at: `${at}${key}/${name}/`, schema: below });
    for (const key of LISTS)
      for (const [index, below] of arrayAt(schema, key).entries())
        parts.push({ at: `${at}${key}/${index}/`, schema: below });
    for (const key of SINGLES)
      if (isObject(memberAt(schema, key))) parts.push({ at: `${at}${key}/`, schema: memberAt(schema, key) });
  }
  return undefined;
}

/** Whether a reference inside the document leads somewhere. Others cannot be judged from here. */
function resolves(root: unknown, ref: unknown): boolean {
  if (typeof ref !== "string" || !ref.startsWith("#/")) return true;
  let at: unknown = root;
  for (const token of ref.slice(2).split("/", 200)) {
    const key = decoded(token).replaceAll("~1", "/").replaceAll("~0", "~");
    at = Array.isArray(at) ? at[Number(key)] : memberAt(at, key);
    if (at === undefined) return false;
  }
  return true;
}

function decoded(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}
