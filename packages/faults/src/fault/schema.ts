import { ID } from "../json/id-form.ts";
import type { Fault, Issue, Limit, Origin, Quote, Recourse, RetryAdvice, Tried } from "./fault.ts";
import { AUTHORS, BACKOFFS, BASES, ISSUE_CODES, ISSUE_RULES, LAYERS, MAX, STOPS } from "./fault.ts";
import { PATTERNS } from "./grammar.ts";
import { CLASSES, EFFECTS, KINDS, MOVES } from "./kinds.ts";
import { REQUEST_ID } from "./request-id.ts";
import { TRACEPARENT } from "./stamp.ts";

type Schema = Readonly<Record<string, unknown>>;
type RequiredKeys<T> = { [K in keyof T]-?: undefined extends T[K] ? never : K }[keyof T];

/** The schema of an object type. The compiler checks that it has the members of the type. */
interface ObjectSchema<T> {
  readonly type: "object";
  readonly properties: { readonly [K in keyof Required<T>]: Schema };
  readonly required: { readonly [K in RequiredKeys<T>]: true };
}

function objectSchema<T>(schema: ObjectSchema<T>): Schema {
  return { type: schema.type, properties: schema.properties, required: Object.keys(schema.required) };
}

const textSchema = (maxLength: number): Schema => ({ type: "string", maxLength });
const countSchema: Schema = { type: "integer", minimum: 0 };
const choiceSchema = (of: readonly string[]): Schema => ({ enum: of });
const listSchema = (items: Schema, maxItems: number): Schema => ({ type: "array", items, maxItems });
const scalarSchema: Schema = { type: ["string", "number", "boolean", "null"] };

const quoteSchema = objectSchema<Quote>({
  type: "object",
  properties: { text: textSchema(MAX.quote), from: choiceSchema(AUTHORS) },
  required: { text: true, from: true },
});

const recourseSchema = objectSchema<Recourse>({
  type: "object",
  properties: {
    do: choiceSchema(MOVES),
    afterMs: countSchema,
    fields: listSchema(textSchema(MAX.pointer), MAX.fields),
    candidates: listSchema(textSchema(MAX.name), MAX.candidates),
    tool: textSchema(MAX.name),
    approval: textSchema(MAX.name),
    link: textSchema(MAX.link),
  },
  required: { do: true },
});

const retrySchema = objectSchema<RetryAdvice>({
  type: "object",
  properties: {
    allowed: { type: "boolean" },
    afterMs: countSchema,
    maxAttempts: countSchema,
    backoff: choiceSchema(BACKOFFS),
    jitter: { type: "number", minimum: 0, exclusiveMaximum: 1 },
  },
  required: { allowed: true },
});

const issueSchema = objectSchema<Issue>({
  type: "object",
  properties: {
    pointer: textSchema(MAX.pointer),
    rule: choiceSchema(ISSUE_RULES),
    expected: textSchema(MAX.issueText),
    suggestion: textSchema(MAX.issueText),
    code: choiceSchema(ISSUE_CODES),
    keys: { type: "array", items: textSchema(MAX.issueKey), minItems: 1, maxItems: MAX.issueKeys },
  },
  required: { pointer: true, rule: true },
});

const limitSchema = objectSchema<Limit>({
  type: "object",
  properties: {
    policy: textSchema(MAX.name),
    unit: textSchema(MAX.name),
    quota: countSchema,
    remaining: countSchema,
    windowMs: countSchema,
    resetMs: countSchema,
    scope: textSchema(MAX.name),
  },
  required: {},
});

const originSchema = objectSchema<Origin>({
  type: "object",
  properties: { layer: choiceSchema(LAYERS), name: textSchema(MAX.name) },
  required: { layer: true },
});

const triedSchema = objectSchema<Tried>({
  type: "object",
  properties: {
    attempts: countSchema,
    elapsedMs: countSchema,
    stopped: choiceSchema(STOPS),
    equalFailures: countSchema,
  },
  required: { attempts: true, elapsedMs: true, stopped: true },
});

const bodySchema = objectSchema<Fault>({
  type: "object",
  properties: {
    v: { const: 1 },
    // Readers accept kinds that they do not know and act on the class.
    kind: { type: "string", pattern: PATTERNS.kind, examples: Object.keys(KINDS) },
    class: choiceSchema(CLASSES),
    reason: { type: "string", pattern: PATTERNS.reasonId },
    message: { type: "string", minLength: 1, maxLength: MAX.message },
    params: {
      type: "object",
      maxProperties: MAX.params,
      propertyNames: { pattern: PATTERNS.param },
      additionalProperties: { anyOf: [scalarSchema, listSchema(scalarSchema, MAX.list)] },
    },
    quote: quoteSchema,
    recourse: { type: "array", items: recourseSchema, minItems: 1, maxItems: MAX.recourse },
    effect: choiceSchema(EFFECTS),
    retry: retrySchema,
    issues: listSchema(issueSchema, MAX.issues),
    limits: listSchema(limitSchema, MAX.limits),
    origin: originSchema,
    basis: choiceSchema(BASES),
    tried: triedSchema,
    incident: { type: "string", pattern: ID.source },
    requestId: { type: "string", pattern: REQUEST_ID.source },
    at: { type: "string" },
    trace: { type: "string", pattern: TRACEPARENT.source },
    docs: textSchema(MAX.link),
    cause: { $ref: "#" },
  },
  required: {
    v: true,
    kind: true,
    class: true,
    reason: true,
    message: true,
    recourse: true,
    effect: true,
    origin: true,
    basis: true,
  },
});

/** The JSON Schema (2020-12) of a fault. The package publishes it as `schema/fault.json`. */
export const faultSchema: Schema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Recourse fault, version 1",
  ...bodySchema,
};
