import { expect, it } from "vitest";
import { memoryApprovals } from "./memory-approvals.ts";

const DAY_MS = 86_400_000;

function storeOf(max: number) {
  let time = 1_000;
  const store = memoryApprovals({ now: () => time, max, bounds: { calls: 2, bytes: 1_000 } });
  let asked = 0;
  const ask = async (caller: string) => {
    asked += 1;
    const request = { binding: `${asked}`, tenant: "acme", caller, tool: "shop__refund", arguments: "{}", policy: "p" };
    return store.consume({ ...request, expiresMs: 100 }, `${asked}`);
  };
  const all = () => store.list({ limit: 100 });
  return { store, ask, all, pass: (ms: number) => (time += ms) };
}

it("what nobody decided is shown without its arguments, and gone after a day; what was decided stays", async () => {
  const { store, ask, all, pass } = storeOf(100);
  const decided = await ask("ann");
  const id = "id" in decided ? decided.id : "";
  await store.decide({ id, approve: false, by: "eve" });
  pass(1);
  await ask("ann");
  pass(100);
  const texts = async () => (await all()).map((one) => one.arguments);
  expect(await texts()).toEqual(["", "{}"]);
  expect(await store.deleteOld(30 * DAY_MS)).toBe(0);
  expect(await texts()).toEqual(["", "{}"]);
  pass(DAY_MS + 1);
  expect(await store.deleteOld(30 * DAY_MS)).toBe(1);
  expect((await all()).map((one) => one.id)).toEqual([id]);
});

it("forgets the oldest that is over where it is full, and asks nobody where all are live", async () => {
  const { store, ask, all, pass } = storeOf(2);
  const first = await ask("ann");
  const id = "id" in first ? first.id : "";
  await store.decide({ id, approve: true, by: "eve" });
  expect(await ask("bob")).toMatchObject({ state: "pending" });
  expect(await ask("cid")).toMatchObject({ state: "full", waitMs: 100 });
  pass(100);
  expect(await ask("cid")).toMatchObject({ state: "pending" });
  expect((await all()).map(({ caller }) => caller).toSorted()).toEqual(["bob", "cid"]);
});

it("holds nothing of a caller whose approvals were all deleted", async () => {
  const { store, ask, all, pass } = storeOf(100);
  await ask("ann");
  await ask("bob");
  pass(101);
  expect(await store.deleteOld(0)).toBe(2);
  expect(await all()).toEqual([]);
});
