import type { IncidentClass, IncidentRow, IncidentSample } from "./incidents.ts";

/** The columns of an incident, for the table `incident` as `i`. */
export const ROW_COLUMNS =
  "i.id, i.at, encode(i.fp, 'hex') as fp, i.reason, i.kind, i.tenant, i.caller, i.tool, i.upstream, i.upstream_incident, i.sample";

interface DatabaseRow {
  readonly id: string;
  readonly at: Date;
  readonly fp: string;
  readonly reason: string;
  readonly kind: string;
  readonly tenant: string | null;
  readonly caller: string | null;
  readonly tool: string | null;
  readonly upstream: string | null;
  readonly upstream_incident: string | null;
  readonly sample: IncidentSample | null;
}

/** An incident as the database gives it. */
export function rowOf(from: unknown): IncidentRow {
  const { at, fp, tenant, caller, tool, upstream, upstream_incident, sample, ...row } = from as DatabaseRow;
  return {
    ...row,
    at: at.toISOString(),
    fingerprint: fp,
    tenant: tenant ?? undefined,
    caller: caller ?? undefined,
    tool: tool ?? undefined,
    upstream: upstream ?? undefined,
    upstreamIncident: upstream_incident ?? undefined,
    sample: sample ?? undefined,
  };
}

/** The columns of a fingerprint, for the table `incident_class` as `c`. */
export const CLASS_COLUMNS =
  "encode(c.fp, 'hex') as fp, c.reason, c.kind, c.tool, c.upstream, c.message, c.first_seen, c.last_seen";

interface DatabaseClass {
  readonly fp: string;
  readonly reason: string;
  readonly kind: string;
  readonly tool: string | null;
  readonly upstream: string | null;
  readonly message: string;
  readonly first_seen: Date;
  readonly last_seen: Date;
  /** A bigint, which the driver gives as text. */
  readonly n: string;
}

/** A fingerprint as the database gives it. */
export function classOf(from: unknown): IncidentClass {
  const { fp, tool, upstream, first_seen, last_seen, n, ...row } = from as DatabaseClass;
  return {
    ...row,
    fingerprint: fp,
    tool: tool ?? undefined,
    upstream: upstream ?? undefined,
    firstSeen: first_seen.toISOString(),
    lastSeen: last_seen.toISOString(),
    count: Number(n),
  };
}
