import { idempotencyStoreLaws } from "@recourse/testing";
import { afterAll, beforeAll, describe, it } from "vitest";
import { type Connected, connect, ENGINES, startEngine } from "./support/engines.ts";

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

  // The laws wait for real clocks, so they wait together.
  describe.concurrent("keeps the laws", () => {
    for (const law of idempotencyStoreLaws((limits) => connected.store(limits))) it(law.name, () => law.run());
  });
});
