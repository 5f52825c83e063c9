import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Connected, connect, ENGINES, startEngine } from "./support/engines.ts";
import { slowLaws } from "./support/slow-time.ts";

describe.each(ENGINES)("the store on %s", (name) => {
  let engine: { readonly url: string; close(): Promise<void> };
  let connected: Connected;
  beforeAll(async () => {
    engine = await startEngine(name);
    connected = await connect(name, engine.url);
  });
  afterAll(async () => {
    await connected?.close();
    await engine?.close();
  });

  describe("keeps the laws", () => {
    const laws = slowLaws({ store: (limits) => connected.store(limits), age: (ms) => connected.age(ms) });
    for (const law of laws) it(law.name, () => law.run());
  });

  it("says that a claim was taken over, and of no other claim", async () => {
    const store = connected.store();
    const begin = (key: string) =>
      store.begin(key.repeat(64), "d".repeat(64), { owner: "e".repeat(64), deadlineMs: 0, honoured: true });
    expect(await begin("a")).not.toHaveProperty("isTakenOver");
    expect(await begin("a")).toMatchObject({ state: "new", isTakenOver: true });
    expect(await begin("b")).not.toHaveProperty("isTakenOver");
  });
});
