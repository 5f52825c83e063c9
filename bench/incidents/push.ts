import { randomBytes } from "node:crypto";
import { formatId, stampFault } from "@recourse/core";
import { core } from "@recourse/core/reasons";
import pg from "pg";
import type { IncidentsConfig } from "../../packages/gateway/src/config/types.ts";
import type { GatewayIncident, Incidents } from "../../packages/gateway/src/incidents/incidents.ts";
import { postgresIncidents } from "../../packages/gateway/src/incidents/postgres-incidents.ts";
import { Recorder } from "../../packages/gateway/src/incidents/record.ts";

export const BENCH_INCIDENTS: IncidentsConfig = {
  keepMs: 30 * 86_400_000,
  samplesPerMinute: 20,
  callers: "keep",
  texts: "keep",
};
const SLICE_MS = 10;

/** A store of incidents as a gateway opens it. */
export async function openBenchIncidents(url: string): Promise<Incidents & { end(): Promise<void> }> {
  const pool = new pg.Pool({ connectionString: url, max: 4, connectionTimeoutMillis: 5_000 });
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  // All processes start at once, which can take longer than a gateway would wait.
  await pool.query("select 1").catch(() => pool.query("select 1"));
  const recorder = new Recorder({ config: BENCH_INCIDENTS });
  const observer = { switched: () => {}, log: () => {} };
  const incidents = await postgresIncidents({ pool, config: BENCH_INCIDENTS, recorder, observer });
  const end = async () => {
    await incidents.close();
    await pool.end();
  };
  return Object.assign(incidents, { end });
}

const FAULTS = [core.internal.fault(), core.unavailable.fault(), core.timeout.fault({ timeoutMs: 5 })];

/** An incident as a call makes it: some hundred fingerprints, and a cause with a stack. */
function benchIncident(number: number, tenant: string): GatewayIncident {
  const now = Date.now();
  const fault = FAULTS[number % FAULTS.length] ?? core.internal.fault();
  return {
    tenant,
    caller: `caller-${number % 200}`,
    upstream: `upstream-${number % 5}`,
    tool: `tool-${number % 50}`,
    upstreamIncident: undefined,
    sentText: fault.message,
    method: "tools/call",
    durationMs: 5,
    at: new Date(now).toISOString(),
    cause: new Error(`the upstream said no, number ${number}`),
    fault: stampFault(fault, { incident: formatId(now, randomBytes(16)) }),
  };
}

/** Tools of the upstream that is down in an outage: each is a fingerprint. */
const OUTAGE_TOOLS = 20;
const OUTAGE_FAULT = core.unavailable.fault();

/** An incident of an outage, as a gateway makes it: all tools of one upstream fail, and beyond a bound they are only counted. */
export function outageIncident(
  incidents: Pick<Incidents, "admit">,
  { number, tenant, atMs, cause }: OutageCall,
): GatewayIncident {
  const facts = { upstream: "upstream-0", tool: `tool-${number % OUTAGE_TOOLS}`, cause };
  const admission = incidents.admit({ ...facts, fault: OUTAGE_FAULT, atMs });
  return {
    ...facts,
    tenant,
    caller: `caller-${number % 200}`,
    upstreamIncident: undefined,
    sentText: OUTAGE_FAULT.message,
    method: "tools/call",
    durationMs: 5,
    at: new Date(atMs).toISOString(),
    fault: stampFault(OUTAGE_FAULT, { incident: admission.id }),
    admission,
  };
}

/** A call that fails in an outage. */
interface OutageCall {
  readonly number: number;
  readonly tenant: string;
  /** Time in ms since 1970. */
  readonly atMs: number;
  readonly cause: Error;
}

/** Passes incidents on at a rate, until stopped. `onSlice` gets the number so far. */
export function pushAtRate(
  incidents: Pick<Incidents, "sink" | "admit">,
  options: {
    readonly rate: number;
    readonly tenant: string;
    /** Whether they are those of an outage. @default false: of many kinds, and all of them are kept */
    readonly outage?: boolean;
    readonly onSlice?: (pushed: number) => void;
  },
): { stop(): number } {
  const { tenant, outage = false } = options;
  const make = (number: number) => {
    if (!outage) return benchIncident(number, tenant);
    return outageIncident(incidents, { number, tenant, atMs: Date.now(), cause: new Error("connect ECONNREFUSED") });
  };
  const started = performance.now();
  let pushed = 0;
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - started) * options.rate) / 1_000);
    for (; pushed < due; pushed += 1) incidents.sink(make(pushed));
    options.onSlice?.(pushed);
  }, SLICE_MS);
  return {
    stop() {
      clearInterval(timer);
      return pushed;
    },
  };
}
