import { toFault } from "@recourse/faults";
import { createTestDatabase } from "@recourse/reference-ground/testing";
import { afterAll, describe, expect, test } from "vitest";
import { openDatabase } from "./database.ts";

const database = await createTestDatabase(new URL("../", import.meta.url));
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

  test("where something may have changed, it says so", async () => {
    const opened = openDatabase({ url: "postgres://postgres@127.0.0.1:1/gtin" });
    const thrown: unknown = await opened.write("select 1", []).catch((error: unknown) => error);
    await opened.close();
    expect(toFault(thrown)).toMatchObject({ reason: AWAY.reason, effect: "possible" });
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
});
