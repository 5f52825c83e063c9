import { once } from "node:events";
import { connect } from "node:net";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readFinding } from "./table.ts";
import { toFault } from "./to-fault.ts";

function reasonOf(value: unknown): string | undefined {
  const meaning = readFinding(value)?.meaning;
  return meaning !== undefined && "accident" in meaning ? meaning.accident.reason.id : undefined;
}

describe("states", () => {
  it.each([
    ["23505", "core/conflict"],
    ["25006", "core/unavailable"],
    ["40001", "core/busy"],
    ["57014", "core/timeout"],
    ["28P01", "core/misconfigured"],
    ["XX000", "core/upstream_failed"],
    ["22012", "core/internal"],
    ["42P01", "core/internal"],
    ["P0001", "core/internal"],
  ])("%s is %s", (code, reason) => {
    expect(reasonOf({ code, severity: "ERROR" })).toBe(reason);
    expect(reasonOf(Object.assign(new Error("private"), { code, severity: "FEHLER" }))).toBe(reason);
  });

  it.each([
    [{ code: "23505" }],
    [{ code: "23505", severity: 1 }],
    [{ code: "2350", severity: "ERROR" }],
    [{ code: "235055", severity: "ERROR" }],
    [{ code: "2350a", severity: "ERROR" }],
    [{ code: 23505, severity: "ERROR" }],
    [{ severity: "ERROR" }],
    ["23505"],
    [null],
    [undefined],
  ])("%j is not recognised", (value) => {
    expect(reasonOf(value)).toBeUndefined();
  });
});

/** What is used here of the driver, which has no types of its own. */
const url = process.env["TEST_DATABASE_URL"] ?? "postgres://postgres@127.0.0.1:5432/test";
async function answers(): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port || 5432), hostname);
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
const skipped = process.env["TEST_DATABASE_URL"] === undefined && !(await answers());

describe.skipIf(skipped)("errors of a real server (skipped without TEST_DATABASE_URL and 127.0.0.1:5432)", () => {
  let client: pg.Client;
  const open = (connectionString: string): pg.Client => new pg.Client({ connectionString });

  beforeAll(async () => {
    client = open(url);
    await client.connect();
    await client.query(`
      create temp table parent_private (id int primary key);
      create temp table child_private (id int not null check (id < 100), parent int references parent_private);
      insert into parent_private values (1)`);
  });

  afterAll(async () => {
    await client.end();
  });

  it.each([
    ["a duplicate", "insert into parent_private values (1)", "23505", "core/conflict", "conflict"],
    ["a missing parent", "insert into child_private values (1, 99)", "23503", "core/conflict", "conflict"],
    ["a null", "insert into child_private values (null, 1)", "23502", "core/validation_failed", "invalid_input"],
    ["a failed check", "insert into child_private values (100, 1)", "23514", "core/validation_failed", "invalid_input"],
    ["a long statement", "set statement_timeout = 20; select pg_sleep(5)", "57014", "core/timeout", "timeout"],
    ["an unknown table", "select * from nowhere_private", "42P01", "core/internal", "internal"],
    ["a division by zero", "select 1/0", "22012", "core/internal", "internal"],
    ["a syntax error", "selec private", "42601", "core/internal", "internal"],
    ["a raised exception", "do $$ begin raise 'private'; end $$", "P0001", "core/internal", "internal"],
    [
      "a read-only transaction",
      "begin read only; create table x_private ()",
      "25006",
      "core/unavailable",
      "unavailable",
    ],
  ])("%s", async (_, sql, code, reason, kind) => {
    const error: unknown = await client.query(sql).then(
      () => expect.unreachable(),
      (thrown: unknown) => thrown,
    );
    await client.query("rollback; reset statement_timeout");
    expect(error).toMatchObject({ code });
    expect(reasonOf(error)).toBe(reason);
    const fault = toFault(error);
    expect(fault).toMatchObject({ kind, reason, basis: "mapped" });
    expect(JSON.stringify(fault)).not.toMatch(/private|select|insert|pg_sleep/);
  });

  it("a lock of another transaction", async () => {
    const other = open(url);
    await other.connect();
    try {
      await other.query("begin; select pg_advisory_xact_lock(715001)");
      const error: unknown = await client.query("set lock_timeout = 20; select pg_advisory_xact_lock(715001)").then(
        () => expect.unreachable(),
        (thrown: unknown) => thrown,
      );
      await client.query("reset lock_timeout");
      expect(error).toMatchObject({ code: "55P03" });
      expect(toFault(error)).toMatchObject({ kind: "overloaded", reason: "core/busy", effect: "possible" });
    } finally {
      await other.end();
    }
  });

  it("a database that does not exist", async () => {
    const lost = open(Object.assign(new URL(url), { pathname: "/nowhere_private" }).href);
    const error: unknown = await lost.connect().then(
      () => expect.unreachable(),
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code: "3D000" });
    expect(toFault(error)).toMatchObject({
      kind: "unavailable",
      reason: "core/misconfigured",
      retry: { allowed: false },
    });
    await lost.end().catch(() => undefined);
  });
});
