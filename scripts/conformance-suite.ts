// Runs the official MCP conformance suite on one server, bare and guarded, and on one client, bare and with the kit in
// between: whatever passes bare has to pass with ours. Usage: node scripts/conformance-suite.ts [server | client]
import { spawn } from "node:child_process";
import { globSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startConformanceServer } from "../packages/faults/test/peers/conformance/server.ts";

const SUITE = fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js"));
const CLIENT = fileURLToPath(new URL("../packages/faults/test/peers/conformance/client.ts", import.meta.url));
const HALVES = ["server", "client"] as const;
const SETS = ["2026-07-28", "2025-11-25"] as const;
/** A whole run takes some seconds; one that hangs is ended. */
const LONGEST_MS = 180_000;

/** Best first. */
const STATUSES = ["SUCCESS", "INFO", "SKIPPED", "WARNING", "FAILURE"] as const;
interface Check {
  readonly scenario: string;
  readonly id: string;
  readonly status: (typeof STATUSES)[number];
  readonly errorMessage?: string;
}
interface Run {
  /** Whether everything that the revision requires passed; what it only names counts for nothing here. */
  readonly conforms: boolean;
  readonly checks: readonly Check[];
  readonly said: string;
}

const started = performance.now();
const rows: Record<string, Record<string, unknown>> = {};
const wrong: string[] = [];

const wanted = HALVES.filter((half) => (process.argv[2] ?? half) === half);
for (const [half, set] of wanted.flatMap((one) => SETS.map((each) => [one, each] as const))) {
  const bare = await run(half, set, "bare");
  const ours = await run(half, set, "ours");
  for (const [name, one] of Object.entries({ bare, ours })) {
    rows[`${half} ${set} ${name}`] = {
      conforms: one.conforms,
      ...Object.fromEntries(
        STATUSES.map((status) => [status.toLowerCase(), one.checks.filter((check) => check.status === status).length]),
      ),
    };
    if (!one.conforms) wrong.push(`${set}: the ${half} (${name}) does not conform\n${one.said.slice(-3_000)}`);
  }
  const after = outcomes(ours);
  for (const [key, { status }] of outcomes(bare)) {
    const now = after.get(key);
    if (now?.status === status) continue;
    const change = `${half} ${set}: ${key}: bare ${status}, ours ${now?.status ?? "MISSING"}`;
    console.log(change);
    if (status === "SUCCESS") wrong.push(`${change}: ${now?.errorMessage ?? "not checked"}`);
  }
}

console.table(rows);
console.log(`${Math.round((performance.now() - started) / 1_000)} s`);
for (const one of wrong) console.error(one);
process.exitCode = wrong.length === 0 ? 0 : 1;

/** A check that is made several times counts by its worst outcome. */
function outcomes({ checks }: Run): Map<string, Check> {
  const worstLast = checks.toSorted((a, b) => STATUSES.indexOf(a.status) - STATUSES.indexOf(b.status));
  return new Map(worstLast.map((check) => [`${check.scenario} ${check.id}`, check]));
}

async function run(half: (typeof HALVES)[number], set: string, whose: "bare" | "ours"): Promise<Run> {
  const output = await mkdtemp(join(tmpdir(), "conformance-"));
  const server = half === "server" ? await startConformanceServer({ guarded: whose === "ours" }) : undefined;
  const client = `${process.execPath} --conditions=@recourse/source ${CLIENT}${whose === "ours" ? " --kit" : ""}`;
  const subject = server === undefined ? ["--command", client] : ["--url", server.url];
  try {
    const { code, said } = await suite([half, ...subject, "--requirements", set, "-o", output]);
    const checks = await readChecks(output);
    return { conforms: code === 0 && checks.length > 0, checks, said };
  } finally {
    await server?.close();
    await rm(output, { recursive: true });
  }
}

/** The exit code of the suite, null when it had to be ended, and what it said. */
function suite(args: readonly string[]): Promise<{ readonly code: number | null; readonly said: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [SUITE, ...args], { timeout: LONGEST_MS, killSignal: "SIGKILL" });
    let said = "";
    const hear = (chunk: Buffer) => {
      said += chunk.toString();
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, said }));
  });
}

/** The suite leaves a directory for each scenario, named by its name and the time. */
async function readChecks(output: string): Promise<Check[]> {
  const checks: Check[] = [];
  for (const file of globSync("**/checks.json", { cwd: output })) {
    const scenario = dirname(file).replace(/^server-|-\d{4}-\d\d-\d\dT.*$/g, "");
    const text = await readFile(join(output, file), "utf8");
    checks.push(...(JSON.parse(text) as Check[]).map((check) => ({ ...check, scenario })));
  }
  return checks;
}
