import { createTestDatabase } from "@recourse/test-kit/postgres";
import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { migrate } from "../../src/stores/postgres.ts";

const V1 = "create table note (id int primary key, text text not null);";
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
    await migrate(before, "notes", [V1]);
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
    await migrate(after, "notes", [V1, V2]);
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
    await migrate(pool, "notes", [V1, V2]);
    await migrate(pool, "notes", [V1]);
    await expect(version()).resolves.toEqual({ part: "notes", version: 2 });
    await pool.query("insert into note (id, text, author) values (1, 'a', 'b')");
    await migrate(pool, "notes", [V1, V2]);
    await expect(pool.query("select count(*)::int as n from note")).resolves.toMatchObject({ rows: [{ n: 1 }] });
  });

  it("eight that start at once, old and new, make each version once", async () => {
    const { replica, version } = await opened();
    const pools = Array.from({ length: 8 }, replica);
    await Promise.all(pools.map((pool, index) => migrate(pool, "notes", index % 2 === 0 ? [V1] : [V1, V2])));
    await expect(version()).resolves.toEqual({ part: "notes", version: 2 });
    await Promise.all(pools.map((pool, index) => pool.query("insert into note (id, text) values ($1, 'a')", [index])));
  });

  it("a table that is in use for long is not waited for: the start fails, and the old one goes on", async () => {
    const { replica, version } = await opened();
    const pool = replica();
    await migrate(pool, "notes", [V1]);
    const reader = await replica().connect();
    await reader.query("begin");
    await reader.query("select * from note");
    await expect(migrate(replica(), "notes", [V1, V2], { lockMs: 100 })).rejects.toThrow(
      "PostgreSQL cannot be used: a query uses a table that has to be changed",
    );
    await pool.query("insert into note (id, text) values (1, 'old')");
    await reader.query("commit");
    reader.release();
    await expect(version()).resolves.toEqual({ part: "notes", version: 1 });
    await migrate(pool, "notes", [V1, V2]);
    await expect(version()).resolves.toEqual({ part: "notes", version: 2 });
  });

  it("a version that fails changes nothing, and is tried again at the next start", async () => {
    const { replica, version } = await opened();
    const pool = replica();
    await migrate(pool, "notes", [V1]);
    await expect(
      migrate(pool, "notes", [V1, "create table half (id int); select 1 / 0 into strict have;"]),
    ).rejects.toThrow();
    await expect(version()).resolves.toEqual({ part: "notes", version: 1 });
    await expect(pool.query("select to_regclass('half') as half")).resolves.toMatchObject({ rows: [{ half: null }] });
    await migrate(pool, "notes", [V1, V2]);
    await expect(version()).resolves.toEqual({ part: "notes", version: 2 });
  });
});
