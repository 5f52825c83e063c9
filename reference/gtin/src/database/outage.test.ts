import { toFault } from "@recourse/faults";
import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { createTestDatabase } from "../../test/support/test-database.ts";
import { openDatabase } from "./database.ts";
import { outageOf } from "./outage.ts";

const database = await createTestDatabase();
afterAll(() => database.drop());

/** What a statement fails with, as the rest of the server sees it. */
async function failureOf(url: string, sql: string, options: { connectMs?: number; answerMs?: number } = {}) {
  const opened = openDatabase({ url, ...options });
  const thrown: unknown = await opened.read(sql, []).catch((error: unknown) => error);
  await opened.close();
  return toFault(thrown);
}

describe("the database is away", () => {
  const AWAY = {
    reason: "gtin/database_unavailable",
    class: "dependency",
    effect: "none",
    recourse: [{ do: "retry", afterMs: 2_000 }],
  };

  test("nobody listens", async () => {
    expect(await failureOf("postgres://postgres@127.0.0.1:1/gtin", "select 1")).toMatchObject(AWAY);
  });

  test("somebody else ends the connection", async () => {
    expect(await failureOf(database.url, "select pg_terminate_backend(pg_backend_pid())")).toMatchObject(AWAY);
  });

  test("it does not answer in time", async () => {
    expect(await failureOf(database.url, "select pg_sleep(5)", { answerMs: 50 })).toMatchObject(AWAY);
  });

  test("it shuts down, or has no place left", () => {
    for (const code of ["57P01", "57P03", "53300", "08006"]) {
      const error = Object.assign(new pg.DatabaseError("x", 1, "error"), { code, severity: "FATAL" });
      expect(outageOf(error, "none")?.fault, code).toMatchObject(AWAY);
    }
  });

  test("where something may have changed, it says so", () => {
    expect(outageOf(new Error("Connection terminated"), "possible")?.fault).toMatchObject({ effect: "possible" });
  });
});

describe("the database is there, and something else is wrong", () => {
  test("a statement that it does not understand is a bug", async () => {
    expect(await failureOf(database.url, "select nothing from nowhere")).toMatchObject({ reason: "core/internal" });
  });

  test("a database that does not exist is our set-up: nobody need come back for that", async () => {
    const fault = await failureOf(`${database.url}_missing`, "select 1");
    expect(fault).toMatchObject({ reason: "core/misconfigured", retry: { allowed: false } });
  });

  test("a bug of ours is no outage", () => {
    expect(outageOf(new TypeError("x is undefined"), "none")).toBeUndefined();
  });
});
