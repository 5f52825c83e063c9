import { createTestDatabase } from "@recourse/test-kit/postgres";
import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { migrate, readSchemaState } from "../../src/stores/postgres.ts";

const V1 = "create table note (id int primary key, text text not null);";
const notes = (versions: readonly string[], oldest?: number) => [
  { part: "notes", versions, ...(oldest !== undefined && { oldest }) },
];
const V2 = "alter table note add column author text; create index note_author on note (author);";

async function opened() {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const replica = () => {
    const pool = new pg.Pool({ connectionString: database.url, max: 2 });
    // The database may be dropped while a connection is being closed.
    pool.on("connect", (client) => client.on("error", () => {}));
    onTestFinished(() => pool.end());
    return pool;
  };
  return { replica, version: async () => (await database.query("select part, version from gateway_schema"))[0] };
}

describe("two versions of the gateway on one database", () => {
  it("the old one goes on writing and reading while and after the new one migrates", async () => {
    const { replica, version } = await opened();
    const before = replica();
    const after = replica();
    await migrate(before, notes([V1]));
    let isOver = false;
    let written = 0;
    const old = (async () => {
      while (!isOver) {
        await before.query("insert into note (id, text) values ($1, 'old')", [written]);
        written += 1;
        const { rows } = await before.query<{ id: number; text: string }>("select id, text from note where id = $1", [
          written - 1,
        ]);
        expect(rows).toEqual([{ id: written - 1, text: "old" }]);
      }
    })();
    await expect.poll(() => written).toBeGreaterThan(5);
    await migrate(after, notes([V1, V2]));
    await after.query("insert into note (id, text, author) values (-1, 'new', 'ann')");
    const seen = written;
    await expect.poll(() => written).toBeGreaterThan(seen + 5);
    isOver = true;
    await old;
    await expect(version()).resolves.toEqual({ part: "notes", version: 2 });
    const { rows } = await before.query<{ id: number; text: string }>("select id, text from note where id = -1");
    expect(rows).toEqual([{ id: -1, text: "new" }]);
  });

  it("an old one that starts again leaves the newer database alone", async () => {
    const { replica, version } = await opened();
    const pool = replica();
    await migrate(pool, notes([V1, V2]));
    await migrate(pool, notes([V1]));
    await expect(version()).resolves.toEqual({ part: "notes", version: 2 });
    await pool.query("insert into note (id, text, author) values (1, 'a', 'b')");
    await migrate(pool, notes([V1, V2]));
    await expect(pool.query("select count(*)::int as n from note")).resolves.toMatchObject({ rows: [{ n: 1 }] });
  });

  it("eight that start at once, old and new, make each version once", async () => {
    const { replica, version } = await opened();
    const pools = Array.from({ length: 8 }, replica);
    await Promise.all(pools.map((pool, index) => migrate(pool, notes(index % 2 === 0 ? [V1] : [V1, V2]))));
    await expect(version()).resolves.toEqual({ part: "notes", version: 2 });
    await Promise.all(pools.map((pool, index) => pool.query("insert into note (id, text) values ($1, 'a')", [index])));
  });

  it("a table that is in use for long is not waited for: the start fails, and the old one goes on", async () => {
    const { replica, version } = await opened();
    const pool = replica();
    await migrate(pool, notes([V1]));
    const reader = await replica().connect();
    await reader.query("begin");
    await reader.query("select * from note");
    await expect(migrate(replica(), notes([V1, V2]), { lockMs: 100 })).rejects.toThrow(
      "PostgreSQL cannot be used: a query uses a table that has to be changed",
    );
    await pool.query("insert into note (id, text) values (1, 'old')");
    await reader.query("commit");
    reader.release();
    await expect(version()).resolves.toEqual({ part: "notes", version: 1 });
    await migrate(pool, notes([V1, V2]));
    await expect(version()).resolves.toEqual({ part: "notes", version: 2 });
  });

  it("a version that fails changes nothing, and is tried again at the next start", async () => {
    const { replica, version } = await opened();
    const pool = replica();
    await migrate(pool, notes([V1]));
    await expect(
      migrate(pool, notes([V1, "create table half (id int); select 1 / 0 into strict have;"])),
    ).rejects.toThrow();
    await expect(version()).resolves.toEqual({ part: "notes", version: 1 });
    await expect(pool.query("select to_regclass('half') as half")).resolves.toMatchObject({ rows: [{ half: null }] });
    await migrate(pool, notes([V1, V2]));
    await expect(version()).resolves.toEqual({ part: "notes", version: 2 });
  });

  it("parts that start together change together: all of them, or none", async () => {
    const { replica } = await opened();
    const pool = replica();
    const other = { part: "other", versions: ["create table other (id int);"] };
    await migrate(pool, notes([V1]));
    const reader = await replica().connect();
    await reader.query("begin");
    await reader.query("select * from note");
    await expect(migrate(pool, [other, ...notes([V1, V2])], { lockMs: 100 })).rejects.toThrow("cannot be used");
    await expect(pool.query("select to_regclass('other') as other")).resolves.toMatchObject({
      rows: [{ other: null }],
    });
    await reader.query("commit");
    reader.release();
    await migrate(pool, [other, ...notes([V1, V2])]);
    const { rows } = await pool.query("select part, version from gateway_schema order by part");
    expect(rows).toEqual([
      { part: "notes", version: 2 },
      { part: "other", version: 1 },
    ]);
  });

  it("one that is too old for what was removed does not start, and the one before the newest does", async () => {
    const { replica } = await opened();
    const pool = replica();
    await migrate(pool, notes([V1]));
    await migrate(pool, notes([V1, V2]));
    await migrate(pool, notes([V1, V2, "alter table note drop column text;"], 2));
    await migrate(pool, notes([V1, V2]));
    await expect(migrate(pool, notes([V1]))).rejects.toThrow(
      "PostgreSQL cannot be used: a newer version of the gateway has removed what this version uses",
    );
  });
});

describe("what is known before a start", () => {
  it("says what has to change, and changes nothing", async () => {
    const { replica } = await opened();
    const pool = replica();
    const state = async (versions: readonly string[]) => (await readSchemaState(pool, notes(versions))).parts[0];
    expect(await state([V1])).toEqual({ part: "notes", has: 0, knows: 1, state: "older" });
    const { rows } = await pool.query("select to_regclass('gateway_schema') as made");
    expect(rows).toEqual([{ made: null }]);
    await migrate(pool, notes([V1]));
    expect(await state([V1])).toMatchObject({ has: 1, state: "current" });
    expect(await state([V1, V2])).toMatchObject({ has: 1, knows: 2, state: "older" });
    await migrate(pool, notes([V1, V2], 2));
    expect(await state([V1, V2])).toMatchObject({ has: 2, state: "current" });
    expect(await state([V1])).toMatchObject({ has: 2, knows: 1, state: "unusable" });
  });

  it("says whether the user may create tables", async () => {
    const { replica } = await opened();
    const pool = replica();
    expect((await readSchemaState(pool, notes([V1]))).mayCreate).toBe(true);
  });
});
