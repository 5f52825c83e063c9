// Random calls and random moments, for some seconds; mid-call.test.ts shows each case for itself.
import { describe, it } from "vitest";
import { runChaos } from "./support/chaos.ts";
import { ENGINES, startKillableEngine } from "./support/engines.ts";

const SIZE = { processes: 4, seconds: 6, disturbances: ["pause", "kill", "restart", "kill"] } as const;
const KILLS = SIZE.disturbances.filter((what) => what === "kill").length;

describe.concurrent("processes that share keys", { timeout: 180_000 }, () => {
  it.for(ENGINES)(
    "have at most one effect for each key while processes are killed and paused and the engine is restarted: %s",
    async (engine, { expect }) => {
      const server = await startKillableEngine(engine);
      try {
        const report = await runChaos({ engine, server, seed: 1, ...SIZE, concurrency: 6 });
        expect(report).toMatchObject({ duplicates: 0, contradictions: 0, kills: KILLS, pauses: 1, restarts: 1 });
        expect(report.ends["done"]).toBeGreaterThan(5);
        // Everybody was answered in the end.
        const { done = 0, "idempotency/outcome_unknown": unknown = 0 } = report.ends;
        expect(done + unknown).toBe(report.keys);
      } finally {
        await server.close();
      }
    },
  );

  it("have several where they share nothing, which shows that this test can fail", async ({ expect }) => {
    const report = await runChaos({
      engine: "memory",
      processes: 2,
      seconds: 1,
      seed: 1,
      disturbances: [],
      concurrency: 4,
    });
    expect(report.duplicates).toBeGreaterThan(0);
  });
});
