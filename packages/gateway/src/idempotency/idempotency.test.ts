import { core } from "@recourse/core/reasons";
import { memoryIdempotency } from "@recourse/core/server";
import type { SharedIdempotencyStore } from "@recourse/stores/postgres";
import { expect, it, onTestFinished } from "vitest";
import { countKeys, openIdempotency, withAwayGate } from "./idempotency.ts";

const STORES = { mode: "memory", close: async () => {} } as const;
const OBSERVER = { switched() {}, log() {} };

it("keeps keys in the process without a database", async () => {
  const keys = await openIdempotency({ idempotency: { keepMs: 60_000 } }, STORES, OBSERVER);
  const hex = "2e".repeat(32);
  const claim = { owner: hex, deadlineMs: 60_000, honoured: false };
  expect(await keys.begin(hex, hex, claim)).toMatchObject({ state: "new" });
  expect(await keys.begin(hex, hex, claim)).toMatchObject({ state: "running" });
  await keys.close();
});

const KEY = "1f".repeat(32);
const CLAIM = { owner: KEY, deadlineMs: 1_000, honoured: false };

function world() {
  const memory = memoryIdempotency();
  const state: { broken: unknown; asked: number } = { broken: undefined, asked: 0 };
  const run = <T>(work: () => Promise<T>): Promise<T> => {
    state.asked += 1;
    return state.broken === undefined ? work() : Promise.reject(state.broken);
  };
  const store: SharedIdempotencyStore = {
    begin: (key, digest, claim) => run(() => memory.begin(key, digest, claim)),
    find: (key, digest) => run(() => memory.find(key, digest)),
    settle: (key, fence, outcome) => run(() => memory.settle(key, fence, outcome)),
    release: (key, fence) => run(() => memory.release(key, fence)),
    extend: (key, fence, deadlineMs) => run(() => memory.extend(key, fence, deadlineMs)),
    close: async () => {},
  };
  const switches: string[] = [];
  const lines: unknown[] = [];
  const idempotency = withAwayGate(
    store,
    {
      switched: (control, state) => void switches.push(`${control} ${state}`),
      log: (_level, message, facts) => void lines.push([message, facts]),
    },
    1_000,
  );
  onTestFinished(() => idempotency.close());
  return { idempotency, state, switches, lines };
}

it("asks a store that is away no more, until a probe has found it", async () => {
  const { idempotency, state, switches, lines } = world();
  state.broken = Object.assign(new Error("connect to 10.0.0.1"), { code: "ECONNREFUSED" });
  await expect(idempotency.begin(KEY, KEY, CLAIM)).rejects.toThrow();
  const asked = state.asked;
  await expect(idempotency.begin(KEY, KEY, CLAIM)).rejects.toThrow();
  await expect(idempotency.find(KEY, KEY)).rejects.toThrow();
  expect(state.asked).toBe(asked);
  expect(switches).toEqual(["idempotency away"]);
  expect(lines).toEqual([[expect.any(String), { code: "ECONNREFUSED" }]]);
  state.broken = undefined;
  await expect.poll(() => switches).toEqual(["idempotency away", "idempotency back"]);
  expect(await idempotency.begin(KEY, KEY, CLAIM)).toMatchObject({ state: "new" });
});

it("passes on what the store itself refuses, and goes on asking", async () => {
  const { idempotency, state, switches } = world();
  state.broken = core.rate_limited({}, { retry: { allowed: true, afterMs: 5 } });
  await expect(idempotency.begin(KEY, KEY, CLAIM)).rejects.toBe(state.broken);
  state.broken = undefined;
  expect(await idempotency.find(KEY, KEY)).toEqual({ state: "absent" });
  expect(switches).toEqual([]);
});

it("makes changes although the store is away, and says so once", async () => {
  const { idempotency, state, switches } = world();
  const begun = await idempotency.begin(KEY, KEY, CLAIM);
  const fence = begun.state === "new" ? begun.fence : 0;
  state.broken = new Error("gone");
  await expect(idempotency.settle(KEY, fence, "1")).rejects.toThrow("gone");
  await expect(idempotency.release(KEY, fence)).rejects.toThrow("gone");
  expect(switches).toEqual(["idempotency away"]);
  state.broken = undefined;
  await idempotency.settle(KEY, fence, "1");
  await expect.poll(() => switches).toHaveLength(2);
  expect(await idempotency.find(KEY, KEY)).toEqual({ state: "settled", outcome: "1" });
});

const DIGEST = "aa".repeat(32);

it("counts every answer that a key can get", async () => {
  let nowMs = 1_000;
  const testing = { clock: { monotonic: () => nowMs } };
  const memory = memoryIdempotency({ maxKeys: 3, maxKeysPerCaller: 3, testing });
  const keys = countKeys({ ...memory, close: async () => {} });
  const begin = (key: string, changes: Partial<typeof CLAIM> = {}, digest = DIGEST) =>
    keys.begin(key.repeat(64), digest, { ...CLAIM, ...changes });
  const first = await begin("1");
  await begin("1");
  if (first.state === "new") await keys.settle("1".repeat(64), first.fence, "{}");
  await begin("1");
  await begin("1", {}, "cc".repeat(32));
  await begin("2");
  nowMs += 2_000;
  await begin("2");
  await begin("2", { honoured: true });
  await begin("3");
  await expect(begin("4")).rejects.toThrow();
  // A key that nobody used is no outcome.
  await keys.find("5".repeat(64), DIGEST);
  await keys.find("1".repeat(64), DIGEST);
  expect(keys.counts).toEqual({
    ...{ fresh: 3, taken_over: 1, stored: 2, running: 1 },
    ...{ unknown: 1, reused: 1, refused: 1, unavailable: 0 },
  });
});

it("tells a store that is down from one that refuses", async () => {
  const failing = (error: Error) => ({
    ...memoryIdempotency(),
    begin: () => Promise.reject(error),
    close: async () => {},
  });
  const down = countKeys(failing(new Error("no answer in time")));
  const full = countKeys(failing(core.overloaded()));
  for (const keys of [down, full]) await expect(keys.begin("1".repeat(64), DIGEST, CLAIM)).rejects.toThrow();
  expect(down.counts).toMatchObject({ unavailable: 1, refused: 0 });
  expect(full.counts).toMatchObject({ unavailable: 0, refused: 1 });
});
