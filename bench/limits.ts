// Four processes with wrong clocks share the limits of 200 keys, undisturbed and disturbed:
//   node --conditions=@recourse/source bench/limits.ts [--seconds 10] [--active 0.1] [--seed 1] [--short]
import { parseArgs } from "node:util";
import { connectRedis, createRedisServer } from "@recourse/test-kit/redis";
import { runAdversary } from "../packages/stores/test/limits/support/adversary.ts";
import { costsOf } from "./limits/costs.ts";
import { runScenario, SCENARIOS } from "./limits/scenarios.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string" },
    seed: { type: "string" },
    // The part of the keys in use at one moment: more needs more cores.
    active: { type: "string", default: "0.1" },
    short: { type: "boolean", default: false },
  },
});
const isShort = values.short;
const seconds = Number(values.seconds ?? (isShort ? 3 : 10));
const active = Number(values.active);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
console.log(`4 replicas, 200 keys, ${active * 100} % of them in use, ${seconds} s for each run, seed ${seed}`);

let failures = 0;
for (const scenario of isShort ? SCENARIOS.slice(0, 2) : SCENARIOS) {
  const report = await runScenario(scenario, { seed, seconds, active });
  const { decisions, passed, over, roundTrips, away, switches, under, otherAnswers, note } = report;
  console.log(`\n${scenario}${note === "" ? "" : ` (${note})`}`);
  console.log(`  ${decisions} decisions, ${passed} passed, over-admission ${over}`);
  console.log(`  under-admission: ${[...under].map(([rate, share]) => `${rate}/s ${share.toFixed(2)} %`).join(", ")}`);
  console.log(`  ${(roundTrips / decisions).toFixed(2)} round trips for a decision`);
  console.log(
    `  ${away} calls answered "away", ${switches} switches, ${otherAnswers} other answers while Redis was away`,
  );
  failures += over + otherAnswers;
}

if (!isShort) {
  const server = await createRedisServer({ durable: false });
  const client = await connectRedis(server.url);
  const report = await runAdversary({ client, seed, seconds });
  console.log(`\nadversary: ${report.requests} requests, ${report.spent} tokens spent, over-admission ${report.over}`);
  failures += report.over;
  client.destroy();
  await server.close();
}

console.log("\nCPU of the process for one decision, in µs: fastest tenth, median");
for (const { name, fast, median } of await costsOf({ rounds: isShort ? 3 : 12 })) {
  console.log(`  ${name}: ${fast.toFixed(1)}, ${median.toFixed(1)}`);
}
if (failures > 0) process.exitCode = 1;
