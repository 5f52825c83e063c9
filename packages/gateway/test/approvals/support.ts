// Approvals of a test: a database of its own, and requests.

import { createTestDatabase, openPool, type TestDatabase } from "@recourse/test-kit/postgres";
import type pg from "pg";
import { createApprovalTable } from "../../src/approvals/approval-statements.ts";
import type { OnApprovalChange, PendingBounds } from "../../src/approvals/approvals.ts";
import { createApprovalRules } from "../../src/approvals/call-approvals.ts";
import { type PostgresApprovals, postgresApprovals } from "../../src/approvals/postgres-approvals.ts";
import type { ApprovalRequest } from "../../src/call/binding.ts";
import { unsynced } from "../support/unsynced.ts";

/** The stores of two replicas. */
type ReplicaStores = readonly [PostgresApprovals, PostgresApprovals];

/** Two replicas on one database. */
export interface Replicas {
  readonly database: TestDatabase;
  readonly pools: readonly [pg.Pool, pg.Pool];
  readonly stores: ReplicaStores;
  /** Other stores on the same pools. */
  storesWith(options: ReplicaOptions): ReplicaStores;
  close(): Promise<void>;
}

/** Options of the stores. */
export interface ReplicaOptions {
  readonly bounds?: PendingBounds;
  readonly onChange?: OnApprovalChange;
  /** Changes the statements of the stores, to see whether a mistake in them is found. */
  readonly mutate?: ((text: string) => string) | undefined;
}

/** Starts two replicas, each with a pool of its own. */
export async function startReplicas(options: ReplicaOptions = {}): Promise<Replicas> {
  const database = await createTestDatabase();
  const url = unsynced(database.url);
  const pools = [poolOf(url), poolOf(url)] as const;
  await Promise.all(pools.map((pool) => createApprovalTable(pool)));
  const storesWith = ({ mutate = String, ...rest }: ReplicaOptions): ReplicaStores => {
    const storeOn = (pool: pg.Pool) => {
      const query = ({ text, values = [] }: pg.QueryConfig) => pool.query(mutate(text), values);
      return postgresApprovals({ query } as unknown as pg.Pool, rest);
    };
    return [storeOn(pools[0]), storeOn(pools[1])];
  };
  return {
    database,
    pools,
    stores: storesWith(options),
    storesWith,
    async close() {
      await Promise.all(pools.map((pool) => pool.end()));
      await database.drop();
    },
  };
}

/** A pool that waits for a busy machine, and keeps its connections. */
export function poolOf(url: string): pg.Pool {
  return openPool(url, { connectionTimeoutMillis: 30_000, idleTimeoutMillis: 0 });
}

/** What a request is made of. */
export interface RequestFacts {
  readonly caller?: string;
  readonly tenant?: string;
  readonly arguments?: string;
  /** Another expiry is another policy. */
  readonly expiresMs?: number;
}

/** A request under a policy of its own. */
export function requestOf({ caller = "ci", tenant = "acme", expiresMs = 900_000, ...rest }: RequestFacts = {}) {
  const rules = createApprovalRules({ tools: ["shop__*"], denied: [], expiresMs, link: undefined });
  const id = JSON.stringify(["key", tenant, caller]);
  const request = rules.requestFor({ caller: { id, tenant }, tool: "shop__refund", arguments: rest.arguments ?? "{}" });
  return request as ApprovalRequest;
}
