import { toFault } from "@recourse/faults/server";
import { createMigratedDatabase } from "@recourse/reference-shared/testing";
import { afterAll, describe, expect, test } from "vitest";
import { openDatabase } from "./database.ts";

const database = await createMigratedDatabase(new URL("../", import.meta.url));
afterAll(() => database.drop());

/** The fault of a failed statement. */
async function failureOf(url: string, sql: string, options: { statementTimeoutMs?: number } = {}) {
  const opened = openDatabase({ url, ...options });
  const thrown: unknown = await opened.read(sql, []).catch((error: unknown) => error);
  await opened.close();
  return toFault(thrown);
}

describe("an outage of the database", () => {
  const OUTAGE = {
    reason: "gtin/database_unavailable",
    class: "dependency",
    effect: "none",
    recourse: [{ do: "retry", afterMs: 2_000 }],
  };

  test("no server listens", async () => {
    expect(await failureOf("postgres://postgres@127.0.0.1:1/gtin", "select 1")).toMatchObject(OUTAGE);
  });

  test("the server ends the connection", async () => {
    expect(await failureOf(database.url, "select pg_terminate_backend(pg_backend_pid())")).toMatchObject(OUTAGE);
  });

  test("a statement takes too long", async () => {
    expect(await failureOf(database.url, "select pg_sleep(5)", { statementTimeoutMs: 50 })).toMatchObject(OUTAGE);
  });

  test.each([
    ["a write that never began", "postgres://postgres@127.0.0.1:1/gtin", "none"],
    ["a write that began", database.url, "possible"],
  ])("%s", async (_, url, effect) => {
    const opened = openDatabase({ url });
    const sql = "select pg_terminate_backend(pg_backend_pid())";
    const thrown: unknown = await opened.write(sql, []).catch((error: unknown) => error);
    await opened.close();
    expect(await toFault(thrown)).toMatchObject({ reason: OUTAGE.reason, effect });
  });
});

describe("other failures of the database", () => {
  test("an invalid statement is a bug", async () => {
    expect(await failureOf(database.url, "select nothing from nowhere")).toMatchObject({ reason: "core/internal" });
  });

  test("a database that does not exist is a misconfiguration without retry", async () => {
    const fault = await failureOf(`${database.url}_missing`, "select 1");
    expect(fault).toMatchObject({ reason: "core/misconfigured", retry: { allowed: false } });
  });
});
