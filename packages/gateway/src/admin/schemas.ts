// Schemas that several routes share, for parameters and for answers.

import { z } from "@hono/zod-openapi";
import { CALL_STEPS } from "../call/call.ts";
import { PRINTABLE } from "../config/control-characters.ts";
import { DIALECT_NAMES } from "../config/types.ts";

/** The most of a text that a caller of the API can send. */
const MAX_TEXT = 256;
/** Times that PostgreSQL and JavaScript write alike. */
const LAST_TIME = Date.UTC(9999, 11, 31);

/** A short text to search by, or a name. PostgreSQL cannot keep a half of a character, such as `\ud800` alone. */
export const searchText = (description: string, maxLength: number = MAX_TEXT) =>
  z
    .string()
    .min(1)
    .max(maxLength)
    .regex(PRINTABLE)
    .refine((text) => text.isWellFormed(), "whole characters")
    .describe(description);

/** An id that the gateway made. */
export const ownId = (description: string) =>
  z
    .string()
    .length(26)
    .regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
    .describe(description);

/** A time, which is read as ISO 8601 in UTC. */
export const instant = (description: string) =>
  z.iso
    .datetime({ offset: true })
    .max(40)
    .refine(isKeepable, "a date-time from 1970 to 9999")
    .transform((text) => new Date(text).toISOString())
    .describe(description);

function isKeepable(text: string): boolean {
  const ms = Date.parse(text);
  return ms >= 0 && ms < LAST_TIME;
}

/** How many items a page has. */
export const pageLimit = (byDefault: number, maximum: number) =>
  z
    .preprocess(readWholeNumber, z.int().min(1).max(maximum).default(byDefault))
    .describe("The maximum number of items.");

/** Parameters are texts; those of whole numbers become numbers. */
export function readWholeNumber(value: unknown): unknown {
  return typeof value === "string" && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
}

/** A whole number from 0 up. */
export const total = (description: string) => z.int().min(0).describe(description);

/** What incidents have in common: a digest in hex. */
export const FINGERPRINT = z
  .string()
  .max(64)
  .regex(/^[0-9a-f]{8,64}$/)
  .describe("Incidents with the same fingerprint have the same cause, as far as the gateway can tell.");

export const pageOf = (items: z.ZodObject) =>
  z.strictObject({
    items: z.array(items),
    next: z.string().nullable().describe("Send it as `before` to get the next page; null if there are no more items."),
  });

export const NAME = z.string();
export const TIME = z.iso.datetime({ offset: true });
/** A text that is explained. */
export const note = (description: string) => z.string().describe(description);

export const EFFECT = z
  .enum(["none", "possible", "applied"])
  .describe("`none`: nothing was done. `possible`: the call may have taken effect. `applied`: it did.");

export const SEVERITY = z.enum(["info", "warning", "error", "critical"]);

/** The steps of a call through the gateway, as operators see them. */
export const CALL_STEP = z.enum(CALL_STEPS);

export const TRACE_ID = z
  .string()
  .length(32)
  .regex(/^[0-9a-f]{32}$/)
  .describe("Only incidents of this trace, by its id.");

const SAMPLE = z
  .strictObject({
    fault: z
      .looseObject({ kind: NAME, reason: NAME, message: NAME.optional() })
      .describe("The fault as the caller got it."),
    sentText: note("The text that was sent, as the model read it.").optional(),
    causes: z
      .array(
        z.strictObject({
          relation: z
            .enum(["thrown", "cause", "member"])
            .describe("`member`: of an AggregateError before it.")
            .optional(),
          name: NAME,
          message: NAME,
          code: NAME.optional(),
          fields: z.record(NAME, NAME).describe("Additional fields of well-known errors.").optional(),
          frames: z.array(NAME).describe("The top of the stack."),
        }),
      )
      .describe("The thrown value, then its causes and their members."),
    upstreamLog: note(
      "What an upstream over stdio wrote to standard error about its incident, with the stack.",
    ).optional(),
    method: note("The method of MCP.").optional(),
    durationMs: z.number().optional(),
    code: z.int().describe("The code that the caller got.").optional(),
    endedAt: CALL_STEP.describe("The step in which the call ended.").optional(),
    steps: z
      .array(z.strictObject({ step: CALL_STEP, ms: z.number().min(0) }))
      .describe("The steps that the call passed, in order, with the time that each took.")
      .optional(),
    replica: note("The process that answered.").optional(),
    sent: z
      .enum(["nothing", "part", "all"])
      .describe("How much of the request had left the gateway for its upstream.")
      .optional(),
    keyed: z.boolean().describe("Whether the call had an idempotency key.").optional(),
    client: z
      .strictObject({ name: NAME, version: NAME.optional() })
      .describe("The MCP client, as it named itself.")
      .optional(),
    protocol: note("The revision of MCP that the caller used.").optional(),
  })
  .describe("Details that are kept only for some incidents: enough to understand what happened.");

export const INCIDENT = z
  .strictObject({
    id: ownId("The id that the caller got."),
    at: TIME,
    fingerprint: FINGERPRINT,
    reason: NAME,
    kind: NAME,
    tenant: NAME.optional(),
    caller: note("The id of the caller: a JSON list of issuer, tenant and subject.").optional(),
    tool: NAME.optional(),
    upstream: NAME.optional(),
    upstreamIncident: note("The id that the upstream gave to the failure. Its own log has it.").optional(),
    effect: EFFECT.optional(),
    trace: note("The id of the trace that the call belongs to: 32 hex digits.").optional(),
    sample: SAMPLE.optional(),
    othersAt: z
      .array(TIME)
      .describe("When other incidents had the same id: an upstream used it more than once. This is the first.")
      .optional(),
  })
  .openapi("Incident");

export const INCIDENT_CLASS = z
  .strictObject({
    fingerprint: FINGERPRINT,
    reason: NAME,
    kind: NAME,
    tool: NAME.optional(),
    upstream: NAME.optional(),
    message: NAME,
    title: note("The reason in a few words."),
    severity: SEVERITY,
    effect: EFFECT.describe("The worst effect that was seen.").optional(),
    sampleId: ownId("The newest incident of this cause that has a sample.").optional(),
    firstSeen: TIME,
    lastSeen: TIME,
    count: total("How often it was seen in the requested period."),
  })
  .openapi("IncidentClass");

export const APPROVAL = z
  .strictObject({
    id: ownId("The id that the caller got."),
    state: z.enum(["pending", "approved", "denied", "consumed", "expired"]).describe("`consumed`: its call was made."),
    tenant: NAME,
    caller: NAME,
    tool: NAME,
    arguments: note("The arguments of the call, as JSON text; empty if no one decided before it expired."),
    policy: note("A digest of the rule that asked for the approval."),
    createdAt: TIME,
    expiresAt: TIME,
    decidedAt: TIME.optional(),
    decidedBy: note("The id of the operator's key.").optional(),
    decision: z
      .enum(["approved", "denied"])
      .describe("What was decided. It stays when the approval is used or expires.")
      .optional(),
    note: note("The reason for the decision, as the operator wrote it.").optional(),
    upstream: NAME.describe("The upstream that has the tool.").optional(),
    title: note("The title of the tool, as its upstream states it.").optional(),
    description: note("The description of the tool, as its upstream states it.").optional(),
  })
  .openapi("Approval");

export const API_KEY = z
  .strictObject({
    source: z.enum(["database", "file"]).describe("Keys of the file are changed in the file."),
    prefix: note("The prefix by which you find and revoke the key. Keys of the file have none.").optional(),
    id: NAME,
    tenant: NAME,
    tools: z.array(NAME).describe("Patterns of the tools that it may see."),
    scopes: z.array(NAME),
    entitlements: z.array(NAME),
    dialect: z.enum(DIALECT_NAMES).describe("The error format of this caller.").optional(),
    createdAt: TIME.optional(),
    createdBy: note("The operator who created it; missing if the command line did.").optional(),
    lastUsedAt: TIME.describe("When it was last accepted, to the hour.").optional(),
    expiresAt: TIME.optional(),
    revokedAt: TIME.optional(),
    state: z.enum(["good", "expired", "revoked"]).describe("Whether it is accepted."),
  })
  .openapi("Key");

const BREAKER_STATE = z.enum(["closed", "open", "half-open"]);

export const BREAKER_VIEW = z
  .strictObject({
    upstream: NAME,
    tool: note("The tool whose breaker it is; missing for the upstream as a whole.").optional(),
    state: BREAKER_STATE.describe("`closed`: calls pass. `open`: they are refused."),
    afterMs: z.number().describe("Time to the next probe; missing while it is closed.").optional(),
    scope: z.enum(["shared", "local"]).describe("`local`: this process counts for itself."),
    changedAt: TIME.describe("When it last changed; missing if it never did since the start.").optional(),
    failures: total("How many failures in a row were counted for it.").optional(),
    pauseMs: z.number().describe("Length of the current pause.").optional(),
    lastIncident: ownId("The newest incident of what it watches.").optional(),
  })
  .openapi("Breaker");

/** An upstream and what is known about it. */
export const UPSTREAM_STATE = z
  .strictObject({
    upstream: NAME,
    listed: z
      .enum(["never", "current", "kept"])
      .describe("`never`: its tools have not been read yet. `kept`: it is down, and its last list stays."),
    tools: total("How many tools it lists."),
    shadowed: z
      .array(NAME)
      .describe("Names that are left out, since they belong to another upstream: the first hundred."),
    breaker: BREAKER_STATE.describe("The state of its breaker; missing if it has none.").optional(),
    breakerSince: TIME.describe("When its breaker last changed; missing if it never did since the start.").optional(),
    requests: total("Requests that this process sent to it since the start, and those that it refused for it."),
    failures: total("How many of them were answered with a fault."),
    lastFailure: z
      .strictObject({ at: TIME, reason: NAME, incident: ownId("The id of the incident.") })
      .describe("The last failure with an incident. Mistakes of callers have none.")
      .optional(),
    downSince: TIME.describe("Since when it cannot be reached or listed; missing if it can.").optional(),
    kind: z.enum(["http", "stdio", "openapi"]).describe("How it is reached."),
    host: note("Its host and port, or its command without arguments.").optional(),
    era: note("The revision of MCP that it speaks.").optional(),
    why: note("Why it is down, without secrets.").optional(),
    listedAt: TIME.describe("When its lists were last read.").optional(),
    afterMs: z.number().describe("Time to the next probe of its breaker; missing while it is closed.").optional(),
    recent: z
      .strictObject({ calls: total("Calls."), faults: total("Those that ended in a fault for the operator.") })
      .describe("The last five minutes, of all processes.")
      .optional(),
    p95Ms: z.number().describe("95 % of its calls in the last hour took at most this long.").optional(),
    heldTools: z
      .array(
        z.strictObject({
          tool: note("Its name at the upstream, as in `/breakers`."),
          name: note("The name that callers use.").optional(),
          state: BREAKER_STATE,
          afterMs: z.number().describe("Time to its next probe.").optional(),
        }),
      )
      .describe("Its tools whose own breakers are not closed: the first twenty. Missing if there are none.")
      .optional(),
  })
  .openapi("Upstream");

export const DOWN_PART = z
  .strictObject({
    part: note("The part, such as `incidents` or `upstream shop`."),
    since: TIME,
    text: note("What callers get meanwhile, as a sentence."),
  })
  .openapi("DownPart");

export const LIMIT_RATE = z
  .strictObject({
    perSecond: z.number().describe("How many calls are added per second."),
    burst: z.number().describe("How many calls may come at once."),
  })
  .openapi("Rate");

export const AUDIT_ENTRY = z
  .strictObject({
    id: NAME,
    at: TIME,
    by: note("The id of the operator's key."),
    action: note("What was done, such as `approval.approve`."),
    target: note("What it was done to."),
    facts: z.looseObject({}).describe("What else is known. `outcome` says that it was not done, and why."),
  })
  .openapi("AuditEntry");

export const PROBLEM_DOCUMENT = z
  .looseObject({
    type: NAME,
    title: NAME,
    status: z.int(),
    detail: NAME,
    instance: NAME.optional(),
    errors: z.array(z.looseObject({})).describe("What is wrong with the request, by place.").optional(),
    fault: z.looseObject({}),
  })
  .describe("A failure, as an RFC 9457 problem document. `fault` is the whole fault.")
  .openapi("Problem");
