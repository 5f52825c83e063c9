// PostgreSQL is killed and restarted under load.
import { setTimeout as wait } from "node:timers/promises";
import { type Cluster, createCluster } from "@recourse/test-kit/postgres";
import { isNightly } from "@recourse/test-kit/runs";
import { expectNoLeak } from "@recourse/testing";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answered, load } from "./support/load.ts";
import { type Process, startProcess } from "./support/process.ts";

const CALLERS = 6;
const OPEN = ["ping", "validate_gtin"];
/** A leak shows only in the second outage. */
const TIMES = isNightly ? 3 : 1;
/** The answers that are looked at in each part. */
const ENOUGH = isNightly ? 400 : 100;

interface Outage {
  /** To calls that were made while the database was gone. */
  readonly during: readonly Answered[];
  /** To calls that were made once all had been well again. */
  readonly after: readonly Answered[];
  readonly usage: ReturnType<Process["usage"]>;
  readonly connections: number;
}

let cluster: Cluster;
let server: Process;
let answers: readonly Answered[] = [];
const outages: Outage[] = [];

beforeAll(async () => {
  cluster = await createCluster({ database: "gtin" });
  // A small heap is collected often, so that a leak would show.
  const NODE_OPTIONS = "--max-old-space-size=96 --max-semi-space-size=2";
  server = await startProcess({ DATABASE_URL: cluster.url, CALLS_PER_MINUTE: "999999999", NODE_OPTIONS });
  const running = load(server.url, CALLERS);
  answers = running.answers;
  await until(() => answers.length >= ENOUGH);
  for (let time = 0; time < TIMES; time++) outages.push(await outage());
  await running.stop();
}, 300_000);
afterAll(async () => {
  await server?.end();
  await cluster?.close();
});

async function outage(): Promise<Outage> {
  await cluster.kill();
  const [during] = await answersUntil((list) => lastPing(list).includes("down"));
  await cluster.start();
  const [, wellMs] = await answersUntil(
    (list) => list.findLast(({ tool }) => !OPEN.includes(tool))?.text.includes("example.com") === true,
    1,
  );
  const [after] = await answersUntil((list) => lastPing(list).includes("up"), ENOUGH, wellMs);
  return { during, after, usage: server.usage(), connections: await connections() };
}

const lastPing = (list: readonly Answered[]) => list.findLast(({ tool }) => tool === "ping")?.text ?? "";

/** The answers to calls that are made from now on, as soon as there are enough and they satisfy; and the time by then. */
async function answersUntil(
  satisfies: (list: readonly Answered[]) => boolean,
  enough = ENOUGH,
  fromMs = performance.now(),
): Promise<readonly [list: readonly Answered[], atMs: number]> {
  let list: readonly Answered[] = [];
  await until(() => {
    list = answers.filter(({ beganMs }) => beganMs >= fromMs);
    return list.length >= enough && satisfies(list);
  });
  return [list, performance.now()];
}

async function until(isTrue: () => boolean): Promise<void> {
  // The interval of a poll.
  while (!isTrue()) await wait(20);
}

async function connections(): Promise<number> {
  const client = new pg.Client({ connectionString: cluster.url });
  await client.connect();
  const { rows } = await client.query<{ n: number }>(
    "select count(*)::int as n from pg_stat_activity where datname = 'gtin' and pid <> pg_backend_pid()",
  );
  await client.end();
  return rows[0]?.n ?? 0;
}

const failed = ({ status, text }: Answered) => status !== 200 || text.includes('"isError":true');
const count = (list: readonly Answered[], tool: string) => list.filter((one) => one.tool === tool).length;

test("ping and validate_gtin never failed", () => {
  const open = answers.filter(({ tool }) => OPEN.includes(tool));
  expect(open.length).toBeGreaterThan(100);
  expect(open.filter(failed)).toEqual([]);
});

describe.each(Array.from({ length: TIMES }, (_, time) => time))("outage %i", (time) => {
  const part = () => outages[time] as Outage;

  test("ping reported that the database was down, and later that it was up", () => {
    expect(lastPing(part().during)).toMatch(/"database\\?":\\?"down/);
    expect(lastPing(part().after)).toMatch(/"database\\?":\\?"up/);
  });

  test("all other tools failed with a wait", () => {
    const others = part().during.filter(({ tool }) => !OPEN.includes(tool));
    expect(count(others, "resolve_gtin")).toBeGreaterThan(5);
    expect(count(others, "lookup_product")).toBeGreaterThan(5);
    const forms = [
      /"error_code":"internal_error","retryable":true,"retry_after":2,/,
      /"class":"dependency".*"retry":\{"allowed":true,"afterMs":2000\}/,
    ];
    for (const { text } of others)
      expect(
        forms.some((form) => form.test(text)),
        text,
      ).toBe(true);
  });

  test("the server recovered by itself", () => {
    expect(part().after.length).toBeGreaterThan(CALLERS);
    expect(part().after.filter(failed)).toEqual([]);
  });

  test("no detail of the outage leaked", () => {
    const secrets = [`:${cluster.port}`, "ECONN", "terminat", "postgres", "pg_", "57P0", "at async", "/reference/"];
    for (const { text } of part().during) expectNoLeak(text, secrets);
  });
});

test("there were never more connections than the server may have", () => {
  for (const { connections: open } of outages) expect(open).toBeLessThanOrEqual(10);
});

test.runIf(isNightly)("neither files nor memory grew from one outage to the next", () => {
  const [first, last] = [outages[0], outages.at(-1)];
  expect(last?.usage.files).toBeLessThanOrEqual((first?.usage.files ?? 0) + 10);
  expect(last?.usage.memoryMiB).toBeLessThan((first?.usage.memoryMiB ?? 0) * 1.25);
});

test("the operator got the cause of every failure, under the id that the caller got", () => {
  const [, incident] =
    /"incident":"(\w+)"/.exec(outages[0]?.during.find(({ text }) => text.includes('"incident"'))?.text ?? "") ?? [];
  expect(incident).toBeDefined();
  expect(server.lines.some((line) => line.includes(String(incident)))).toBe(true);
  expect(server.lines.some((line) => /ECONNREFUSED|terminated/.test(line))).toBe(true);
});

test("it ends on SIGTERM", async () => {
  expect(await server.end()).toBe(0);
});
