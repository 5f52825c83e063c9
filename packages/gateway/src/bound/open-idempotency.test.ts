import { expect, it } from "vitest";
import { openIdempotency } from "./open-idempotency.ts";

const STORES = { mode: "memory", close: async () => {} } as const;
const OBSERVER = { switched() {}, log() {} };
const open = (mode: "off" | "memory" | "shared") =>
  openIdempotency({ idempotency: { mode, keepMs: 60_000 } }, STORES, OBSERVER);

it("keeps no keys where they are off", async () => {
  expect(await open("off")).toBeUndefined();
});

it("keeps them in memory where that is asked for", async () => {
  const keys = await open("memory");
  const hex = "2e".repeat(32);
  expect(await keys?.begin(hex, hex, { owner: hex, deadlineMs: 1, honoured: false })).toMatchObject({ state: "new" });
  await keys?.close();
});

it("does not pretend that memory is shared", async () => {
  await expect(open("shared")).rejects.toThrow(TypeError);
});
