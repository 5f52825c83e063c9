// The answers of the API for operators, as its schemas state them. Types only: nothing of the gateway is in the page.
import type { z } from "@hono/zod-openapi";
import type * as more from "../../../gateway/src/admin/overview-schemas.ts";
import type * as shared from "../../../gateway/src/admin/schemas.ts";

export type Incident = z.output<typeof shared.INCIDENT>;
export type IncidentClass = z.output<typeof shared.INCIDENT_CLASS>;
export type Approval = z.output<typeof shared.APPROVAL>;
export type ApiKey = z.output<typeof shared.API_KEY>;
export type Breaker = z.output<typeof shared.BREAKER_VIEW>;
export type Upstream = z.output<typeof shared.UPSTREAM_STATE>;
export type Rate = z.output<typeof shared.LIMIT_RATE>;
export type Effect = z.output<typeof shared.EFFECT>;
export type CallStep = z.output<typeof shared.CALL_STEP>;
export type Overview = z.output<typeof more.OVERVIEW>;
export type Health = z.output<typeof more.HEALTH>;
export type Series = z.output<typeof more.SERIES>;
export type CallRates = z.output<typeof more.CALL_RATES>;
export type Hit = z.output<typeof more.HIT>;
export type Hits = z.output<typeof more.HITS>;
export type LimitRefusal = z.output<typeof more.LIMIT_REFUSAL>;
export type Change = z.output<typeof more.CHANGE>;
export type Replica = z.output<typeof more.REPLICA>;
export type Explanation = z.output<typeof more.EXPLANATION>;
export type Found = z.output<typeof more.FOUND>;
export type Me = z.output<typeof more.ME>;
export type Range = (typeof more.RANGES)[number];

/** A page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}

/** The limits in force. */
export interface Limits {
  readonly mode: "leased" | "exact";
  readonly isAway: boolean;
  readonly away: "closed" | "open" | "local";
  readonly address?: Rate;
  readonly key?: Rate;
  readonly tenant?: Rate;
  readonly cost?: Rate;
  readonly tools: readonly { readonly pattern: string; readonly rate: Rate }[];
}
