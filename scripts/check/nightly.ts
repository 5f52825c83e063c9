// What only the nightly check runs whole: npm run check:nightly [-- name …]. CONTRIBUTING.md lists it with the reasons.
import { readFileSync } from "node:fs";
import { filesIn, listFiles } from "./files.ts";
import type { Command, NightlyPart } from "./part.ts";

const AT_NIGHT = { RECOURSE_NIGHTLY: "1" };
const npmRun = (script: string, ...args: readonly string[]): Command => [
  "npm",
  "run",
  "--silent",
  script,
  "--",
  ...args,
];

/** What tests ask how many cases or runs they have; some ask it through these helpers. */
const ASKS_RUNS = /\/(?:runs"|(?:dialect-invariants|safe-patterns)\.ts")/;

/** The test files under a folder that only run at night, and those that have more cases or more runs then. */
function testsWithMoreAtNight(folder: string): readonly string[] {
  return filesIn([`${folder}/**/*.test.ts`], listFiles()).filter(
    (file) => file.endsWith(".nightly.test.ts") || ASKS_RUNS.test(readFileSync(file, "utf8")),
  );
}

/** Full matrices and 1,000 runs of each property. */
function fullTests(name: string, folders: readonly string[], covers: readonly string[]): NightlyPart {
  const files = folders.flatMap(testsWithMoreAtNight);
  const command: Command = ["node", "scripts/run-tests.ts", `full-${name}`, ...files];
  return {
    name: `full-${name}`,
    title: `${folders.join(", ")}: full matrices, and 1,000 runs of each property`,
    commands: [command],
    whenTouched: [command],
    env: AT_NIGHT,
    covers,
    reason: "every change runs a part of each matrix, and each property up to 100 times",
  };
}

/** What depends on the version of Node: streams, sockets, processes, and the platform's own errors. */
const NODE_TESTS: readonly string[] = [
  "packages/core/src/platform",
  "packages/core/src/sdk",
  "packages/core/test/peers/server",
  "packages/gateway/test/edge",
  "packages/gateway/test/upstreams",
];

function testsOnNode(line: string): NightlyPart {
  const onNode = (...args: readonly string[]): Command => [
    "node",
    "scripts/other-node.ts",
    line,
    "scripts/run-tests.ts",
    `node-${line}`,
    ...args,
  ];
  return {
    name: `node-${line}`,
    title: `every test, on Node ${line}`,
    // The page about public servers quotes texts of Node 24; other versions say some of them in other words.
    commands: [onNode("--exclude=research/public-servers/run.test.ts")],
    whenTouched: [onNode(...NODE_TESTS)],
    covers: [
      "packages/*/package.json",
      "packages/core/src/{platform,sdk}/**",
      "packages/gateway/src/{answer,call,edge,pipeline,upstreams}/**",
      "scripts/other-node.ts",
    ],
    reason: "as long as all tests of a change; every change runs the built packages on it",
  };
}

/** The examples that are projects of their own, and which files of the packages they are about. */
const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  "ai-sdk": ["packages/core/src/client/{ai,agent,tool}-*.ts"],
  fastmcp: ["packages/core/src/server/guard.ts"],
  langchain: ["packages/core/src/client/{agent,tool}-*.ts"],
  mastra: ["packages/core/src/client/{agent,tool}-*.ts"],
  next: ["packages/core/src/server/http/**"],
  observability: ["packages/core/src/{telemetry,incidents}/**"],
  "openai-agents": ["packages/core/src/client/{agent,tool}-*.ts"],
  runtimes: ["packages/core/src/platform/**", "conformance/*/*.json"],
};

function exampleProject(name: string, about: readonly string[]): NightlyPart {
  const command: Command = ["node", "scripts/example-projects.ts", name];
  return {
    name: `example-${name}`,
    title: `the example project ${name}, with dependencies of its own`,
    commands: [command],
    whenTouched: [command],
    covers: [`examples/${name}/**`, ...about],
    reason: "installs a framework",
  };
}

/** All tests of a change, the files in a random order that each night has of its own. */
function testsInOrder(order: number): Command {
  const seed = Math.floor(Date.now() / 86_400_000) * 3 + order;
  return ["node", "scripts/run-tests.ts", `any-order-${order}`, "--sequence.shuffle.files", `--sequence.seed=${seed}`];
}

const onSources = (script: string, ...args: readonly string[]): Command => [
  "node",
  "--conditions=@recourse/source",
  script,
  ...args,
];

export const NIGHTLY: readonly NightlyPart[] = [
  {
    name: "any-order",
    title: "every test, the files in three random orders",
    commands: [1, 2, 3].map(testsInOrder),
    whenTouched: [
      ["node", "scripts/run-tests.ts", "any-order", "--sequence.shuffle.files", "scripts", "packages/core/src/wire"],
    ],
    covers: ["vitest.{config,setup}.ts", "packages/{core,explain,bridge,gateway,stores,cli}/src/**"],
    reason: "three times as long as all tests of a change",
  },
  {
    name: "budgets",
    title: "what steps of a call, imports and the console may cost",
    commands: [
      onSources("bench/gateway-steps.ts"),
      ["node", "bench/import-time.ts", "9"],
      // Limits of time are for a quiet machine.
      onSources("bench/console.ts", "--tolerance", "3"),
    ],
    whenTouched: [onSources("bench/gateway-steps.ts", "--calls", "2000"), ["node", "bench/import-time.ts", "3"]],
    covers: ["bench/{gateway-steps,import-time,console}.ts", "packages/{console,core,explain,gateway}/src/**"],
    reason: "compares times, which takes many rounds",
  },
  fullTests(
    "faults",
    ["packages/core", "packages/faults", "packages/explain", "packages/testing"],
    ["packages/core/test/invariants/**", "packages/testing/src/**"],
  ),
  fullTests(
    "bridge",
    ["packages/bridge"],
    ["packages/bridge/src/reply/**", "packages/bridge/test/{documents,every-status}*"],
  ),
  fullTests(
    "stores",
    ["packages/stores"],
    ["packages/stores/src/**", "packages/stores/test/{chaos,limits,support}/**"],
  ),
  fullTests(
    "gateway",
    ["packages/gateway"],
    ["packages/gateway/src/{approvals,breaker}/**", "packages/gateway/test/{approvals,breaker,trust}/**"],
  ),
  fullTests("console", ["packages/console"], ["packages/console/{src,scenes,test}/**"]),
  fullTests("cli", ["packages/cli"], ["packages/cli/src/checks/**", "packages/cli/test/bad-server/**"]),
  fullTests(
    "others",
    ["reference", "examples", "scripts", "research"],
    ["reference/crm/test/**", "reference/gtin/src/{digital-link,qr}/**"],
  ),
  {
    name: "fuzz",
    title: "decoders on random and mutated values",
    commands: [npmRun("fuzz", "decoders", "1000000")],
    whenTouched: [npmRun("fuzz", "decoders", "30000")],
    covers: ["packages/core/src/dialects/**", "packages/core/src/wire/json*.ts", "scripts/fuzz/decoders.ts"],
    reason: "a million values; the invariants of every change decode random values too",
  },
  {
    name: "fuzz-gateway",
    title: "the gateway on mutated messages and mutated answers",
    commands: [npmRun("fuzz", "gateway", "--seconds", "120")],
    whenTouched: [npmRun("fuzz", "gateway", "--seconds", "10")],
    covers: ["packages/gateway/src/{answer,call,edge,judge,pipeline,upstreams}/**", "scripts/fuzz/gateway/**"],
    reason: "two minutes of load on all cores",
  },
  {
    name: "limits",
    title: "limits of four replicas, with an outage and a cluster",
    commands: [npmRun("bench", "limits")],
    whenTouched: [npmRun("bench", "limits", "--short")],
    covers: ["packages/stores/src/**", "packages/gateway/src/limits/**", "bench/limits.ts", "bench/limits/**"],
    reason: "load of four processes for a minute",
  },
  {
    name: "breakers",
    title: "breakers of four replicas",
    commands: [npmRun("bench", "breakers")],
    whenTouched: [npmRun("bench", "breakers", "--short")],
    covers: ["packages/gateway/src/breaker/**", "packages/gateway/test/breaker/support/**", "bench/breakers.ts"],
    reason: "outages of real length",
  },
  {
    name: "questions",
    title: "hosts that are asked through two replicas, while replicas are killed",
    commands: [npmRun("bench", "questions")],
    whenTouched: [npmRun("bench", "questions", "--short")],
    covers: [
      "packages/gateway/src/{questions,sessions,rounds}/**",
      "packages/gateway/src/stores/replica-bus.ts",
      "bench/questions.ts",
      "bench/questions/**",
    ],
    reason: "persons take their time, and replicas are killed",
  },
  {
    name: "exchange",
    title: "a thousand callers with tokens of their own, and an outage of the token service",
    commands: [npmRun("bench", "exchange")],
    whenTouched: [npmRun("bench", "exchange", "--short")],
    covers: ["packages/gateway/src/upstreams/credentials/**", "bench/exchange.ts"],
    reason: "a thousand callers, and an outage of real length",
  },
  {
    name: "incidents",
    title: "incidents of four replicas, with outages and a kill, and questions about a million of them",
    commands: [npmRun("bench", "incidents", "--question-ms", "2000")],
    whenTouched: [npmRun("bench", "incidents", "--short")],
    covers: ["packages/gateway/src/incidents/**", "bench/incidents.ts", "bench/incidents/**"],
    reason: "load of four processes for minutes, and a million rows",
  },
  {
    name: "console-overview",
    title: "the first answer of the console, with a million incidents",
    commands: [npmRun("bench", "console-overview")],
    whenTouched: [npmRun("bench", "console-overview", "--incidents", "20000", "--slack", "5")],
    covers: [
      "packages/gateway/src/counts/**",
      "packages/gateway/src/admin/routes/overview.ts",
      "packages/gateway/src/incidents/{filters,postgres-reader,tables}.ts",
      "bench/console-overview.ts",
      "bench/incidents/million.ts",
    ],
    reason: "a million rows",
  },
  {
    name: "chaos",
    title: "a gateway whose parts are killed and paused",
    commands: [npmRun("bench", "chaos", "--seconds", "180")],
    whenTouched: [npmRun("bench", "chaos", "--short")],
    covers: [
      "packages/gateway/src/{approvals,idempotency,stores}/**",
      "packages/stores/src/**",
      "bench/gateway-chaos.ts",
      "bench/gateway-chaos/**",
    ],
    reason: "three minutes of kills",
  },
  {
    name: "chaos-stores",
    title: "idempotency keys while processes and engines are killed",
    commands: [npmRun("bench", "chaos-stores", "1", "7")],
    whenTouched: [npmRun("bench", "chaos-stores", "0.1", "7")],
    covers: ["packages/stores/src/**", "packages/stores/test/support/**", "bench/stores-chaos.ts"],
    reason: "a minute of kills for each engine",
  },
  {
    name: "sdk-versions-all",
    title: "every supported version of the official SDK",
    commands: [["node", "scripts/sdk-versions.ts", "--all"]],
    whenTouched: [["node", "scripts/sdk-versions.ts", "--all"]],
    covers: ["packages/core/src/sdk/**", "scripts/sdk-versions.ts"],
    reason: "every change runs the oldest and the newest",
  },
  {
    name: "conformance-all",
    title: "the official conformance suite, also on a bare client",
    commands: [["node", "scripts/conformance/library.ts", "--all"]],
    whenTouched: [["node", "scripts/conformance/library.ts", "--all"]],
    covers: ["scripts/conformance/**", "packages/test-kit/src/conformance-*.ts"],
    reason: "every change runs it on what is ours",
  },
  {
    name: "public-servers",
    title: "whose words a model reads from published servers: no figure is worse",
    commands: [npmRun("research", "public-servers", "--check")],
    whenTouched: [npmRun("research", "public-servers", "--check", "dbhub", "github", "tavily")],
    covers: ["research/public-servers/**", "packages/core/src/{reasons,render,safety,sdk,server}/**"],
    reason: "installs a gigabyte of servers",
  },
  {
    name: "site",
    title: "the website: links, markup, accessibility, pictures, the playground, budgets, and a second build",
    // Limits of time are for a quiet machine.
    commands: [npmRun("site:check", "--slack", "3")],
    whenTouched: [npmRun("site:check", "--only", "links", "html", "names", "pages", "playground")],
    covers: ["site/**", "packages/console/src/playground/**"],
    reason: "installs the generator of the website, and builds it twice",
  },
  {
    name: "alerts",
    title: "gateways in the states of the alerts, a Prometheus that fires them, and the commands of the runbooks",
    commands: [npmRun("deploy:check", "alerts")],
    whenTouched: [npmRun("deploy:check", "alerts")],
    covers: ["deploy/prometheus/**", "docs/operate/runbooks/**", "deploy/check/rules*.ts", "packages/cli/src/admin/**"],
    reason: "alerts take their time; every change tests the rules with promtool",
  },
  {
    name: "starters",
    title: "a newcomer's first minute",
    commands: [["node", "scripts/starters.ts"]],
    whenTouched: [["node", "scripts/starters.ts"]],
    covers: ["packages/create-recourse/**", "examples/starter-*/**", "docs/guide/start.md", "scripts/starters.ts"],
    reason: "installs two new projects",
  },
  exampleProject("starter-server", ["examples/starter-agent/**"]),
  exampleProject("starter-agent", ["examples/starter-server/**"]),
  ...Object.entries(EXAMPLES).map(([name, about]) => exampleProject(name, about)),
  testsOnNode("22"),
  testsOnNode("26"),
];
