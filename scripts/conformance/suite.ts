// Runs the official MCP conformance suite in a process of its own, and reads its checks.
import { spawn } from "node:child_process";
import { globSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const SUITE = fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js"));
export const SIDES = ["server", "client"] as const;
export const REVISIONS = ["2026-07-28", "2025-11-25"] as const;
/** A run takes some seconds. A run that hangs is killed. */
const TIMEOUT_MS = 180_000;
/** The suite starts all clients of a run at once, so that one may take long on a busy machine. */
const SCENARIO_TIMEOUT_MS = 90_000;

/** Best first. */
const STATUSES = ["SUCCESS", "INFO", "SKIPPED", "WARNING", "FAILURE"] as const;
export interface Check {
  readonly scenario: string;
  readonly id: string;
  readonly status: (typeof STATUSES)[number];
  readonly errorMessage?: string;
}
/** One run of the suite. */
export interface SuiteRun {
  /** Whether all checks passed that the revision requires. */
  readonly conforms: boolean;
  readonly checks: readonly Check[];
  readonly output: string;
}

export interface SuiteOptions {
  readonly side: (typeof SIDES)[number];
  readonly revision: string;
  /** What is tested: `--url` with an address, or `--command` with a program. */
  readonly subject: readonly string[];
}

/** Runs what a revision requires. */
export async function runRequirements({ side, revision, subject }: SuiteOptions): Promise<SuiteRun> {
  const folder = await mkdtemp(join(tmpdir(), "conformance-"));
  try {
    const { code, output } = await runSuite([
      side,
      ...subject,
      "--requirements",
      revision,
      "--timeout",
      `${SCENARIO_TIMEOUT_MS}`,
      "-o",
      folder,
    ]);
    const checks = await readChecks(folder);
    return { conforms: code === 0 && checks.length > 0, checks, output };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** How many checks ended how, for a table. */
export function countsOf({ conforms, checks }: SuiteRun): Record<string, unknown> {
  return {
    conforms,
    ...Object.fromEntries(
      STATUSES.map((status) => [status.toLowerCase(), checks.filter((check) => check.status === status).length]),
    ),
  };
}

/** The worst outcome of each check; some are made several times. */
export function worstOutcomes({ checks }: SuiteRun): Map<string, Check> {
  const worstLast = checks.toSorted((a, b) => STATUSES.indexOf(a.status) - STATUSES.indexOf(b.status));
  return new Map(worstLast.map((check) => [`${check.scenario} ${check.id}`, check]));
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
