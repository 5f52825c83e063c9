// A key that is only looked up, on real engines and in memory.
import { randomBytes } from "node:crypto";
import { memoryIdempotency, type SearchableIdempotencyStore } from "@recourse/core/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Connected, connect, ENGINES, startEngine } from "./support/engines.ts";

const hex = () => randomBytes(32).toString("hex");
const DIGEST = hex();
const OWNER = hex();

describe.each([...ENGINES, "memory"] as const)("the store on %s", (name) => {
  let engine: { readonly url: string; close(): Promise<void> } | undefined;
  let connected: Connected | undefined;
  beforeAll(async () => {
    if (name === "memory") return;
    engine = await startEngine(name);
    connected = await connect(name, engine.url);
  });
  afterAll(async () => {
    await connected?.close();
    await engine?.close();
  });

  const storeWith = (limits: { readonly keepMs: number; readonly maxOutcomeLength: number }) =>
    connected?.store(limits) ?? memoryIdempotency(limits);

  async function claim(store: SearchableIdempotencyStore, key: string, deadlineMs: number): Promise<number> {
    const begun = await store.begin(key, DIGEST, { owner: OWNER, deadlineMs, honoured: false });
    if (begun.state !== "new") throw new Error(`the key is ${begun.state}`);
    return begun.fence;
  }

  it("finds each state, and claims nothing", async () => {
    const store = storeWith({ keepMs: 60_000, maxOutcomeLength: 10 });
    const key = hex();
    expect(await store.find(key, DIGEST)).toEqual({ state: "absent" });
    expect(await store.find(key, DIGEST)).toEqual({ state: "absent" });
    const fence = await claim(store, key, 60_000);
    expect(await store.find(key, DIGEST)).toEqual({ state: "running" });
    expect(await store.find(key, hex())).toEqual({ state: "other" });
    await store.settle(key, fence, "null");
    expect(await store.find(key, DIGEST)).toEqual({ state: "settled", outcome: "null" });
    expect(await store.find(key, hex())).toEqual({ state: "other" });
    const long = hex();
    await store.settle(long, await claim(store, long, 60_000), "x".repeat(11));
    expect(await store.find(long, DIGEST)).toEqual({ state: "settled", outcome: undefined });
  });

  it("finds a claim that is late, and leaves it to its owner", async () => {
    const store = storeWith({ keepMs: 60_000, maxOutcomeLength: 10 });
    const key = hex();
    const fence = await claim(store, key, 0);
    await expect.poll(() => store.find(key, DIGEST)).toEqual({ state: "unknown" });
    await store.settle(key, fence, "1");
    expect(await store.find(key, DIGEST)).toEqual({ state: "settled", outcome: "1" });
  });

  it("does not find what has expired", async () => {
    const store = storeWith({ keepMs: 1, maxOutcomeLength: 10 });
    const key = hex();
    await store.settle(key, await claim(store, key, 0), "1");
    await expect.poll(() => store.find(key, DIGEST)).toEqual({ state: "absent" });
  });
});
