import { AdapterError } from "@recourse/bridge";
import type { FaultError } from "@recourse/faults";
import { createMigratedDatabase } from "@recourse/reference-shared/testing";
import { flakyProxy } from "@recourse/test-kit/network";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { openDatabase } from "./database.ts";

const there = await createMigratedDatabase(new URL("../../", import.meta.url));
afterAll(() => there.drop());
const cable = await flakyProxy(there.url);
const database = openDatabase({ url: cable.url });
afterAll(async () => {
  await database.close();
  await cable.close();
});
const { signal } = new AbortController();
const ADD = "insert into country (code) values ($1)";
const isThere = async (code: string) => (await there.query("select from country where code = $1", [code])).length === 1;
const faultOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable(),
    (thrown: FaultError) => thrown.fault,
  );

test("the statements of a transaction are committed together", async () => {
  await database.transaction(signal, async (query) => {
    await query(ADD, ["AA"]);
    await query(ADD, ["AB"]);
  });
  expect([await isThere("AA"), await isThere("AB")]).toEqual([true, true]);
});

test("a declared failure stays unchanged, and the transaction is rolled back", async () => {
  const thrown = new AdapterError("ORDER_NOT_FOUND");
  const work = database.transaction(signal, async (query) => {
    await query(ADD, ["BB"]);
    throw thrown;
  });
  await expect(work).rejects.toBe(thrown);
  expect(await isThere("BB")).toBe(false);
});

test("a statement that fails changed nothing", async () => {
  const work = database.transaction(signal, async (query) => {
    await query(ADD, ["CC"]);
    await query("select nothing");
  });
  expect(await faultOf(work)).toMatchObject({ reason: "adapter/failed", effect: "none" });
  expect(await isThere("CC")).toBe(false);
});

test("a connection lost before the commit changed nothing; lost during the commit, it may have", async () => {
  const before = database.transaction(signal, async (query) => {
    cable.disconnect();
    await query("select 1");
  });
  expect(await faultOf(before)).toMatchObject({ reason: "adapter/unavailable", effect: "none" });
  cable.reconnect();
  const at = database.transaction(signal, async (query) => {
    await query("select 1");
    cable.disconnect();
  });
  expect(await faultOf(at)).toMatchObject({ reason: "adapter/unavailable", effect: "possible" });
  cable.reconnect();
  expect(await database.read(signal, "select 1 as one")).toEqual([{ one: 1 }]);
});

test("a statement is ended when its caller gives up", async () => {
  const giveUp = new AbortController();
  const work = database.transaction(giveUp.signal, async (query) => {
    await query(ADD, ["DD"]);
    giveUp.abort();
    await query("select pg_sleep(60)");
  });
  // It was cut off, and did not run into the limit of time.
  expect(await faultOf(work)).toMatchObject({ reason: "adapter/unavailable", effect: "none" });
  await expect.poll(() => isThere("DD")).toBe(false);
});

test("a database that cannot be reached fails at once, without an effect", async () => {
  const away = openDatabase({ url: "postgres://postgres@127.0.0.1:1/orders" });
  onTestFinished(() => away.close());
  expect(await faultOf(away.read(signal, "select 1"))).toMatchObject({ reason: "adapter/unavailable", effect: "none" });
});
