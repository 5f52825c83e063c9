// Runs the official MCP conformance suite on a server, bare and guarded, and on a client, with `recourse()` and, with `--all`
// and in the nightly check, bare too. Both have to conform, and every check that passes bare has to pass with Recourse.
// Usage: node scripts/conformance-suite.ts [server | client] [--all]
import { bundleProgram } from "../packages/faults/test/bundle-program.ts";
import { startConformanceServer } from "../packages/faults/test/peers/conformance/server.ts";
import { isNightly } from "../packages/faults/test/runs.ts";
import { countsOf, REVISIONS, runRequirements, SIDES, type SuiteRun, worstOutcomes } from "./conformance/suite.ts";

const CLIENT = new URL("../packages/faults/test/peers/conformance/client.ts", import.meta.url);

const started = performance.now();
const rows: Record<string, Record<string, unknown>> = {};
const problems: string[] = [];

// The suite starts it a hundred times.
const client = await bundleProgram(CLIENT);
const isAll = isNightly || process.argv.includes("--all");
const [asked] = process.argv.slice(2).filter((one) => one !== "--all");
const sides = SIDES.filter((side) => (asked ?? side) === side);
for (const [side, revision] of sides.flatMap((side) => REVISIONS.map((revision) => [side, revision] as const))) {
  const { bare, ours } = await (side === "server" ? runServers(revision) : runClients(revision));
  for (const [name, outcome] of Object.entries({ ...(bare !== undefined && { bare }), ours })) {
    rows[`${side} ${revision} ${name}`] = countsOf(outcome);
    if (!outcome.conforms)
      problems.push(`${revision}: the ${side} (${name}) does not conform\n${outcome.output.slice(-3_000)}`);
  }
  if (bare === undefined) continue;
  const withRecourse = worstOutcomes(ours);
  for (const [key, { status }] of worstOutcomes(bare)) {
    const now = withRecourse.get(key);
    if (now?.status === status) continue;
    const change = `${side} ${revision}: ${key}: bare ${status}, ours ${now?.status ?? "MISSING"}`;
    console.log(change);
    if (status === "SUCCESS") problems.push(`${change}: ${now?.errorMessage ?? "not checked"}`);
  }
}

console.table(rows);
console.log(`${Math.round((performance.now() - started) / 1_000)} s`);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

interface Pair {
  readonly bare: SuiteRun | undefined;
  readonly ours: SuiteRun;
}

async function runServers(revision: string): Promise<Pair> {
  const [bare, ours] = await Promise.all([
    run({ side: "server", revision, withRecourse: false }),
    run({ side: "server", revision, withRecourse: true }),
  ]);
  return { bare, ours };
}

/** One after the other, since each starts dozens of clients at the same time. */
async function runClients(revision: string): Promise<Pair> {
  const bare = isAll ? await run({ side: "client", revision, withRecourse: false }) : undefined;
  return { bare, ours: await run({ side: "client", revision, withRecourse: true }) };
}

interface RunOptions {
  readonly side: (typeof SIDES)[number];
  readonly revision: string;
  readonly withRecourse: boolean;
}

/**
 * Runs what a revision requires; once more where it does not conform, because servers of the suite close connections that
 * stand still for five seconds, and a busy machine may.
 */
async function run(options: RunOptions): Promise<SuiteRun> {
  const outcome = await runOnce(options);
  if (outcome.conforms) return outcome;
  console.log(`${options.revision}: the ${options.side} did not conform, so it runs once more`);
  return runOnce(options);
}

async function runOnce({ side, revision, withRecourse }: RunOptions): Promise<SuiteRun> {
  const server = side === "server" ? await startConformanceServer({ guarded: withRecourse }) : undefined;
  const program = `${process.execPath} ${client}${withRecourse ? " --recourse" : ""}`;
  const subject = server === undefined ? ["--command", program] : ["--url", server.url.href];
  try {
    return await runRequirements({ side, revision, subject });
  } finally {
    await server?.close();
  }
}
