import { randomBytes } from "node:crypto";
import { type Fault, formatId, stampFault } from "@recourse/core";
import { core } from "@recourse/core/reasons";
import { createTestDatabase, openPool, type TestDatabase } from "@recourse/test-kit/postgres";
import type pg from "pg";
import { onTestFinished } from "vitest";
import type { IncidentsConfig } from "../../src/config/types.ts";
import type { GatewayIncident, Incidents } from "../../src/incidents/incidents.ts";
import { postgresIncidents } from "../../src/incidents/postgres-incidents.ts";
import { Recorder } from "../../src/incidents/record.ts";
import { unsynced } from "../support/unsynced.ts";

export const INCIDENTS: IncidentsConfig = {
  keepMs: 30 * 86_400_000,
  samplesPerMinute: 20,
  callers: "keep",
  texts: "keep",
};

/** What an incident of a test can state. */
export type Given = Partial<Omit<GatewayIncident, "at" | "fault">> & {
  readonly atMs?: number;
  readonly id?: string;
  readonly fault?: Fault;
};

/** An incident with an id of its own. */
export function incidentWith({ atMs = Date.now(), id, fault = core.internal.fault(), ...more }: Given = {}) {
  const at = new Date(atMs).toISOString();
  const incident: GatewayIncident = {
    tenant: "acme",
    caller: "ann",
    upstream: "shop",
    tool: "shop__find",
    sentText: fault.message,
    upstreamIncident: undefined,
    method: "tools/call",
    durationMs: 5,
    ...more,
    at,
    fault: stampFault(fault, { incident: id ?? formatId(atMs, randomBytes(16)), at }),
  };
  return incident;
}

/** The id that the caller was given. */
export function idOf({ fault }: GatewayIncident): string {
  return fault.incident ?? "";
}

/** A pool that is closed when the test has ended. */
export function poolOf(url: string): pg.Pool {
  const pool = openPool(url, { max: 4 });
  onTestFinished(() => pool.end());
  return pool;
}

/** A database of one test. */
export async function testDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  return { ...database, url: unsynced(database.url) };
}

/** What the observer of a test has heard. */
export interface Heard {
  readonly switches: string[];
  readonly lines: string[];
}

/** Opens incidents as one replica. `closeMs`: how long the last writes may take, which is long enough unless a test says otherwise. */
export async function openReplica(
  pool: pg.Pool,
  { closeMs = 60_000, ...changes }: Partial<IncidentsConfig> & { readonly closeMs?: number } = {},
): Promise<Incidents & { readonly heard: Heard }> {
  const config = { ...INCIDENTS, ...changes };
  const heard: Heard = { switches: [], lines: [] };
  const incidents = await postgresIncidents({
    pool,
    config,
    recorder: new Recorder({ config }),
    writes: { everyMs: 20, closeMs },
    observer: {
      switched: (control, state) => void heard.switches.push(`${control} ${state}`),
      log: (_level, message) => void heard.lines.push(message),
    },
  });
  onTestFinished(() => incidents.close());
  return Object.assign(incidents, { heard });
}
