// What a call costs in the gateway, beside bare proxies and public ones: npm run build, then
//   node bench/gateway.ts [--short] [--variants piped,leased] [--parts calls,latency,replicas] [--rounds 160] [--seconds 0.1]
//   node bench/gateway.ts --before <folder of another checkout, built>   the gateways of both, beside the piped proxy
//   node bench/gateway.ts --in-process [--before <folder>] [--variants leased,exact] [--seconds 45] [--profile leased]
// With `--conditions=@recourse/source` it needs no build, nor does the other checkout.
// Each variant is a process of its own, on a core of its own; they take turns in many short rounds. A figure is the median
// over the rounds of its ratio to the piped proxy in the same round, with the interval in which the true one lies in 95 of
// 100 cases. If half of that is more than 5 % of the figure (--max-interval), the figure is not shown. The bench prints
// tables, and writes .cache/gateway-bench.json.
// In one process everything is cheaper to measure, and so differences of a few percent show within a minute; it is for
// development. `--profile` shows where the time of a variant goes, and writes .cache/profiles.
import { mkdirSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { runInProcess } from "./gateway/in-process.ts";
import { inProcessFigures } from "./gateway/in-process-table.ts";
import { profileTables } from "./gateway/profile.ts";
import { type Measured, SeparateProcesses, type Subject } from "./gateway/separate.ts";
import { beforeTable, callTable, latencyTable, replicaTable } from "./gateway/separate-tables.ts";
import { BASES, readVariants, VARIANTS, type VariantId } from "./gateway/variants.ts";

const { values } = parseArgs({
  options: {
    "in-process": { type: "boolean", default: false },
    before: { type: "string" },
    variants: { type: "string" },
    parts: { type: "string" },
    rounds: { type: "string" },
    seconds: { type: "string" },
    rate: { type: "string", default: "2000" },
    short: { type: "boolean", default: false },
    "max-interval": { type: "string", default: "5" },
    profile: { type: "string" },
  },
});
const CONNECTIONS = 16;
const LATENCY_CONNECTIONS = 64;
/** Longer than others: a p99 needs some hundred calls. */
const LATENCY_TURNS = { rounds: 40, seconds: 0.25 };
/** Calls of a turn in one process: a few milliseconds. */
const TURN_CALLS = 48;
const SHORT: readonly VariantId[] = [
  "piped",
  "piped-again",
  "off",
  "leased",
  "exact",
  "piped-sentence",
  "failing-sentence",
];
const COMPARED: readonly VariantId[] = [
  "piped",
  "piped-again",
  "off",
  "leased",
  "exact",
  "keyed",
  "failing-sentence",
  "failing-5xx",
  "leased-large",
];
const IN_PROCESS: readonly VariantId[] = ["piped-again", "leased"];
/** Those that can serve the rate. */
const LATENCY: readonly VariantId[] = ["direct", "piped", "piped-again", "off", "leased", "leased-again", "exact"];
const REPLICAS = [1, 2, 4];
const options = { maxHalfWidth: Number(values["max-interval"]) / 100 };
const { before } = values;
const chosen = values.variants === undefined ? undefined : readVariants(values.variants);

const results = values["in-process"] ? await measureInProcess() : await measureSeparately();
mkdirSync(".cache", { recursive: true });
writeFileSync(".cache/gateway-bench.json", `${JSON.stringify({ node: process.version, ...results }, null, 2)}\n`);
process.exit(0);

async function measureInProcess() {
  const [profiled] = values.profile === undefined ? [] : readVariants(values.profile);
  const variants = chosen ?? (profiled === undefined ? IN_PROCESS : []);
  const run = await runInProcess({
    variants: profiled === undefined ? variants : [...variants, profiled],
    profiled,
    before,
    seconds: Number(values.seconds ?? 45),
    calls: TURN_CALLS,
    connections: CONNECTIONS,
  });
  const { figures, table } = inProcessFigures(run, options);
  console.log(`\n${run.subjects[0]?.cpuUs.length} rounds of ${TURN_CALLS} calls, all in one process\n\n${table}`);
  if (run.profiles !== undefined) {
    const { of, direct } = run.profiles;
    console.log(`\n${profileTables(of, direct)}\n\n${of.file}`);
  }
  return { inProcess: figures };
}

async function measureSeparately() {
  const turns = { rounds: Number(values.rounds ?? (values.short ? 40 : 160)), seconds: Number(values.seconds ?? 0.1) };
  const parts = (values.parts ?? defaultParts()).split(",");
  const flags = process.execArgv.filter((flag) => flag.startsWith("--conditions"));
  const processes = await SeparateProcesses.open({ before, flags, warmSeconds: values.short ? 1.5 : 3 });
  const measured: Record<string, readonly Measured[]> = {};
  try {
    if (parts.includes("calls")) {
      measured["calls"] = await processes.inTurns(bothCheckouts(compared()), { ...turns, connections: CONNECTIONS });
      const { rounds, seconds } = turns;
      const about = `${rounds} rounds of ${seconds} s in turns, ${CONNECTIONS} connections; CPU of the proxy process`;
      console.log(`\n${about}\n\n${callTable(measured["calls"], options)}`);
    }
    if (parts.includes("latency")) {
      const rate = Number(values.rate);
      const ids = LATENCY.filter((id) => id === "piped" || chosen === undefined || chosen.includes(id));
      measured["latency"] = await processes.inTurns(bothCheckouts(ids), {
        ...LATENCY_TURNS,
        connections: LATENCY_CONNECTIONS,
        rate,
      });
      console.log(`\nat ${rate} calls/s, each arriving on time; ms\n\n${latencyTable(measured["latency"])}`);
    }
    if (before !== undefined && measured["calls"] !== undefined) {
      console.log(`\nbefore → now\n\n${beforeTable(measured["calls"], measured["latency"] ?? [], options)}`);
    }
    if (parts.includes("replicas")) {
      const subjects = (["leased", "exact"] as const).flatMap((id) => REPLICAS.map((replicas) => ({ id, replicas })));
      measured["replicas"] = await processes.inTurns(subjects, { ...turns, connections: CONNECTIONS });
      const about = `replicas that share the traffic of ${CONNECTIONS} connections; CPU of all of them together`;
      console.log(`\n${about}\n\n${replicaTable(measured["replicas"], options)}`);
    }
  } finally {
    await processes.close();
  }
  return { ...turns, ...measured };
}

function defaultParts(): string {
  if (values.short) return "calls";
  return before === undefined ? "calls,latency,replicas" : "calls,latency";
}

/** What is asked for, and the piped proxies that it is compared with. */
function compared(): readonly VariantId[] {
  const all = (Object.keys(VARIANTS) as VariantId[]).filter((id) => VARIANTS[id].proxy.kind !== "none");
  const asked = chosen ?? (values.short ? SHORT : before === undefined ? all : COMPARED);
  return [...new Set<VariantId>([...asked.map((id) => BASES[VARIANTS[id].upstream].piped), ...asked])];
}

/** The gateways of the other checkout beside ours. */
function bothCheckouts(ids: readonly VariantId[]): readonly Subject[] {
  return ids.flatMap((id): readonly Subject[] =>
    before !== undefined && VARIANTS[id].proxy.kind === "gateway" ? [{ id, isBefore: true }, { id }] : [{ id }],
  );
}
