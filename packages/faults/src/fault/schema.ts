import { ID } from "@recourse/wire";
import type { SentFault } from "./amend.ts";
import {
  AUTHORS,
  BACKOFFS,
  BASES,
  FAULT_LIMITS,
  ISSUE_CODES,
  ISSUE_RULES,
  type Issue,
  LAYERS,
  type Limit,
  type Origin,
  PATTERNS,
  type Quote,
  type Recourse,
  type RetryAdvice,
  STOPS,
  type Tried,
} from "./fault.ts";
import { REQUEST_ID, TRACEPARENT } from "./ids.ts";
import { CLASSES, EFFECTS, KINDS, MOVES } from "./kinds.ts";

type FaultSchemaNode = Readonly<Record<string, unknown>>;
type RequiredKeys<T> = { [K in keyof T]-?: undefined extends T[K] ? never : K }[keyof T];

/** The schema of an object type. The compiler checks that it has the members of the type. */
interface ObjectSchema<T> {
  readonly type: "object";
  readonly properties: { readonly [K in keyof Required<T>]: FaultSchemaNode };
  readonly required: { readonly [K in RequiredKeys<T>]: true };
}

function objectSchema<T>(schema: ObjectSchema<T>): FaultSchemaNode {
  return { type: schema.type, properties: schema.properties, required: Object.keys(schema.required) };
}

const textSchema = (maxLength: number): FaultSchemaNode => ({ type: "string", maxLength });
const countSchema: FaultSchemaNode = { type: "integer", minimum: 0 };
const choiceSchema = (of: readonly string[]): FaultSchemaNode => ({ enum: of });
const listSchema = (items: FaultSchemaNode, maxItems: number): FaultSchemaNode => ({ type: "array", items, maxItems });
const scalarSchema: FaultSchemaNode = { type: ["string", "number", "boolean", "null"] };

const quoteSchema = objectSchema<Quote>({
  type: "object",
  properties: { text: textSchema(FAULT_LIMITS.quote), from: choiceSchema(AUTHORS) },
  required: { text: true, from: true },
});

const recourseSchema = objectSchema<Recourse>({
  type: "object",
  properties: {
    do: choiceSchema(MOVES),
    afterMs: countSchema,
    fields: listSchema(textSchema(FAULT_LIMITS.pointer), FAULT_LIMITS.fields),
    candidates: listSchema(textSchema(FAULT_LIMITS.name), FAULT_LIMITS.candidates),
    tool: textSchema(FAULT_LIMITS.name),
    approval: textSchema(FAULT_LIMITS.name),
    link: textSchema(FAULT_LIMITS.link),
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
    pointer: textSchema(FAULT_LIMITS.pointer),
    rule: choiceSchema(ISSUE_RULES),
    expected: textSchema(FAULT_LIMITS.issueText),
    message: textSchema(FAULT_LIMITS.issueMessage),
    suggestion: textSchema(FAULT_LIMITS.issueText),
    code: choiceSchema(ISSUE_CODES),
    keys: { type: "array", items: textSchema(FAULT_LIMITS.issueKey), minItems: 1, maxItems: FAULT_LIMITS.issueKeys },
  },
  required: { pointer: true, rule: true },
});

const limitSchema = objectSchema<Limit>({
  type: "object",
  properties: {
    policy: textSchema(FAULT_LIMITS.name),
    unit: textSchema(FAULT_LIMITS.name),
    quota: countSchema,
    remaining: countSchema,
    windowMs: countSchema,
    resetMs: countSchema,
    scope: textSchema(FAULT_LIMITS.name),
  },
  required: {},
});

const originSchema = objectSchema<Origin>({
  type: "object",
  properties: { layer: choiceSchema(LAYERS), name: textSchema(FAULT_LIMITS.name) },
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

const bodySchema = objectSchema<SentFault>({
  type: "object",
  properties: {
    v: { const: 1 },
    // Readers accept kinds that they do not know and act on the class.
    kind: { type: "string", pattern: PATTERNS.kind, examples: Object.keys(KINDS) },
    class: choiceSchema(CLASSES),
    reason: { type: "string", pattern: PATTERNS.reasonId },
    message: { type: "string", minLength: 1, maxLength: FAULT_LIMITS.message },
    params: {
      type: "object",
      maxProperties: FAULT_LIMITS.params,
      propertyNames: { pattern: PATTERNS.param },
      additionalProperties: { anyOf: [scalarSchema, listSchema(scalarSchema, FAULT_LIMITS.list)] },
    },
    quote: quoteSchema,
    recourse: { type: "array", items: recourseSchema, minItems: 1, maxItems: FAULT_LIMITS.recourse },
    effect: choiceSchema(EFFECTS),
    retry: retrySchema,
    issues: listSchema(issueSchema, FAULT_LIMITS.issues),
    limits: listSchema(limitSchema, FAULT_LIMITS.limits),
    origin: originSchema,
    basis: choiceSchema(BASES),
    tried: triedSchema,
    incident: { type: "string", pattern: ID.source },
    requestId: { type: "string", pattern: REQUEST_ID.source },
    at: { type: "string" },
    trace: { type: "string", pattern: TRACEPARENT.source },
    docs: textSchema(FAULT_LIMITS.link),
    cause: { $ref: "#" },
  },
  required: {
    v: true,
    kind: true,
    class: true,
    reason: true,
    message: true,
    effect: true,
    origin: true,
    basis: true,
  },
});

/** The JSON Schema (2020-12) of a fault, read or on a wire. The package publishes it as `schema/fault.json`. */
export const faultSchema: FaultSchemaNode = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Recourse fault, version 1",
  ...bodySchema,
};
