// What a call costs in the gateway, beside bare proxies and public ones: npm run build, then
//   node bench/gateway.ts [--seconds 2] [--rounds 6] [--variants piped,leased] [--parts calls,latency,replicas] [--short]
//   node bench/gateway.ts --before <folder of another checkout, built> compares the gateways of both, and nothing else
// Each variant is a process of its own; they take turns in rounds, and some are there twice to show what the figures are worth.
// It prints tables, and writes .cache/gateway-bench.json. With --source the gateways run without a build; with --profile
// they write CPU profiles to .cache/profiles.
import { mkdirSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { createTestDatabase } from "@recourse/test-kit/postgres";
import { createRedisServer } from "@recourse/test-kit/redis";
import { answerOf, forkBench, startChild } from "./gateway/child.ts";
import { quantile, type Round, type RoundOptions, round } from "./gateway/measure.ts";
import { type Setting, type Started, startVariant, VARIANTS, type VariantId } from "./gateway/variants.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string" },
    rounds: { type: "string" },
    variants: { type: "string" },
    parts: { type: "string", default: "calls,latency,replicas" },
    rate: { type: "string", default: "2000" },
    short: { type: "boolean", default: false },
    profile: { type: "boolean", default: false },
    source: { type: "boolean", default: false },
    before: { type: "string" },
  },
});
const CONNECTIONS = 16;
/** Calls before a variant is measured, since the engine compiles what is called often; and for how long at most. */
const WARM = { calls: 20_000, seconds: 12 };
const LATENCY_CONNECTIONS = 64;
const SHORT = ["piped", "piped-again", "lean", "off", "leased", "leased-again", "exact", "failing"];
const LATENCY: readonly VariantId[] = ["direct", "piped", "piped-again", "leased", "leased-again", "exact"];
const REPLICAS = [1, 2, 4];
const seconds = Number(values.seconds ?? (values.short ? 0.7 : 2));
const rounds = Number(values.rounds ?? (values.short ? 3 : 6));
const parts = values.before === undefined ? values.parts.split(",") : ["before"];
const COMPARED: readonly VariantId[] = ["off", "leased", "exact", "failing", "leased-large"];
const all = (Object.keys(VARIANTS) as VariantId[]).filter((id) => VARIANTS[id].proxy.kind !== "none");
const chosen = values.variants?.split(",") ?? (values.short ? SHORT : all);

const redis = await createRedisServer({ durable: false });
const database = await createTestDatabase();
const stub = await startChild({ file: "upstream.ts", args: [] });
const sdk = await startChild({ file: "sdk-upstream.ts", args: [] });
const load = forkBench({ file: "load.ts", args: [] });
await answerOf(load, "the load");
const setting: Setting = {
  stub: (name) => `http://127.0.0.1:${stub.port}/${name}`,
  sdk: `http://127.0.0.1:${sdk.port}/mcp`,
  engines: { redis: redis.url, postgres: database.url },
  flags: [
    ...(values.profile ? ["--cpu-prof", "--cpu-prof-dir=.cache/profiles"] : []),
    ...(values.source ? ["--conditions=@recourse/source"] : []),
  ],
};
const opened: Started[] = [];
const results: Record<string, unknown> = { seconds, rounds, node: process.version };
try {
  if (parts.includes("calls")) results["calls"] = await measureCalls();
  if (parts.includes("latency")) results["latency"] = await measureLatency();
  if (parts.includes("replicas")) results["replicas"] = await measureReplicas();
  if (values.before !== undefined) results["before"] = await measureBefore(values.before);
  mkdirSync(".cache", { recursive: true });
  writeFileSync(".cache/gateway-bench.json", `${JSON.stringify(results, null, 2)}\n`);
} finally {
  for (const { child } of opened) child.close();
  stub.close();
  sdk.close();
  load.kill("SIGKILL");
  await redis.close();
  await database.drop();
}

async function open(id: VariantId, folder?: string): Promise<Started> {
  const started = await startVariant(VARIANTS[id], { ...setting, folder });
  opened.push(started);
  return started;
}

async function warm(of: readonly Started[], { connections }: { readonly connections: number }): Promise<void> {
  const endMs = performance.now() + WARM.seconds * 1_000;
  for (let calls = 0; calls < WARM.calls && performance.now() < endMs; ) {
    calls += (await undisturbed(of, { connections, seconds: 2 })).perSecond * 2;
  }
}

/** Rounds of all in turn. */
async function inTurns<Id extends string>(
  subjects: readonly { readonly id: Id; readonly of: readonly Started[] }[],
  options: { readonly connections: number; readonly rate?: number },
): Promise<Map<Id, Round[]>> {
  const seen = new Map<Id, Round[]>(subjects.map(({ id }) => [id, []]));
  for (const { of } of subjects) await warm(of, options);
  for (let turn = 0; turn < rounds; turn++) {
    for (const [at] of subjects.entries()) {
      // Each is first as often as the others.
      const { id, of } = subjects[(at + turn) % subjects.length] as (typeof subjects)[number];
      seen.get(id)?.push(await undisturbed(of, { ...options, seconds }));
    }
  }
  return seen;
}

/** A round with wrong answers says nothing: on a busy machine a store may seem away. It is made again, a few times. */
async function undisturbed(of: readonly Started[], options: RoundOptions): Promise<Round> {
  for (let left = 4; left > 0; left--) {
    try {
      return await round(load, of, options);
    } catch (error) {
      console.error(`again: ${String(error).slice(0, 300)}`);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  }
  return await round(load, of, options);
}

function summary(of: readonly Round[]) {
  const cpu = of.map(({ cpuUs }) => cpuUs);
  return {
    cpuFastestUs: quantile(cpu, 0.1),
    cpuMedianUs: quantile(cpu, 0.5),
    perSecondBest: quantile(
      of.map(({ perSecond }) => perSecond),
      0.9,
    ),
    perSecond: quantile(
      of.map(({ perSecond }) => perSecond),
      0.5,
    ),
    p50Ms: quantile(
      of.map(({ p50Ms }) => p50Ms),
      0.5,
    ),
    p99Ms: quantile(
      of.map(({ p99Ms }) => p99Ms),
      0.5,
    ),
  };
}

/** What each variant is compared with: the piped proxy in front of the same upstream. */
function baseOf(id: VariantId): VariantId {
  const { upstream } = VARIANTS[id];
  if (upstream === "large") return "piped-large";
  return upstream === "sdk" ? "piped-sdk" : "piped";
}

async function measureCalls() {
  const ids = chosen.filter((id): id is VariantId => id in VARIANTS);
  const subjects: { id: VariantId; of: Started[] }[] = [];
  for (const id of ids) subjects.push({ id, of: [await open(id)] });
  const seen = await inTurns(subjects, { connections: CONNECTIONS });
  const figures = new Map([...seen].map(([id, of]) => [id, summary(of)]));
  console.log(`\n${rounds} rounds of ${seconds} s in turns, ${CONNECTIONS} connections; CPU of the proxy process`);
  console.log("\n| variant | CPU µs per call: fastest tenth, median | calls/s | of the piped proxy: CPU, calls/s |");
  console.log("| --- | --- | --- | --- |");
  for (const [id, one] of figures) {
    const base = figures.get(baseOf(id));
    const share =
      base === undefined
        ? "–"
        : `${(base.cpuFastestUs / one.cpuFastestUs).toFixed(2)}, ${(one.perSecond / base.perSecond).toFixed(2)}`;
    const cpu = `${one.cpuFastestUs.toFixed(0)}, ${one.cpuMedianUs.toFixed(0)}`;
    console.log(`| ${VARIANTS[id].name} | ${cpu} | ${Math.round(one.perSecond).toLocaleString("en")} | ${share} |`);
  }
  return Object.fromEntries(figures);
}

async function measureLatency() {
  const subjects: { id: VariantId; of: Started[] }[] = [];
  for (const id of LATENCY) subjects.push({ id, of: [await open(id)] });
  const seen = await inTurns(subjects, { connections: LATENCY_CONNECTIONS, rate: Number(values.rate) });
  console.log(`\nat ${values.rate} calls/s, each arriving on time; ms, median of the rounds (least … most)`);
  console.log("\n| variant | p50 | p99 |\n| --- | --- | --- |");
  const spread = (all: readonly number[]) =>
    `${[0.5, 0, 1]
      .map((share) => quantile(all, share).toFixed(2))
      .join(" (")
      .replace(/\((\S+) \(/, "($1 … ")})`;
  for (const [id, of] of seen) {
    const p50 = spread(of.map(({ p50Ms }) => p50Ms));
    const p99 = spread(of.map(({ p99Ms }) => p99Ms));
    console.log(`| ${VARIANTS[id].name} | ${p50} | ${p99} |`);
  }
  return Object.fromEntries([...seen].map(([id, of]) => [id, summary(of)]));
}

/** The same variants of two checkouts, in turns. */
async function measureBefore(folder: string) {
  const subjects: { id: string; of: Started[] }[] = [];
  const ids = COMPARED.filter((id) => values.variants === undefined || chosen.includes(id));
  for (const id of ids) {
    subjects.push({ id: `${id}, before`, of: [await open(id, folder)] }, { id: `${id}, now`, of: [await open(id)] });
  }
  const seen = await inTurns(subjects, { connections: CONNECTIONS });
  console.log(`\n${rounds} rounds of ${seconds} s in turns, ${CONNECTIONS} connections; CPU of the gateway process`);
  console.log("\n| variant | CPU µs per call: fastest tenth, median | calls/s |\n| --- | --- | --- |");
  for (const [id, of] of seen) {
    const { cpuFastestUs, cpuMedianUs, perSecond } = summary(of);
    const cpu = `${cpuFastestUs.toFixed(0)}, ${cpuMedianUs.toFixed(0)}`;
    console.log(`| ${id} | ${cpu} | ${Math.round(perSecond).toLocaleString("en")} |`);
  }
  return Object.fromEntries([...seen].map(([id, of]) => [id, summary(of)]));
}

async function measureReplicas() {
  const subjects: { id: string; of: Started[] }[] = [];
  for (const id of ["leased", "exact"] as const) {
    for (const count of REPLICAS) {
      const of: Started[] = [];
      for (let at = 0; at < count; at++) of.push(await open(id));
      subjects.push({ id: `${id} ${count}`, of });
    }
  }
  const seen = await inTurns(subjects, { connections: CONNECTIONS });
  console.log(`\nreplicas that share the traffic of ${CONNECTIONS} connections; CPU of all of them together`);
  console.log("\n| limits, replicas | CPU µs per call: fastest tenth, median | calls/s |\n| --- | --- | --- |");
  for (const [id, of] of seen) {
    const { cpuFastestUs, cpuMedianUs, perSecond } = summary(of);
    const cpu = `${cpuFastestUs.toFixed(0)}, ${cpuMedianUs.toFixed(0)}`;
    console.log(`| ${id} | ${cpu} | ${Math.round(perSecond).toLocaleString("en")} |`);
  }
  return Object.fromEntries([...seen].map(([id, of]) => [id, summary(of)]));
}
