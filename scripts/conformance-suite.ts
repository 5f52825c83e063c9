// Runs the official MCP conformance suite on a server, bare and guarded, and on a client, bare and with `recourse()`. Every
// check that passes bare has to pass with Recourse. Usage: node scripts/conformance-suite.ts [server | client]
import { fileURLToPath } from "node:url";
import { startConformanceServer } from "../packages/faults/test/peers/conformance/server.ts";
import { countsOf, REVISIONS, runRequirements, SIDES, type SuiteRun, worstOutcomes } from "./conformance/suite.ts";

const CLIENT = fileURLToPath(new URL("../packages/faults/test/peers/conformance/client.ts", import.meta.url));

const started = performance.now();
const rows: Record<string, Record<string, unknown>> = {};
const problems: string[] = [];

const sides = SIDES.filter((side) => (process.argv[2] ?? side) === side);
for (const [side, revision] of sides.flatMap((side) => REVISIONS.map((revision) => [side, revision] as const))) {
  const bare = await run({ side, revision, withRecourse: false });
  const ours = await run({ side, revision, withRecourse: true });
  for (const [name, outcome] of Object.entries({ bare, ours })) {
    rows[`${side} ${revision} ${name}`] = countsOf(outcome);
    if (!outcome.conforms)
      problems.push(`${revision}: the ${side} (${name}) does not conform\n${outcome.output.slice(-3_000)}`);
  }
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

interface RunOptions {
  readonly side: (typeof SIDES)[number];
  readonly revision: string;
  readonly withRecourse: boolean;
}

async function run({ side, revision, withRecourse }: RunOptions): Promise<SuiteRun> {
  const server = side === "server" ? await startConformanceServer({ guarded: withRecourse }) : undefined;
  const client = `${process.execPath} --conditions=@recourse/source ${CLIENT}${withRecourse ? " --recourse" : ""}`;
  const subject = server === undefined ? ["--command", client] : ["--url", server.url.href];
  try {
    return await runRequirements({ side, revision, subject });
  } finally {
    await server?.close();
  }
}
