// What flags of Node change in the gateway, each in a process of its own and in turns with the default:
//   node --conditions=@recourse/source bench/node-flags.ts [--flags="--max-semi-space-size=4,--max-semi-space-size=8"]
//     [--variants leased,leased-large] [--rounds 60] [--seconds 0.15]
// Prints CPU per call and calls a second relative to the default, with the interval of bench/gateway.ts. The default is
// measured twice: the second one shows what the figures are worth.
import { parseArgs } from "node:util";
import { seededRandom } from "@recourse/test-kit/seeded-random";
import type { Round } from "./gateway/measure.ts";
import { SeparateProcesses } from "./gateway/separate.ts";
import { estimateText, medianOf, pairedRatio, shuffled } from "./gateway/statistics.ts";
import { readVariants, VARIANTS } from "./gateway/variants.ts";

const { values } = parseArgs({
  options: {
    flags: { type: "string", default: [1, 4, 8, 16].map((size) => `--max-semi-space-size=${size}`).join(",") },
    variants: { type: "string", default: "leased,leased-large" },
    rounds: { type: "string", default: "60" },
    seconds: { type: "string", default: "0.15" },
  },
});
const CONNECTIONS = 16;
const WARM_SECONDS = 3;
const SEED = 7;
const TEXT = { maxHalfWidth: 0.1 };

const conditions = process.execArgv.filter((flag) => flag.startsWith("--conditions"));
const names = ["default", "default, again", ...values.flags.split(",")];
const turns = { rounds: 1, seconds: Number(values.seconds), connections: CONNECTIONS };
const random = seededRandom(SEED);
const opened: { readonly name: string; readonly processes: SeparateProcesses }[] = [];
try {
  for (const name of names) {
    const flags = [...conditions, ...(name.startsWith("--") ? name.split(" ") : [])];
    opened.push({
      name,
      processes: await SeparateProcesses.open({ before: undefined, flags, warmSeconds: WARM_SECONDS }),
    });
  }
  for (const id of readVariants(values.variants)) {
    const seen = new Map<string, Round[]>(names.map((name) => [name, []]));
    for (let turn = 0; turn < Number(values.rounds); turn++) {
      for (const { name, processes } of shuffled(opened, random)) {
        const [measured] = await processes.inTurns([{ id }], turns);
        seen.get(name)?.push(...(measured?.rounds ?? []));
      }
    }
    print(VARIANTS[id].name, seen);
  }
} finally {
  for (const { processes } of opened) await processes.close();
}
process.exit(0);

function print(title: string, seen: ReadonlyMap<string, readonly Round[]>): void {
  const of = (name: string, member: "cpuUs" | "perSecond") => (seen.get(name) ?? []).map((one) => one[member]);
  console.log(`\n${title}: ${values.rounds} rounds of ${values.seconds} s in turns, ${CONNECTIONS} connections\n`);
  console.log("| flags | CPU µs per call | calls/s | of the default: CPU | calls/s |\n| --- | --- | --- | --- | --- |");
  for (const name of seen.keys()) {
    const cells = [
      name,
      medianOf(of(name, "cpuUs")).toFixed(0),
      medianOf(of(name, "perSecond")).toFixed(0),
      estimateText(pairedRatio(of(name, "cpuUs"), of("default", "cpuUs")), TEXT),
      estimateText(pairedRatio(of(name, "perSecond"), of("default", "perSecond")), TEXT),
    ];
    console.log(`| ${cells.join(" | ")} |`);
  }
}
