import type { Fault, Issue, Limit, Origin, Quote, Recourse, RetryWord, Tried } from "./fault.ts";
import { AUTHORS, BACKOFFS, BASES, LAYERS, MAX, RULES, STOPS } from "./fault.ts";
import { CLASSES, EFFECTS, KINDS, MOVES } from "./kinds.ts";

type Schema = Readonly<Record<string, unknown>>;
type RequiredKeys<T> = { [K in keyof T]-?: undefined extends T[K] ? never : K }[keyof T];

/** A schema of an object type: the compiler holds its members, and those required, equal to the type's. */
interface ObjectSchema<T> {
  readonly type: "object";
  readonly properties: { readonly [K in keyof Required<T>]: Schema };
  readonly required: { readonly [K in RequiredKeys<T>]: true };
}

function object<T>(schema: ObjectSchema<T>): Schema {
  return { type: schema.type, properties: schema.properties, required: Object.keys(schema.required) };
}

const text = (maxLength: number): Schema => ({ type: "string", maxLength });
const count: Schema = { type: "integer", minimum: 0 };
const choice = (of: readonly string[]): Schema => ({ enum: of });
const listOf = (items: Schema, maxItems: number): Schema => ({ type: "array", items, maxItems });
const scalar: Schema = { type: ["string", "number", "boolean", "null"] };

const quote = object<Quote>({
  type: "object",
  properties: { text: text(MAX.quote), from: choice(AUTHORS) },
  required: { text: true, from: true },
});

const recourse = object<Recourse>({
  type: "object",
  properties: {
    do: choice(MOVES),
    afterMs: count,
    fields: listOf(text(MAX.pointer), MAX.fields),
    candidates: listOf(text(MAX.name), MAX.candidates),
    tool: text(MAX.name),
    approval: text(MAX.name),
    link: text(MAX.link),
  },
  required: { do: true },
});

const retry = object<RetryWord>({
  type: "object",
  properties: {
    allowed: { type: "boolean" },
    afterMs: count,
    maxAttempts: count,
    backoff: choice(BACKOFFS),
    jitter: { type: "number", minimum: 0, exclusiveMaximum: 1 },
  },
  required: { allowed: true },
});

const issue = object<Issue>({
  type: "object",
  properties: {
    pointer: text(MAX.pointer),
    rule: choice(RULES),
    expected: text(MAX.issueText),
    suggestion: text(MAX.issueText),
  },
  required: { pointer: true, rule: true },
});

const limit = object<Limit>({
  type: "object",
  properties: {
    policy: text(MAX.name),
    unit: text(MAX.name),
    quota: count,
    remaining: count,
    windowMs: count,
    resetMs: count,
    scope: text(MAX.name),
  },
  required: {},
});

const origin = object<Origin>({
  type: "object",
  properties: { layer: choice(LAYERS), name: text(MAX.name) },
  required: { layer: true },
});

const tried = object<Tried>({
  type: "object",
  properties: { attempts: count, elapsedMs: count, stopped: choice(STOPS) },
  required: { attempts: true, elapsedMs: true, stopped: true },
});

const fault = object<Fault>({
  type: "object",
  properties: {
    v: { const: 1 },
    // A reader must take kinds that it does not know; the class tells it what to do.
    kind: { type: "string", pattern: "^[a-z][a-z_]{1,39}$", examples: Object.keys(KINDS) },
    class: choice(CLASSES),
    reason: { type: "string", pattern: "^[a-z][a-z0-9_]{0,39}/[a-z][a-z0-9_]{0,59}$" },
    message: { type: "string", minLength: 1, maxLength: MAX.message },
    params: {
      type: "object",
      maxProperties: MAX.params,
      propertyNames: { pattern: "^[A-Za-z][A-Za-z0-9_]{0,39}$" },
      additionalProperties: { anyOf: [scalar, listOf(scalar, MAX.list)] },
    },
    quote,
    recourse: { type: "array", items: recourse, minItems: 1, maxItems: MAX.recourse },
    effect: choice(EFFECTS),
    retry,
    issues: listOf(issue, MAX.issues),
    limits: listOf(limit, MAX.limits),
    origin,
    basis: choice(BASES),
    tried,
    incident: { type: "string", pattern: "^[0-7][0-9A-HJKMNP-TV-Z]{25}$" },
    at: { type: "string" },
    trace: { type: "string", pattern: "^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$" },
    docs: text(MAX.link),
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

/** JSON Schema (2020-12) of a fault, published with the package as `schema/fault.json`. */
export const faultSchema: Schema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Recourse fault, version 1",
  ...fault,
};
