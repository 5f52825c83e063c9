import { checkArguments } from "@recourse/core/schema";
import {
  arrayAt,
  entriesOf,
  hasOutputSchemas,
  isObject,
  type JsonObject,
  memberAt,
  objectAt,
  stringAt,
  unescapeToken,
} from "@recourse/core/wire";
import type { RecordedExchange } from "../recording/recording.ts";
import {
  type EraView,
  failCheck,
  GUARD_FIX,
  judgeEach,
  type ProbeCheck,
  passCheck,
  quoteText,
  skipCheck,
  visibleText,
} from "./check.ts";
import { answerResult, contentTexts, isDenied, isSuccess, select, subject } from "./exchanges.ts";
import { hidesFailure } from "./hidden-failure.ts";
import { wrongFields } from "./validation.ts";

/** Descriptions that announce that other types are converted. */
const COERCES =
  /\bcoerc|\bstring or (?:number|integer|boolean)|\b(?:number|integer|boolean) or (?:a )?string|["'`]true["'`]|\bnumeric string/i;

/** Whether every conversion that may have happened is announced. */
function isDocumented(exchange: RecordedExchange): boolean {
  const fields = wrongFields(exchange);
  const announced = fields.filter(({ schema }) => COERCES.test(stringAt(schema, "description") ?? ""));
  return fields.length > 0 && announced.length === fields.length;
}

/** The output schema of a tool, if it has one. */
export function findOutputSchema(view: EraView, tool: string | undefined): JsonObject | undefined {
  return objectAt(findTool(view, tool), "outputSchema");
}

/** What the server lists about a tool. */
function findTool({ era }: EraView, name: string | undefined): JsonObject | undefined {
  return era.tools.find((one) => one["name"] === name && name !== undefined);
}

function wrongOutput({ answer, tool }: RecordedExchange, view: EraView): string | undefined {
  const schema = findOutputSchema(view, tool);
  const data = memberAt(answerResult(answer), "structuredContent");
  if (schema === undefined) return undefined;
  const name = visibleText(tool ?? "", 60);
  if (data === undefined) return `${name} has an output schema and returns no structuredContent.`;
  const [issue] = checkArguments(data, schema);
  if (issue === undefined) return undefined;
  const place = issue.pointer === "" ? "its output" : visibleText(issue.pointer, 60);
  return `${name} returns structuredContent that does not match its output schema: ${place} breaks the rule ${issue.rule}.`;
}

/** What is wrong with the schemas of a tool. */
function wrongSchema(tool: EraView["era"]["tools"][number]): string | undefined {
  const name = visibleText(String(tool["name"] ?? "a tool"), 60);
  const input = tool["inputSchema"];
  if (objectAt(tool, "inputSchema")?.["type"] !== "object")
    return `The input schema of ${name} is not of the type object.`;
  for (const [what, schema] of [
    ["input", input],
    ["output", tool["outputSchema"]],
  ] as const) {
    const problem = schema === undefined ? undefined : schemaProblem(schema);
    if (problem !== undefined) return `The ${what} schema of ${name} cannot be read: ${visibleText(problem)}.`;
  }
  return undefined;
}

export const TRUTHFULNESS_CHECKS: readonly ProbeCheck[] = [
  {
    id: "args-refused",
    category: "truthfulness",
    severity: "high",
    title: "Arguments that the schema forbids are refused.",
    failsWhen: "A call with arguments of the wrong type, or without a required one, gets a result without `isError`.",
    notCounted: 'Conversions that the description of the field announces, such as "true" for true.',
    why: "The tool runs with arguments that its schema forbids, and its effects are real.",
    fix: { text: "`guard` checks arguments against the schema that the tool lists.", code: GUARD_FIX },
    source: "yours",
    run: (view) =>
      judgeEach(
        select(view, "wrong-arguments", "type", "type-again", "missing", "bait").filter(
          ({ answer }) => answer.kind === "message" && !isDenied(answer),
        ),
        {
          nothing: "No tool may be called, or none has required arguments.",
          wrong: (exchange) =>
            isSuccess(exchange.answer) && !isDocumented(exchange)
              ? `${subject(exchange)} gets a result without isError.`
              : undefined,
        },
      ),
  },
  {
    id: "false-green",
    category: "truthfulness",
    severity: "high",
    title: "A failure is not sent as a success.",
    failsWhen:
      'A result without `isError` begins with an error, is a one-line failure message from a runtime, a database or HTTP, is a web page from a tool that does not return pages, or is JSON with `success: false`, `ok: false`, `status: "error"` or a non-empty `error`.',
    notCounted:
      "Results for several items of which some failed. Log lines and documents about errors, from tools that return logs or documents.",
    why: "Retry logic, circuit breakers and dashboards count a failure without `isError` as a success.",
    fix: {
      text: "Throw an error, or set `isError`. Until every tool does so, `guard` can turn such results into failures.",
      code: `import { guard } from "@recourse/faults/server";

const shop = new McpServer({ name: "shop", version: "1.0.0" });
const server = guard(shop, { looksFailed: { answer: "fail" } });`,
    },
    source: "yours",
    preview: true,
    run: (view) =>
      judgeEach(
        select(view, "valid-call").filter(({ answer }) => isSuccess(answer)),
        {
          nothing: "No valid call succeeded.",
          wrong: (exchange) => {
            const result = answerResult(exchange.answer) ?? {};
            if (!hidesFailure(result, findTool(view, exchange.tool))) return undefined;
            const [text = ""] = contentTexts(result);
            return `${subject(exchange)} is answered as a success that reports a failure: ${quoteText(text)}.`;
          },
        },
      ),
  },
  {
    id: "output-matches-schema",
    category: "truthfulness",
    severity: "high",
    title: "Results match the output schema of their tool.",
    failsWhen:
      "A successful result of a tool with an output schema has no `structuredContent`, or its `structuredContent` does not match the schema.",
    notCounted: "Protocol versions before 2025-06-18, which have no output schemas.",
    why: "Official clients discard a result that does not match the output schema.",
    fix: {
      text: "`guard` reports such results and replaces them with a failure that says what happened, instead of letting the client drop them.",
      code: GUARD_FIX,
    },
    source: "yours",
    run: (view) => {
      if (!hasOutputSchemas(view.era.negotiated))
        return skipCheck("This version of the protocol has no output schemas.");
      const looked = select(view, "valid-call").filter(
        ({ answer, tool }) => isSuccess(answer) && findOutputSchema(view, tool) !== undefined,
      );
      return judgeEach(looked, {
        nothing: "No tool with an output schema was called with success.",
        wrong: (exchange) => wrongOutput(exchange, view),
      });
    },
  },
  {
    id: "schema-valid",
    category: "truthfulness",
    severity: "medium",
    title: "The schemas of all tools are valid.",
    failsWhen: "The type of an input schema is not object, or a keyword has a value that JSON Schema does not allow.",
    notCounted: "Formats, unknown keywords, and references to other documents.",
    why: "If a schema is not valid, clients drop the tool or the whole list.",
    fix: {
      text: "Generate the schema with a library: the schemas of zod and of other Standard Schema libraries are always valid.",
      code: `server.registerTool(
  "list_orders",
  { inputSchema: z.object({ status: z.string() }) },
  listOrders,
);`,
    },
    source: "yours",
    run: (view) => {
      const { tools } = view.era;
      if (tools.length === 0) return skipCheck("The server lists no tools.");
      const found = tools.map(wrongSchema).find((problem) => problem !== undefined);
      if (found === undefined) return passCheck();
      const [list] = [...select(view, "list", "tools/list"), ...select(view, "list"), ...view.era.exchanges];
      return list === undefined ? skipCheck("The list of tools was not recorded.") : failCheck(found, [list]);
    },
  },
];

const SCHEMA_TYPES = ["string", "integer", "number", "boolean", "object", "array", "null"];

const isNumber = (value: unknown) => typeof value === "number" && Number.isFinite(value);
const isCount = (value: unknown) => isNumber(value) && Number(value) >= 0;
const isStringValue = (value: unknown) => typeof value === "string";
const isSchema = (value: unknown) => typeof value === "boolean" || isObject(value);
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isStringValue);
const isSchemas = (value: unknown) => Array.isArray(value) && value.length > 0 && value.every(isSchema);
const isSchemaMap = (value: unknown) => isObject(value) && Object.values(value).every(isSchema);
const isType = (value: unknown) => typeof value === "string" && SCHEMA_TYPES.includes(value);

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
  $ref: isStringValue,
};

/** Keywords below which other schemas stand. */
const SUBSCHEMA_MAPS = ["properties", "patternProperties", "$defs", "definitions"];
const SUBSCHEMA_LISTS = ["prefixItems", "allOf", "anyOf", "oneOf", "items"];
const SUBSCHEMA_SINGLES = ["additionalProperties", "propertyNames", "contains", "not", "items"];

/** More parts of a schema than this are not looked at. */
const MAX_SUBSCHEMAS = 5_000;

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
function schemaProblem(root: unknown): string | undefined {
  if (!isSchema(root)) return "the schema is no object";
  const parts: { readonly at: string; readonly schema: unknown }[] = [{ at: "", schema: root }];
  for (let next = 0; next < parts.length && next < MAX_SUBSCHEMAS; next += 1) {
    const { at, schema } = parts[next] as (typeof parts)[number];
    for (const [key, value] of entriesOf(schema)) {
      const isRight = Object.hasOwn(KEYWORDS, key) ? KEYWORDS[key] : undefined;
      if (isRight?.(value) === false || (key === "$ref" && !resolves(root, value))) return `${at}${key}`;
    }
    for (const key of SUBSCHEMA_MAPS)
      for (const [name, below] of entriesOf(memberAt(schema, key)))
        parts.push({ at: `${at}${key}/${name}/`, schema: below });
    for (const key of SUBSCHEMA_LISTS)
      for (const [index, below] of arrayAt(schema, key).entries())
        parts.push({ at: `${at}${key}/${index}/`, schema: below });
    for (const key of SUBSCHEMA_SINGLES)
      if (isObject(memberAt(schema, key))) parts.push({ at: `${at}${key}/`, schema: memberAt(schema, key) });
  }
  return undefined;
}

/** Whether a reference inside the document leads somewhere. Others cannot be judged from here. */
function resolves(root: unknown, ref: unknown): boolean {
  if (typeof ref !== "string" || !ref.startsWith("#/")) return true;
  let at: unknown = root;
  for (const token of ref.slice(2).split("/", 200)) {
    const key = unescapeToken(decodeRefToken(token));
    at = Array.isArray(at) ? at[Number(key)] : memberAt(at, key);
    if (at === undefined) return false;
  }
  return true;
}

function decodeRefToken(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}
