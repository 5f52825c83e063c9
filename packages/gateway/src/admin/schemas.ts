// Schemas that several routes share, for parameters and for answers.

import { PRINTABLE } from "../config/control-characters.ts";
import { DIALECT_NAMES } from "../config/types.ts";
import type { Schema } from "./route.ts";

/** The most of a text that a caller of the API can send. */
const MAX_TEXT = 256;

/** A short text to search by, or a name. */
export function text(description: string, maxLength: number = MAX_TEXT): Schema {
  return { type: "string", minLength: 1, maxLength, pattern: PRINTABLE, description };
}

/** A text with one of some values. */
export function choice(values: readonly string[], description: string): Schema {
  return { type: "string", enum: values, description };
}

/** An id that the gateway made. */
export function id(description: string): Schema {
  return { type: "string", minLength: 26, maxLength: 26, pattern: "^[0-7][0-9A-HJKMNP-TV-Z]{25}$", description };
}

/** A time. */
export function time(description: string): Schema {
  return { type: "string", format: "date-time", maxLength: 40, description };
}

/** A whole number from 0 up. */
export function count(description: string): Schema {
  return { type: "integer", minimum: 0, description };
}

/** How many items a page has. */
export function limit(byDefault: number, maximum: number): Schema {
  return { type: "integer", minimum: 1, maximum, default: byDefault, description: "The most items of the answer." };
}

/** What incidents have in common: a digest in hex. */
export const FINGERPRINT: Schema = {
  type: "string",
  // Patterns are not tried on very long texts, so each has a length too.
  maxLength: 64,
  pattern: "^[0-9a-f]{8,64}$",
  description: "Incidents with the same fingerprint have the same cause, as far as can be told.",
};

/** An object without other members. */
export function object(properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", properties, required, additionalProperties: false };
}

/** A list of something. */
export function list(items: Schema, description?: string): Schema {
  return { type: "array", items, ...(description !== undefined && { description }) };
}

/** One page of a list. */
export function pageOf(items: Schema): Schema {
  return object({
    items: list(items),
    next: {
      type: ["string", "null"],
      description: "Send it as `before` to get the items after these; null where there are no more.",
    },
  });
}

const NAME: Schema = { type: "string" };
const TIME: Schema = { type: "string", format: "date-time" };

const SAMPLE: Schema = {
  ...object(
    {
      fault: {
        type: "object",
        description: "The fault as the caller got it.",
        properties: { kind: NAME, reason: NAME, message: NAME },
        required: ["kind", "reason"],
      },
      told: { type: "string", description: "The text that was sent, as the model read it." },
      causes: list(
        object(
          {
            relation: choice(["thrown", "cause", "member"], "`member`: of an AggregateError before it."),
            name: NAME,
            message: NAME,
            code: NAME,
            fields: { type: "object", description: "What well-known errors say besides.", additionalProperties: NAME },
            frames: list(NAME, "The top of the stack."),
          },
          ["relation", "code", "fields"],
        ),
        "What was thrown, its causes and their members, the thrown value first.",
      ),
      upstreamLog: {
        type: "string",
        description: "What an upstream over stdio wrote to standard error about its incident, with the stack.",
      },
      method: { type: "string", description: "The method of MCP." },
      durationMs: { type: "number" },
      code: { type: "integer", description: "The code that the caller got." },
    },
    ["told", "upstreamLog", "method", "durationMs", "code"],
  ),
  description: "What is kept for some incidents only: enough to understand what happened.",
};

const RATE: Schema = object({
  perSecond: { type: "number", description: "How fast calls come back." },
  burst: { type: "number", description: "How many calls may come at once." },
});

/** The schemas that have a name in the document. */
export const SCHEMAS = {
  Incident: object(
    {
      id: id("The id that the caller was told."),
      at: TIME,
      fingerprint: FINGERPRINT,
      reason: NAME,
      kind: NAME,
      tenant: NAME,
      caller: { type: "string", description: "The id of the caller: a JSON list of issuer, tenant and subject." },
      tool: NAME,
      upstream: NAME,
      upstreamIncident: {
        type: "string",
        description: "The id that the upstream gave to the failure. Its own log has it.",
      },
      sample: SAMPLE,
    },
    ["tenant", "caller", "tool", "upstream", "upstreamIncident", "sample"],
  ),
  IncidentClass: object(
    {
      fingerprint: FINGERPRINT,
      reason: NAME,
      kind: NAME,
      tool: NAME,
      upstream: NAME,
      message: NAME,
      firstSeen: TIME,
      lastSeen: TIME,
      count: count("How often it was seen in the time that was asked for."),
    },
    ["tool", "upstream"],
  ),
  IncidentRate: object({
    at: TIME,
    group: { type: "string", description: "The value that it is grouped by." },
    count: count("How many incidents there were."),
  }),
  Approval: object(
    {
      id: id("The id that the caller was told."),
      state: choice(["pending", "approved", "denied", "consumed", "expired"], "`consumed`: its call was made."),
      tenant: NAME,
      caller: NAME,
      tool: NAME,
      arguments: {
        type: "string",
        description: "The arguments of the call, as JSON text; empty where nobody decided before it expired.",
      },
      policy: { type: "string", description: "A digest of the rule that asked for the approval." },
      createdAt: TIME,
      expiresAt: TIME,
      decidedAt: TIME,
      decidedBy: { type: "string", description: "The id of the operator's key." },
    },
    ["decidedAt", "decidedBy"],
  ),
  Key: object(
    {
      source: choice(["database", "file"], "Keys of the file are changed in the file."),
      prefix: { type: "string", description: "What it is found and revoked by. Keys of the file have none." },
      id: NAME,
      tenant: NAME,
      tools: list(NAME, "Patterns of the tools that it may see."),
      scopes: list(NAME),
      entitlements: list(NAME),
      dialect: choice(DIALECT_NAMES, "The error format of this caller."),
      createdAt: TIME,
      expiresAt: TIME,
      revokedAt: TIME,
      state: choice(["good", "expired", "revoked"], "Whether it is accepted."),
    },
    ["prefix", "dialect", "createdAt", "expiresAt", "revokedAt"],
  ),
  Breaker: object(
    {
      upstream: NAME,
      tool: { type: "string", description: "The tool that is held back; missing for the upstream as a whole." },
      state: choice(["closed", "open", "half-open"], "`closed`: calls pass. `open`: they are refused."),
      afterMs: { type: "number", description: "Time to the next probe; missing while it is closed." },
      scope: choice(["shared", "local"], "`local`: this process counts for itself."),
    },
    ["tool", "afterMs"],
  ),
  Upstream: object(
    {
      upstream: NAME,
      listed: choice(
        ["never", "current", "kept"],
        "`never`: its tools were not read yet. `kept`: it is away, and its last list stays.",
      ),
      tools: count("How many tools it lists."),
      shadowed: list(NAME, "Names that are left out, since they belong to another upstream: the first hundred."),
      breaker: choice(["closed", "open", "half-open"], "The state of its breaker; missing where there is none."),
    },
    ["breaker"],
  ),
  Rate: RATE,
  AuditEntry: object({
    id: NAME,
    at: TIME,
    by: { type: "string", description: "The id of the operator's key." },
    action: { type: "string", description: "What was done, such as `approval.approve`." },
    target: { type: "string", description: "What it was done to." },
    facts: { type: "object", description: "What else is known. `outcome` says that it was not done, and why." },
  }),
  Problem: {
    type: "object",
    description: "A failure, as an RFC 9457 problem document. `fault` is all of it.",
    properties: {
      type: NAME,
      title: NAME,
      status: { type: "integer" },
      detail: NAME,
      instance: NAME,
      errors: list({ type: "object" }, "What is wrong with the request, by place."),
      fault: { type: "object" },
    },
    required: ["type", "title", "status", "detail", "fault"],
  },
} as const satisfies Record<string, Schema>;
