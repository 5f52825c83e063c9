// Four processes race for idempotency keys while processes are killed and paused, and the engine is restarted:
//   npm run bench -- chaos-stores <minutes for each engine> [seed]

import { seededRandom } from "@recourse/test-kit/seeded-random";
import { DISTURBANCES, runChaos } from "../packages/stores/test/support/chaos.ts";
import { ENGINES, startKillableEngine } from "../packages/stores/test/support/engines.ts";

const minutes = Number(process.argv[2] ?? 1);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000);
/** About one disturbance in so many seconds. */
const PACE_S = 3;

console.log(`four processes, ${minutes} min for each engine, seed ${seed}`);
for (const engine of ENGINES) {
  const random = seededRandom(seed);
  const seconds = minutes * 60;
  const disturbances = Array.from(
    { length: Math.floor(seconds / PACE_S) },
    () => DISTURBANCES[Math.floor(random() * DISTURBANCES.length)] ?? "kill",
  );
  const server = await startKillableEngine(engine);
  try {
    const { ends, ...report } = await runChaos({ engine, server, seconds, seed, disturbances });
    console.log(
      `${engine}: ${Object.entries(report)
        .map((entry) => entry.toReversed().join(" "))
        .join(", ")}`,
    );
    console.log(`  how keys ended: ${JSON.stringify(ends)}`);
    if (report.duplicates > 0 || report.contradictions > 0) process.exitCode = 1;
  } finally {
    await server.close();
  }
}
