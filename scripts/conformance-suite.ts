// Runs the official MCP conformance suite on a server, bare and guarded, and on a client, bare and with `recourse()`. Every
// check that passes bare has to pass with Recourse. Usage: node scripts/conformance-suite.ts [server | client]
import { spawn } from "node:child_process";
import { globSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startConformanceServer } from "../packages/faults/test/peers/conformance/server.ts";

const SUITE = fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js"));
const CLIENT = fileURLToPath(new URL("../packages/faults/test/peers/conformance/client.ts", import.meta.url));
const SIDES = ["server", "client"] as const;
const REVISIONS = ["2026-07-28", "2025-11-25"] as const;
/** A run takes some seconds. A run that hangs is killed. */
const TIMEOUT_MS = 180_000;

/** Best first. */
const STATUSES = ["SUCCESS", "INFO", "SKIPPED", "WARNING", "FAILURE"] as const;
interface Check {
  readonly scenario: string;
  readonly id: string;
  readonly status: (typeof STATUSES)[number];
  readonly errorMessage?: string;
}
/** One run of the suite. */
interface SuiteRun {
  /** Whether all checks passed that the revision requires. */
  readonly conforms: boolean;
  readonly checks: readonly Check[];
  readonly output: string;
}

const started = performance.now();
const rows: Record<string, Record<string, unknown>> = {};
const problems: string[] = [];

const sides = SIDES.filter((side) => (process.argv[2] ?? side) === side);
for (const [side, revision] of sides.flatMap((side) => REVISIONS.map((revision) => [side, revision] as const))) {
  const bare = await run({ side, revision, withRecourse: false });
  const ours = await run({ side, revision, withRecourse: true });
  for (const [name, { conforms, checks, output }] of Object.entries({ bare, ours })) {
    rows[`${side} ${revision} ${name}`] = {
      conforms,
      ...Object.fromEntries(
        STATUSES.map((status) => [status.toLowerCase(), checks.filter((check) => check.status === status).length]),
      ),
    };
    if (!conforms) problems.push(`${revision}: the ${side} (${name}) does not conform\n${output.slice(-3_000)}`);
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

/** The worst outcome of each check; some are made several times. */
function worstOutcomes({ checks }: SuiteRun): Map<string, Check> {
  const worstLast = checks.toSorted((a, b) => STATUSES.indexOf(a.status) - STATUSES.indexOf(b.status));
  return new Map(worstLast.map((check) => [`${check.scenario} ${check.id}`, check]));
}

interface RunOptions {
  readonly side: (typeof SIDES)[number];
  readonly revision: string;
  readonly withRecourse: boolean;
}

async function run({ side, revision, withRecourse }: RunOptions): Promise<SuiteRun> {
  const folder = await mkdtemp(join(tmpdir(), "conformance-"));
  const server = side === "server" ? await startConformanceServer({ guarded: withRecourse }) : undefined;
  const client = `${process.execPath} --conditions=@recourse/source ${CLIENT}${withRecourse ? " --recourse" : ""}`;
  const subject = server === undefined ? ["--command", client] : ["--url", server.url.href];
  try {
    const { code, output } = await runSuite([side, ...subject, "--requirements", revision, "-o", folder]);
    const checks = await readChecks(folder);
    return { conforms: code === 0 && checks.length > 0, checks, output };
  } finally {
    await server?.close();
    await rm(folder, { recursive: true });
  }
}

/** Runs the suite; gives its exit code, or null when it was killed, and its output. */
function runSuite(args: readonly string[]): Promise<{ readonly code: number | null; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [SUITE, ...args], { timeout: TIMEOUT_MS, killSignal: "SIGKILL" });
    let output = "";
    const append = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout.on("data", append);
    child.stderr.on("data", append);
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, output }));
  });
}

/** Reads the checks. The suite writes a folder for each scenario, named by the scenario and the time. */
async function readChecks(folder: string): Promise<Check[]> {
  const checks: Check[] = [];
  for (const file of globSync("**/checks.json", { cwd: folder })) {
    const scenario = dirname(file).replace(/^server-|-\d{4}-\d\d-\d\dT.*$/g, "");
    const text = await readFile(join(folder, file), "utf8");
    checks.push(...(JSON.parse(text) as Check[]).map((check) => ({ ...check, scenario })));
  }
  return checks;
}
