// Runs the official MCP conformance suite on a server, bare and behind the gateway. What passes bare has to pass behind the
// gateway, all but the scenarios in expected-failures-*.yml.
// Usage: npm run conformance -- gateway [revision]
import { readFileSync } from "node:fs";
import { type GatewayConfig, startGateway } from "@recourse/gateway";
import { startConformanceServer } from "@recourse/test-kit/conformance-server";
import { configOf } from "../../bench/gateway/config.ts";
import { twoAtOnce } from "../two-at-once.ts";
import { countsOf, REVISIONS, runRequirements, worstOutcomes } from "./suite.ts";

type Revision = (typeof REVISIONS)[number];

const started = performance.now();
const rows: Record<string, Record<string, unknown>> = {};
const problems: string[] = [];

const revisions = REVISIONS.filter((one) => (process.argv[2] ?? one) === one);
const outcomes = await twoAtOnce(revisions.map((revision) => async () => ({ revision, ...(await runBoth(revision)) })));
for (const { revision, bare, ours } of outcomes) {
  const expected = expectedFailures(revision);
  for (const [name, outcome] of Object.entries({ bare, ours })) rows[`${revision} ${name}`] = countsOf(outcome);
  const now = worstOutcomes(ours);
  const failed = new Set<string>();
  for (const [key, { scenario, status }] of worstOutcomes(bare)) {
    const behind = now.get(key);
    if (behind?.status === status) continue;
    const change = `${revision}: ${key}: bare ${status}, behind the gateway ${behind?.status ?? "MISSING"}`;
    console.log(`${change}${behind?.errorMessage === undefined ? "" : `: ${behind.errorMessage}`}`);
    if (status !== "SUCCESS") continue;
    failed.add(scenario);
    if (!expected.has(scenario)) problems.push(`${change}: ${behind?.errorMessage ?? "not checked"}`);
  }
  for (const scenario of expected) {
    if (!failed.has(scenario)) problems.push(`${revision}: ${scenario} is expected to fail, and passes`);
  }
}

console.table(rows);
console.log(`${Math.round((performance.now() - started) / 1_000)} s`);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

async function runBoth(revision: Revision) {
  const server = await startConformanceServer({ guarded: false });
  const gateway = await startGateway(configFor(server.url.href, revision));
  try {
    const bare = await runRequirements({ side: "server", revision, subject: ["--url", server.url.href] });
    const ours = await runRequirements({ side: "server", revision, subject: ["--url", gateway.url.href] });
    return { bare, ours };
  } finally {
    await gateway.close();
    await server.close();
  }
}

/** Nothing between the suite and the server but the gateway itself: no prefix, no authentication, no limits, one era. */
function configFor(url: string, era: Revision): GatewayConfig {
  const base = configOf({ upstream: url, controls: "off", engines: { redis: "", postgres: "" } });
  const upstreams = base.upstreams.map((one) => ({ ...one, prefix: "", era, credential: { kind: "none" } }) as const);
  return { ...base, upstreams };
}

/** The scenarios of the file. Each line has to say why. */
function expectedFailures(revision: Revision): Set<string> {
  const name = `expected-failures-${revision}.yml`;
  const file = new URL(name, import.meta.url);
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.startsWith("  - "));
  return new Set(
    lines.map((line) => {
      const [, scenario] = /^ {2}- (\S+) # \S.*$/.exec(line) ?? [];
      if (scenario === undefined) throw new Error(`${name}: no reason in "${line}"`);
      return scenario;
    }),
  );
}
