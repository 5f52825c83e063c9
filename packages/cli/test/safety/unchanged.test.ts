// Probes real servers and compares what they keep before and after: nothing may have changed.
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createTestEnvironment as startGtin } from "@recourse/reference-gtin/test-environment";
import { createTestEnvironment as startOrders } from "@recourse/reference-orders/test-environment";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Recording } from "../../src/recording/recording.ts";
import { exchangesOf, recordingOf } from "../support/record.ts";
import { processesWith, snapshotOf } from "./snapshot.ts";

const MODULES = fileURLToPath(new URL("../../../../node_modules/@modelcontextprotocol/", import.meta.url));
/** Answers that come late are not looked at here. */
const WAITS = { settleMs: 20 };

describe("programs that keep files", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "recourse-unchanged-"));
    mkdirSync(join(folder, "notes"));
    writeFileSync(join(folder, "notes", "a.txt"), "one");
    writeFileSync(
      join(folder, "memory.jsonl"),
      '{"type":"entity","name":"Ada","entityType":"person","observations":["x"]}\n',
    );
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test("server-filesystem: no file changes, and no process is left", async () => {
    const before = snapshotOf(folder);
    const mark = randomUUID();
    const recording = await recordingOf(
      {
        transport: "stdio",
        command: process.execPath,
        args: [join(MODULES, "server-filesystem/dist/index.js"), folder],
      },
      { env: { RECOURSE_TEST_MARK: mark }, waits: WAITS },
    );
    expect(snapshotOf(folder)).toEqual(before);
    expect(processesWith(mark)).toEqual([]);
    expect(recording.eras[0]?.called.length).toBeGreaterThan(3);
    expect(onlyRead(recording)).toBe(true);
  });

  test("server-memory: its file does not change, and no process is left", async () => {
    const before = snapshotOf(folder);
    const mark = randomUUID();
    const recording = await recordingOf(
      { transport: "stdio", command: process.execPath, args: [join(MODULES, "server-memory/dist/index.js")] },
      { env: { MEMORY_FILE_PATH: join(folder, "memory.jsonl"), RECOURSE_TEST_MARK: mark }, waits: WAITS },
    );
    expect(snapshotOf(folder)).toEqual(before);
    expect(processesWith(mark)).toEqual([]);
    expect(recording.eras[0]?.called).toContain("read_graph");
    expect(onlyRead(recording)).toBe(true);
  });
});

describe("servers with a database", () => {
  test("orders: every row and every sequence stays as it is", async () => {
    const orders = await startOrders();
    try {
      const before = await rowsOf(orders.database);
      expect(Object.keys(before).length).toBeGreaterThan(2);
      const recording = await recordingOf({ transport: "http", url: new URL("/postgres", orders.server.url).href });
      expect(await rowsOf(orders.database)).toEqual(before);
      expect(recording.eras.map(({ revision }) => revision)).toContain("2026-07-28");
      expect(onlyRead(recording)).toBe(true);
    } finally {
      await orders.close();
    }
  });

  test("gtin: a server that asks for credentials keeps its rows, and the token is nowhere in the recording", async () => {
    const gtin = await startGtin();
    try {
      const before = await rowsOf(gtin.database);
      const token = await gtin.token(["links:read"]);
      const url = new URL("/mcp", gtin.url).href;
      const recording = await recordingOf(
        { transport: "http", url },
        { headers: { Authorization: `Bearer ${token}` } },
      );
      expect(await rowsOf(gtin.database)).toEqual(before);
      expect(JSON.stringify(recording)).not.toContain(token);
      expect(recording.target.credentials).toBe(true);
      expect(onlyRead(recording)).toBe(true);
    } finally {
      await gtin.close();
    }
  });
});

type Database = Awaited<ReturnType<typeof startOrders>>["database"];

/** Whether every tool that got arguments says that it only reads. */
function onlyRead(recording: Recording): boolean {
  return recording.eras.every((era) => {
    const reading = new Set(
      era.tools
        .filter((tool) => (tool["annotations"] as { readOnlyHint?: boolean } | undefined)?.readOnlyHint)
        .map((tool) => tool["name"]),
    );
    const given = [...exchangesOf(era, "valid-call"), ...exchangesOf(era, "wrong-arguments")];
    return given.every(({ tool }) => reading.has(tool));
  });
}

/** All rows of all tables, and where each sequence is. */
async function rowsOf(database: Database): Promise<Readonly<Record<string, unknown>>> {
  const tables = await database.query(
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema') order by 1",
  );
  const rows: Record<string, unknown> = {
    sequences: await database.query("select schemaname, sequencename, last_value from pg_sequences order by 1, 2"),
  };
  for (const { name } of tables)
    rows[String(name)] = await database.query(
      `select row_to_json(t)::text as row, t.xmin::text from ${name} t order by 1`,
    );
  return rows;
}
