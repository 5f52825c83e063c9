// Schemas of what the console's first page shows: calls, counts over time, who is hit, what changed.

import { z } from "@hono/zod-openapi";
import {
  APPROVAL,
  DOWN_PART,
  INCIDENT_CLASS,
  LIMIT_RATE,
  NAME,
  note,
  SEVERITY,
  TIME,
  total,
  UPSTREAM_STATE,
} from "./schemas.ts";

/** The stretches of time that can be asked for, up to now. */
export const RANGES = ["15m", "1h", "24h", "7d", "30d"] as const;
export const RANGE = z.enum(RANGES).default("1h").describe("The period, up to now.");

/** How wide one count is: by minute for 15m and 1h, by hour for 24h and 7d, by day for 30d. */
const STEP = z.enum(["minute", "hour", "day"]).describe("The length of time that one count covers.");

/** Counts over time, dense: one for each step, the oldest first. */
const COUNTS = z.array(z.int().min(0)).describe("One count for each step, the oldest first; zeros included.");

export const SERIES = z
  .strictObject({
    since: TIME.describe("When the first step begins."),
    step: STEP,
    length: z.int().min(0).describe("How many steps there are."),
    groups: z
      .array(z.strictObject({ group: NAME, total: total("The sum."), counts: COUNTS }))
      .describe("The largest groups, the largest first."),
    other: z
      .strictObject({ groups: total("How many groups."), total: total("The sum."), counts: COUNTS })
      .describe("All other groups together."),
  })
  .openapi("Series");

/** How many calls there were, and what came of them. */
const CALL_TOTALS = z
  .strictObject({
    total: total("All calls."),
    byOutcome: z.strictObject({
      ok: total("Successes."),
      caller: total("Mistakes of callers."),
      refused: total("Refused by the gateway."),
      operator: total("Failures for the operator."),
    }),
    callers: total("How many callers there were; at most as many as the gateway distinguishes."),
    before: z
      .strictObject({ total: total("All calls."), operator: total("Failures for the operator.") })
      .describe("The period of the same length before this one."),
    upstreams: z
      .array(z.strictObject({ upstream: NAME, total: COUNTS, operator: COUNTS }))
      .describe("The five upstreams with the most failures for the operator, over time."),
  })
  .openapi("Calls");

export const CALL_RATES = z
  .strictObject({
    since: TIME.describe("When the first step begins."),
    step: STEP,
    length: z.int().min(0).describe("How many steps there are."),
    groups: z
      .array(
        z.strictObject({
          group: NAME,
          calls: total("All calls."),
          faults: total("Those that ended in a failure for the operator."),
          total: COUNTS,
          operator: COUNTS,
          p50Ms: z
            .number()
            .describe("Half of the calls took at most this long, not counting refused calls.")
            .optional(),
          p95Ms: z
            .number()
            .describe("95 % of the calls took at most this long, not counting refused calls.")
            .optional(),
        }),
      )
      .describe("The groups with the most calls, the largest first."),
    other: z
      .strictObject({
        groups: total("How many groups."),
        calls: total("All calls."),
        faults: total("Those that ended in a failure for the operator."),
      })
      .describe("All other groups together."),
  })
  .openapi("CallRates");

export const HIT = z
  .strictObject({ group: NAME, count: total("Incidents."), last: TIME.describe("The newest.") })
  .openapi("Hit");

export const HITS = z
  .strictObject({
    items: z.array(HIT),
    count: total("How many there are in all."),
    other: total("Incidents of those that are not listed."),
    of: z.int().describe("How many of the newest incidents were counted; missing if all were counted.").optional(),
  })
  .openapi("Hits");

export const LIMIT_REFUSAL = z
  .strictObject({
    caller: NAME.optional(),
    tenant: NAME.optional(),
    policy: note("The name of the limit, such as `key` or a pattern of tools."),
    rate: LIMIT_RATE.optional(),
    refused: total("How many calls were refused."),
    incidents: total("How many incidents the caller had.").optional(),
    calls: total("How many calls the caller made.").optional(),
    last: TIME.describe("When the newest was refused, to the minute."),
  })
  .openapi("LimitRefusal");

export const CHANGE_KINDS = ["operator", "config", "breaker", "store", "process"] as const;

export const CHANGE = z
  .strictObject({
    id: NAME,
    at: TIME,
    kind: z.enum(CHANGE_KINDS).describe("What changed, or whether a person changed something."),
    what: note("What happened, such as `opened`, `taken-over`, `away`, `started` or `approval.approve`."),
    target: note("What it happened to, such as an upstream or the name of a part."),
    by: note("The id of the operator's key.").optional(),
    replica: note("The process that noticed it.").optional(),
    facts: z.looseObject({}).describe("What else is known."),
  })
  .openapi("Change");

export const REPLICA = z
  .strictObject({
    id: NAME,
    version: NAME,
    startedAt: TIME,
    seenAt: TIME,
    parts: z.record(NAME, z.enum(["works", "away", "off"])),
  })
  .openapi("Replica");

/** What the library knows about a reason. */
export const EXPLANATION = z
  .strictObject({
    reason: NAME,
    kind: NAME,
    class: note("Whose failure it is: `caller`, `operator`, `upstream` or another."),
    title: NAME,
    meaning: note("What it means, as a sentence."),
    actor: note("Who has to act first."),
    severity: SEVERITY,
    causes: z.array(NAME),
    remedies: z.array(NAME).describe("What to do; the first is for the person who has to act."),
    docs: note("Its page in the documentation.").optional(),
  })
  .openapi("Explanation");

/** Something that was found by what was typed. */
export const FOUND = z
  .strictObject({
    type: z.enum(["incident", "approval", "cause", "tool", "reason", "caller", "upstream"]),
    id: NAME,
    label: NAME,
  })
  .openapi("Found");

export const ME = z
  .strictObject({
    id: NAME,
    role: z.enum(["viewer", "approver", "admin"]),
    via: z.enum(["key", "session"]).describe("How the request was authenticated."),
    endsAt: TIME.describe("When the session ends at the latest.").optional(),
    name: note("The name of the gateway."),
    version: NAME,
    cells: z
      .array(z.strictObject({ name: NAME, url: note("The address of its console.") }))
      .describe("Other gateways with stores of their own, from `admin.console.cells`.")
      .optional(),
  })
  .openapi("Me");

const WORKS = z
  .enum(["works", "away", "off"])
  .describe("`away`: it cannot be used at the moment. `off`: the file has none.");

export const HEALTH = z
  .strictObject({
    status: z.enum(["ok", "degraded"]).describe("`degraded`: a part is down, or an upstream has no current list."),
    name: z.string(),
    version: z.string(),
    startedAt: TIME.describe("When this process started."),
    requests: total("Requests that this process has answered since then."),
    failures: total("How many of them were answered with a fault."),
    store: z.enum(["memory", "shared"]).describe("Where the gateway keeps data that outlives a call."),
    parts: z.strictObject({ database: WORKS, limits: WORKS, approvals: WORKS, breakers: WORKS, incidents: WORKS }),
    why: z.array(DOWN_PART).describe("What does not work for this process, and since when: the first hundred."),
    incidents: z.strictObject({
      waiting: total("How many are waiting to be written."),
      dropped: total("How many could not be kept since the start."),
    }),
  })
  .openapi("Health");

/** A part of an answer that can be away while the others are there. */
const part = <T extends z.ZodType>(value: T) =>
  z.union([
    z.strictObject({ asOf: TIME, value }),
    z.strictObject({ asOf: TIME, fault: z.looseObject({ kind: NAME, reason: NAME, message: NAME }) }),
  ]);

/** All that the first page of the console shows. */
export const OVERVIEW = z
  .strictObject({
    asOf: TIME,
    since: TIME,
    step: STEP,
    health: part(HEALTH),
    calls: part(CALL_TOTALS),
    series: part(SERIES),
    classes: part(
      z.strictObject({
        items: z
          .array(
            z.strictObject({
              ...INCIDENT_CLASS.shape,
              callers: total("How many callers it affected, in its newest 1,000 incidents.").optional(),
            }),
          )
          .max(6),
        incidents: total("All incidents of the period."),
        classes: total("How many causes."),
        last: INCIDENT_CLASS.describe("The cause that was seen last, whatever the period.").optional(),
      }),
    ),
    hits: part(
      z.strictObject({
        tenants: z.array(HIT).max(4),
        callers: z.array(HIT).max(4),
        tenantCount: total("How many tenants are affected."),
        callerCount: total("How many callers are affected."),
      }),
    ),
    upstreams: part(z.array(UPSTREAM_STATE)),
    approvals: part(z.strictObject({ pending: total("How many wait."), items: z.array(APPROVAL).max(5) })),
    refusals: part(z.array(LIMIT_REFUSAL).max(5)),
    changes: part(z.array(CHANGE).max(8)),
  })
  .openapi("Overview");
