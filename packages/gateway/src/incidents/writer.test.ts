import type pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { INCIDENTS, incidentWith } from "../../test/incidents/support.ts";
import { Recorder } from "./record.ts";
import { IncidentWriter, type WriterOptions } from "./writer.ts";

/** A database that gives prepared answers, and remembers what was committed. */
function fakePool(answer: (statement: pg.QueryConfig) => unknown) {
  const committed: pg.QueryConfig[][] = [];
  const pool = {
    query: async () => ({ rows: [], rowCount: 0 }),
    connect: async () => {
      let open: pg.QueryConfig[] = [];
      return {
        async query(statement: pg.QueryConfig) {
          await answer(statement);
          if (statement.text === "begin") open = [];
          else if (statement.text === "commit") committed.push(open);
          else open.push(statement);
          const rows = statement.text.includes("clock_timestamp()) * 1000") ? [{ now: Date.now() }] : [];
          return { rows, rowCount: 1 };
        },
        release: () => {},
      };
    },
  } as unknown as pg.Pool;
  const written = (table: string) =>
    committed.flat().filter((statement) => statement.text.startsWith(`insert into ${table} `));
  return { pool, written };
}

function writerOn(pool: pg.Pool, options: Partial<WriterOptions> = {}) {
  const heard: string[] = [];
  const writer = new IncidentWriter({
    pool,
    replica: "one",
    keepMs: INCIDENTS.keepMs,
    everyMs: 5,
    onSwitch: (state) => heard.push(state),
    onRefused: (code) => heard.push(code),
    ...options,
  });
  onTestFinished(() => writer.close().then(() => {}));
  const recorder = new Recorder({ config: INCIDENTS });
  const add = () => {
    const record = recorder.record(incidentWith());
    if (record !== undefined) writer.add(record);
  };
  return { writer, heard, add };
}

const refused = (code: string) => Promise.reject(Object.assign(new Error("refused"), { code }));
const isRows = ({ text }: pg.QueryConfig) => text.startsWith("insert into incident (");
const samplesOf = ({ values }: pg.QueryConfig) => values?.[9] as readonly (string | null)[];

it("gives up samples that the database refuses, and keeps the rows", async () => {
  const { pool, written } = fakePool((one) =>
    isRows(one) && samplesOf(one).some((sample) => sample !== null) ? refused("22P05") : undefined,
  );
  const { writer, heard, add } = writerOn(pool);
  add();
  await expect.poll(() => writer.waiting).toBe(0);
  expect(written("incident")).toHaveLength(1);
  expect(writer.dropped).toBe(0);
  expect(heard).toEqual(["22P05"]);
});

it("gives up rows that the database refuses without samples too, and keeps the counts", async () => {
  const { pool, written } = fakePool((one) => (isRows(one) ? refused("54000") : undefined));
  const { writer, add } = writerOn(pool);
  add();
  await expect.poll(() => writer.waiting).toBe(0);
  await expect.poll(() => written("incident_count")).toHaveLength(1);
  expect(writer.dropped).toBe(1);
  add();
  await expect.poll(() => written("incident_count")).toHaveLength(2);
});

it("sends a batch again under the same number where no answer came in time", async () => {
  const numbers: unknown[] = [];
  let isSilent = true;
  const { pool } = fakePool((one) => {
    if (one.text.startsWith("insert into incident_ingest")) numbers.push(one.values?.[1]);
    return one.text === "commit" && numbers.length > 0 && isSilent ? new Promise(() => {}) : undefined;
  });
  const { writer, add } = writerOn(pool, { timeoutMs: 50 });
  add();
  await expect.poll(() => numbers.length > 0 && writer.isAway).toBe(true);
  isSilent = false;
  await expect.poll(() => writer.isAway).toBe(false);
  const again = numbers.length;
  add();
  await expect.poll(() => numbers.at(-1)).toBe(2);
  expect(again).toBeGreaterThan(1);
  expect(new Set(numbers.slice(0, again))).toEqual(new Set([1]));
  expect(new Set(numbers.slice(again))).toEqual(new Set([2]));
});

it("writes at once when many wait, and what comes meanwhile afterwards", async () => {
  const { pool, written } = fakePool(() => undefined);
  const { writer, add } = writerOn(pool, { everyMs: 600_000, rows: 10 });
  for (let count = 0; count < 25; count += 1) add();
  await expect.poll(() => writer.waiting).toBe(0);
  const rows = written("incident").reduce(
    (sum, { values }) => sum + ((values?.[0] as unknown[] | undefined) ?? []).length,
    0,
  );
  expect(rows).toBe(25);
});

it("names the rows that it cannot keep, and counts them", async () => {
  let isAway = true;
  const { pool, written } = fakePool(() => (isAway ? refused("57P01") : undefined));
  const dropped: string[] = [];
  const { writer, add } = writerOn(pool, {
    maxRows: 2,
    onDropped: (rows) => dropped.push(...rows.map(({ id }) => id)),
  });
  expect(writer.hasRoom).toBe(true);
  for (let count = 0; count < 5; count += 1) add();
  expect(writer.hasRoom).toBe(false);
  expect(dropped).toHaveLength(3);
  isAway = false;
  await expect.poll(() => writer.waiting).toBe(0);
  expect(written("incident_count").flatMap(({ values }) => values?.[3] as number[])).toContain(5);
});
