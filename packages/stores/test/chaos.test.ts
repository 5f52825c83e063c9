import { describe, expect, it } from "vitest";
import { runChaos } from "./support/chaos.ts";
import { ENGINES, startKillableEngine } from "./support/engines.ts";

describe("four processes that share keys", { timeout: 180_000 }, () => {
  it.each(ENGINES)(
    "have at most one effect for each key while processes are killed and paused and the engine is restarted: %s",
    async (engine) => {
      const server = await startKillableEngine(engine);
      try {
        const disturbances = ["pause", "kill", "restart", "kill"] as const;
        const report = await runChaos({ engine, server, seconds: 6, seed: 1, disturbances, concurrency: 6 });
        expect(report).toMatchObject({ duplicates: 0, contradictions: 0, kills: 2, pauses: 1, restarts: 1 });
        expect(report.ends["done"]).toBeGreaterThan(5);
        // Everybody was answered in the end.
        const { done = 0, "idempotency/outcome_unknown": unknown = 0 } = report.ends;
        expect(done + unknown).toBe(report.keys);
      } finally {
        await server.close();
      }
    },
  );

  it("have several where they share nothing, which shows that this test can fail", async () => {
    const report = await runChaos({ engine: "memory", seconds: 1, seed: 1, disturbances: [], concurrency: 4 });
    expect(report.duplicates).toBeGreaterThan(0);
  });
});
