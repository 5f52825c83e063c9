import { createTestDatabase, type TestDatabase } from "@recourse/test-kit/postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { poolOf } from "../../test/auth/support.ts";
import { type Audit, postgresAudit } from "./audit.ts";
import { memoryEvents } from "./memory-events.ts";
import { createChangeTables } from "./postgres-changes.ts";

let database: TestDatabase;
let pool: ReturnType<typeof poolOf>;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = poolOf(database.url);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

async function openAudit(on: typeof pool): Promise<Audit> {
  await createChangeTables(on);
  return postgresAudit(on);
}

const OPEN = {
  memory: async () => memoryEvents().audit,
  postgres: () => openAudit(pool),
} satisfies Record<string, () => Promise<Audit>>;

const entry = (target: string) => ({ by: "ann", action: "key.add", target, facts: { tools: ["*"], n: 1 } });

describe.each(["memory", "postgres"] as const)("the audit in %s", (name) => {
  it("keeps entries as they are, the newest first, page by page", async () => {
    const audit = await OPEN[name]();
    const targets = ["a", "b", "c", "'; drop table gateway_event; --", "e"];
    for (const target of targets) await audit.record(entry(target));
    const first = await audit.list({ limit: 2 });
    expect(first).toEqual([
      { ...entry("e"), id: expect.stringMatching(/^\d+$/), at: expect.stringMatching(/^\d{4}-.+Z$/) },
      { ...entry("'; drop table gateway_event; --"), id: expect.any(String), at: expect.any(String) },
    ]);
    const rest = await audit.list({ limit: 10, before: first[1]?.id });
    expect(rest.map(({ target }) => target)).toEqual(["c", "b", "a"]);
    await expect(audit.list({ limit: 10, before: rest.at(-1)?.id })).resolves.toEqual([]);
  });
});

it("in memory keeps the last entries only", async () => {
  const audit = memoryEvents(() => 0, 3).audit;
  for (const target of ["a", "b", "c", "d"]) await audit.record(entry(target));
  expect((await audit.list({ limit: 10 })).map(({ id, target }) => id + target)).toEqual(["4d", "3c", "2b"]);
});

it("replicas that start at once make the table once, and share it", async () => {
  const fresh = await createTestDatabase();
  const pools = [poolOf(fresh.url, 1), poolOf(fresh.url, 1), poolOf(fresh.url, 1)];
  try {
    const audits = await Promise.all(pools.map(openAudit));
    await Promise.all(audits.map((audit, at) => audit.record(entry(String(at)))));
    await expect(audits[0]?.list({ limit: 10 })).resolves.toHaveLength(3);
  } finally {
    await Promise.all(pools.map((one) => one.end()));
    await fresh.drop();
  }
});
