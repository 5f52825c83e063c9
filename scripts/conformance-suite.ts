// Runs the official MCP conformance suite on one server, bare and guarded: whatever passes bare has to pass guarded.
// Usage: node scripts/conformance-suite.ts
import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startConformanceServer } from "../packages/faults/test/peers/conformance-server.ts";

const SUITE = fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js"));
const SETS = ["2026-07-28", "2025-11-25"] as const;
/** A whole run takes a few seconds; one that hangs is ended. */
const LONGEST_MS = 60_000;

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

for (const set of SETS) {
  const bare = await run(set, false);
  const guarded = await run(set, true);
  for (const [name, one] of Object.entries({ bare, guarded })) {
    rows[`${set} ${name}`] = {
      conforms: one.conforms,
      ...Object.fromEntries(
        STATUSES.map((status) => [status.toLowerCase(), one.checks.filter((check) => check.status === status).length]),
      ),
    };
    if (!one.conforms) wrong.push(`${set}: the ${name} server does not conform\n${one.said.slice(-3_000)}`);
  }
  const after = outcomes(guarded);
  for (const [key, { status }] of outcomes(bare)) {
    const now = after.get(key);
    if (now?.status === status) continue;
    const change = `${set}: ${key}: bare ${status}, guarded ${now?.status ?? "MISSING"}`;
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

async function run(set: string, guarded: boolean): Promise<Run> {
  const output = await mkdtemp(join(tmpdir(), "conformance-"));
  const server = await startConformanceServer({ guarded });
  try {
    const { code, said } = await suite(["server", "--url", server.url, "--requirements", set, "-o", output]);
    const checks = await readChecks(output);
    return { conforms: code === 0 && checks.length > 0, checks, said };
  } finally {
    await server.close();
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

/** The suite leaves a directory for each scenario, named `server-<scenario>-<time>`. */
async function readChecks(output: string): Promise<Check[]> {
  const checks: Check[] = [];
  for (const directory of await readdir(output)) {
    const scenario = directory.replace(/^server-|-\d{4}-\d\d-\d\dT.*$/g, "");
    const text = await readFile(join(output, directory, "checks.json"), "utf8");
    checks.push(...(JSON.parse(text) as Check[]).map((check) => ({ ...check, scenario })));
  }
  return checks;
}
