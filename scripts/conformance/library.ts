// Runs the official MCP conformance suite on a server, bare and guarded, and on a client, bare and with `recourse()`. All have to
// conform, and every check that passes bare has to pass with Recourse. A client takes long, since each of its scenarios is a
// process: only with `--all` it runs bare too and in every revision.
// Usage: npm run conformance -- library [server | client] [--all]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startConformanceServer } from "@recourse/test-kit/conformance-server";
import { rolldown } from "rolldown";
import { countsOf, REVISIONS, runRequirements, SIDES, type SuiteRun, worstOutcomes } from "./suite.ts";

const CLIENT = fileURLToPath(new URL("../../packages/test-kit/src/conformance-client.ts", import.meta.url));

const started = performance.now();
const rows: Record<string, Record<string, unknown>> = {};
const problems: string[] = [];

const folder = mkdtempSync(join(tmpdir(), "conformance-client-"));
const client = join(folder, "client.mjs");
await bundleClient();
const isAll = process.argv.includes("--all");
const [asked] = process.argv.slice(2).filter((one) => one !== "--all");
const sides = SIDES.filter((side) => (asked ?? side) === side);
const revisionsOf = (side: (typeof SIDES)[number]) => (isAll || side === "server" ? REVISIONS : REVISIONS.slice(0, 1));
for (const [side, revision] of sides.flatMap((side) => revisionsOf(side).map((one) => [side, one] as const))) {
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

rmSync(folder, { recursive: true });
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
 * Runs what a revision requires; once more if it does not conform, because servers of the suite close connections that
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

/** Bundles the client with all that it imports: it starts dozens of times, and one file starts in half the time of many. */
async function bundleClient(): Promise<void> {
  const conditionNames = ["@recourse/source", "node", "import", "default"];
  const build = await rolldown({ input: CLIENT, platform: "node", resolve: { conditionNames }, onLog: () => {} });
  await build.write({ file: client, format: "esm", minify: true, codeSplitting: false });
  await build.close();
}
