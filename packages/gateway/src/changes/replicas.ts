import { race, sleep } from "@recourse/core/wire";
import { type ControlName, inBackground, type UnexpectedObserver } from "../call/observer.ts";
import type { Pool } from "../stores/postgres.ts";
import type { Activity } from "../telemetry/activity.ts";

/** Whether a part works: `off` if the file has none. */
export type PartState = "works" | "away" | "off";

interface ReplicaRow {
  readonly id: string;
  readonly version: string;
  /** ISO 8601 times. */
  readonly startedAt: string;
  readonly seenAt: string;
  readonly parts: Readonly<Record<string, PartState>>;
}

/** This process. */
export interface OwnReplica extends Pick<ReplicaRow, "id" | "version" | "startedAt"> {
  /** A text that no other process has; `id` is for people, and used again. */
  readonly key: string;
  readonly parts: () => ReplicaRow["parts"];
}

/** The processes of this gateway. */
export interface Replicas {
  /** Those that were seen within the last minutes, the oldest first. It rejects if the store is down. */
  list(): Promise<readonly ReplicaRow[]>;
  close(): Promise<void>;
}

/** The only process, if there are no others. */
export function singleReplica({ parts, key: _key, ...own }: OwnReplica, now: () => number): Replicas {
  return {
    list: async () => [{ ...own, seenAt: new Date(now()).toISOString(), parts: parts() }],
    close: async () => {},
  };
}

const BEAT_MS = 5_000;
/** A process that was not seen for this long is not listed. */
const LISTED_MS = 10 * 60_000;
const BEAT = `insert into gateway_replica (id, name, version, started, parts) values ($1, $2, $3, $4, $5)
  on conflict (id) do update set seen = clock_timestamp(), parts = excluded.parts`;
const FORGET_OLD = "delete from gateway_replica where seen < clock_timestamp() - interval '1 day'";
const LIST_REPLICAS = `select name, version, started, seen, parts from gateway_replica
  where seen > clock_timestamp() - $1 * interval '1 ms' order by started, id limit 1000`;
/** How long the last word of a process may take. */
const FAREWELL_MS = 1_000;

interface ReplicaDatabaseRow extends Pick<ReplicaRow, "version" | "parts"> {
  readonly name: string;
  readonly started: Date;
  readonly seen: Date;
}

/** The processes that share a database. Each says there from time to time that it is alive. */
export function postgresReplicas(
  pool: Pool,
  own: OwnReplica,
  { observer, beatMs = BEAT_MS }: { readonly observer: UnexpectedObserver; readonly beatMs?: number },
): Replicas {
  let running: Promise<unknown> | undefined;
  const beat = () => {
    // A database that does not answer is not asked again meanwhile; the next beat may be better.
    if (running !== undefined) return;
    const values = [own.key, own.id, own.version, own.startedAt, JSON.stringify(own.parts())];
    running = pool
      .query({ text: BEAT, values })
      .catch(() => undefined)
      .finally(() => {
        running = undefined;
      });
    inBackground("replicas", observer, running);
  };
  beat();
  const timer = setInterval(beat, beatMs).unref();
  pool.query({ text: FORGET_OLD }).catch(() => undefined);
  return {
    async list() {
      const { rows } = await pool.query<ReplicaDatabaseRow>(LIST_REPLICAS, [LISTED_MS]);
      return rows.map(({ name, version, started, seen, parts }) => {
        return { id: name, version, startedAt: started.toISOString(), seenAt: seen.toISOString(), parts };
      });
    },
    async close() {
      clearInterval(timer);
      const forget = { text: "delete from gateway_replica where id = $1", values: [own.key] };
      const work = Promise.resolve(running).then(() => pool.query(forget));
      await race(work, { ms: FAREWELL_MS, sleep }).catch(() => undefined);
    },
  };
}

/** What the states of the parts are read from. */
interface PartSources {
  readonly controls: {
    readonly approvals: object | undefined;
    readonly breakers: object | undefined;
    readonly incidents: { readonly state: { readonly isAway: boolean } } | undefined;
  };
  readonly areLimitsAway: () => boolean;
  readonly activity: Pick<Activity, "away">;
  readonly database: PartState;
}

/** Whether the parts of this process work. */
export function readPartStates({ controls, areLimitsAway, activity, database }: PartSources) {
  const { approvals, breakers, incidents } = controls;
  const isAway = (name: ControlName) => activity.away.some(({ control }) => control === name);
  const state = (part: object | undefined, isDown: boolean): PartState =>
    part === undefined ? "off" : isDown ? "away" : "works";
  const isDatabaseAway = database === "away";
  return {
    database,
    limits: areLimitsAway() ? "away" : "works",
    approvals: state(approvals, isDatabaseAway || isAway("approvals")),
    breakers: state(breakers, isAway("breakers")),
    incidents: state(incidents, isDatabaseAway || incidents?.state.isAway === true),
  } as const satisfies Record<string, PartState>;
}
