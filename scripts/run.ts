// Runs a measurement, a study or a long check by name: `npm run bench -- guard`. Without a name it lists them.
import { spawnSync } from "node:child_process";

interface Run {
  readonly file: string;
  /** Whether it runs what is published, so that a build comes first. @default false: it runs the sources */
  readonly built?: true;
  /** Further options of Node. @default none */
  readonly node?: readonly string[];
  readonly does: string;
}

const GROUPS = {
  bench: {
    faults: { file: "bench/faults.ts", built: true, does: "what building, reading and rendering a fault costs" },
    dialects: { file: "bench/dialects.ts", built: true, does: "dialects compared with plain JSON" },
    guard: { file: "bench/guard.ts", built: true, does: "what the guard costs per call" },
    client: { file: "bench/client.ts", built: true, does: "what the client kit costs per call" },
    schema: { file: "bench/schema.ts", does: "the schema checker on hostile input" },
    outage: { file: "bench/outage.ts", does: "the load of retries on a server that is down" },
    stores: { file: "bench/stores.ts", does: "what a call with a key costs in memory, PostgreSQL and Redis" },
    "chaos-stores": {
      file: "bench/stores-chaos.ts",
      does: "processes race for keys while processes and engines are killed",
    },
    gateway: { file: "bench/gateway.ts", built: true, does: "the gateway beside bare proxies" },
    steps: { file: "bench/gateway-steps.ts", built: true, does: "what each step of a call costs" },
    exchange: {
      file: "bench/exchange.ts",
      does: "tokens for a thousand callers, and an outage of their service",
    },
    limits: { file: "bench/limits.ts", does: "limits of four replicas" },
    breakers: { file: "bench/breakers.ts", does: "breakers of four replicas" },
    incidents: {
      file: "bench/incidents.ts",
      does: "incidents of four replicas, and questions about a million of them",
    },
    "console-overview": {
      file: "bench/console-overview.ts",
      does: "the first answer of the console, with a million incidents",
    },
    console: { file: "bench/console.ts", does: "the budgets of the console in Chromium" },
    scale: { file: "bench/scale.ts", does: "the figures and simulations behind docs/scale.md" },
    chaos: { file: "bench/gateway-chaos.ts", does: "a gateway whose parts are killed and paused" },
    soak: { file: "bench/gateway-soak.ts", does: "a gateway under load for hours" },
    questions: {
      file: "bench/questions.ts",
      does: "hosts that are asked through two replicas, while replicas are killed",
    },
    fairness: { file: "bench/gateway-fairness.ts", does: "one hostile caller beside ten honest ones" },
    size: { file: "bench/size.ts", built: true, does: "size of each entry point, minified and gzipped" },
    "import-time": { file: "bench/import-time.ts", built: true, does: "how long an import takes" },
    "install-size": { file: "bench/install-size.ts", built: true, does: "what an installation brings" },
    safety: { file: "packages/core/test/safety-table.test.ts", does: "every leak, every way in and every way out" },
  },
  research: {
    survey: { file: "research/survey/run.ts", does: "probes public servers, bare and guarded: docs/survey.md" },
    unseen: {
      file: "research/unseen/run.ts",
      does: "probes public servers that no rule was written with, three times each",
    },
    python: {
      file: "research/python/run.ts",
      does: "ten failures between Python and TypeScript, both ways: docs/spec/both-ways.md",
    },
    "public-servers": {
      file: "research/public-servers/record.ts",
      does: "what a model reads from public servers, bare and guarded: docs/public-servers.md",
    },
    "model-text": { file: "research/model-text/record.ts", does: "what a model reads, failure by failure" },
    compare: {
      file: "research/compare/run.ts",
      does: "ten failures with the SDK, a retry library and Recourse: docs/compare",
    },
    libraries: {
      file: "research/libraries/run.ts",
      does: "errors of real libraries in a guarded server: docs/library-errors.md",
    },
    bridges: { file: "research/bridges/run.ts", does: "a hundred replies through three public bridges and ours" },
    anonymous: { file: "research/anonymous/run.ts", built: true, does: "a caller without credentials" },
    abuse: { file: "research/abuse/run.ts", built: true, does: "hostile callers of a guarded server, for minutes" },
  },
  fuzz: {
    decoders: {
      file: "scripts/fuzz/decoders.ts",
      node: ["--expose-gc"],
      does: "random and mutated values through every decoder",
    },
    gateway: {
      file: "scripts/fuzz/gateway/run.ts",
      node: ["--expose-gc"],
      does: "the gateway on mutated messages and answers",
    },
  },
  conformance: {
    library: {
      file: "scripts/conformance/library.ts",
      built: true,
      does: "the official suite on the same server and client, bare and with Recourse",
    },
    gateway: { file: "scripts/conformance/gateway.ts", does: "the official suite through the gateway" },
  },
} satisfies Record<string, Record<string, Run>>;

const [group = "", name = "", ...args] = process.argv.slice(2);
const runs: Readonly<Record<string, Run>> | undefined = Object.hasOwn(GROUPS, group)
  ? GROUPS[group as keyof typeof GROUPS]
  : undefined;
const run = runs !== undefined && Object.hasOwn(runs, name) ? runs[name] : undefined;
if (run === undefined) {
  for (const [one, { does }] of Object.entries(runs ?? {}))
    console.log(`npm run ${group} -- ${one.padEnd(16)} ${does}`);
  process.exitCode = name === "" ? 0 : 2;
} else {
  if (run.built === true) start("node", ["scripts/build.ts"], "ignore");
  if (run.file.endsWith(".test.ts")) start("vitest", ["run", run.file, ...args]);
  else {
    const options = [...(run.node ?? []), ...(run.built === true ? [] : ["--conditions=@recourse/source"])];
    start("node", [...options, run.file, ...args]);
  }
}

function start(program: string, args: readonly string[], output: "inherit" | "ignore" = "inherit"): void {
  const { status } = spawnSync(program, args, { stdio: ["inherit", output, "inherit"] });
  if (status !== 0) process.exit(status ?? 1);
}
