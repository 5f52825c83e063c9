// Both servers on real ports with a real database, and the keys for them.
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Incident } from "@recourse/faults/server";
import { type Limiter, tokenBuckets } from "@recourse/reference-shared";
import { createMigratedDatabase } from "@recourse/reference-shared/testing";
import { type FlakyProxy, flakyProxy } from "@recourse/test-kit/network";
import type { TestDatabase } from "@recourse/test-kit/postgres";
import { startMcp, startRest } from "../../src/app.ts";
import { openDatabase } from "../../src/database.ts";
import { fileJournal } from "../../src/mcp/journal.ts";

/** The keys of the seeds. */
export const KEYS = {
  north: "pl_key_demo_north_4f1c9a7be2d85360",
  both: "pl_key_demo_both_8a3e6d1f70c92b54",
  reader: "pl_key_demo_read_c05b7e29f4d1836a",
  expired: "pl_key_demo_expired_91d4f6a83b20ce75",
  revoked: "pl_key_demo_revoked_e27a05c9d8f4163b",
} as const;

export interface TestEnvironment {
  readonly rest: string;
  readonly mcp: string;
  readonly database: TestDatabase;
  readonly proxy: FlakyProxy;
  readonly incidents: Incident[];
  /** The folder of the journal. */
  readonly folder: string;
  readonly journal: string;
  /** The limiter in use; a test may replace it. */
  limiter: Limiter;
  /** Stops the REST API, and returns a function that starts it again. */
  stopRest(): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

const PLACE = { host: "127.0.0.1", port: 0 };

/** `newId` makes the ids of requests. */
export async function createTestEnvironment(newId: () => string = randomUUID): Promise<TestEnvironment> {
  const database = await createMigratedDatabase(new URL("../../", import.meta.url));
  const proxy = await flakyProxy(database.url);
  const pool = openDatabase({ url: proxy.url });
  const folder = await mkdtemp(join(tmpdir(), "crm-"));
  const journal = join(folder, "journal.jsonl");
  const incidents: Incident[] = [];
  const environment = { limiter: tokenBuckets({ calls: 1_000_000, windowMs: 60_000 }) as Limiter };
  const limiter: Limiter = {
    get quota() {
      return environment.limiter.quota;
    },
    take: (share) => environment.limiter.take(share),
  };
  const shared = { sink: (one: Incident) => incidents.push(one), now: Date.now };
  const options = { ...shared, database: pool, limiter, newId };
  let rest = await startRest(options, PLACE);
  const mcp = await startMcp({ ...shared, api: rest.url, journal: fileJournal(journal, Date.now) }, PLACE);
  return Object.assign(environment, {
    rest: rest.url,
    mcp: mcp.url,
    database,
    proxy,
    incidents,
    folder,
    journal,
    stopRest: async () => {
      const port = Number(new URL(rest.url).port);
      await rest.close();
      return async () => {
        rest = await startRest(options, { ...PLACE, port });
      };
    },
    close: async () => {
      await mcp.close();
      await rest.close();
      await pool.close();
      await proxy.close();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  });
}
