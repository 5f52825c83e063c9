import { core } from "@recourse/core/reasons";
import { memoryIdempotency } from "@recourse/core/server";
import { expect, it } from "vitest";
import { countKeys } from "./counted-keys.ts";

const DIGEST = "aa".repeat(32);
const CLAIM = { owner: "bb".repeat(32), deadlineMs: 1_000, honoured: false };

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
