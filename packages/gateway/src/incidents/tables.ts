import { migrate } from "../stores/migrate.ts";

/** What each version adds, in order. Entries are never changed. */
const VERSIONS = [
  `create table incident_class (
    fp bytea primary key,
    reason text not null,
    kind text not null,
    tool text,
    upstream text,
    message text not null,
    caller text,
    first_seen timestamptz not null,
    last_seen timestamptz not null
  ) with (fillfactor = 70);
  create table incident_count (
    width smallint not null,
    bucket timestamptz not null,
    fp bytea not null,
    n bigint not null,
    primary key (width, bucket, fp)
  ) partition by list (width);
  create table incident_minute partition of incident_count for values in (1) with (fillfactor = 70);
  create table incident_hour partition of incident_count for values in (60) with (fillfactor = 70);
  create table incident_day partition of incident_count for values in (1440) with (fillfactor = 70);
  create index incident_count_fp on incident_count (fp, width, bucket);
  create table incident (
    id text not null,
    at timestamptz not null,
    fp bytea not null,
    reason text not null,
    kind text not null,
    tenant text,
    caller text,
    tool text,
    upstream text,
    sample jsonb
  ) partition by range (at);
  create index incident_id on incident (id);
  create index incident_at on incident (at, id);
  create index incident_fp on incident (fp, at);
  create index incident_tenant on incident (tenant, at);
  create index incident_caller on incident (caller, at) where caller is not null;
  create table incident_ingest (
    replica text primary key,
    seq bigint not null,
    at timestamptz not null default clock_timestamp()
  ) with (fillfactor = 50);`,
  `alter table incident add column upstream_incident text;
  create index incident_upstream_incident on incident (upstream_incident) where upstream_incident is not null;`,
] as const;

/** Makes the tables of the incidents, or brings them up to date. */
export function createIncidentTables(pool: Parameters<typeof migrate>[0]): Promise<void> {
  return migrate(pool, "incidents", VERSIONS);
}
