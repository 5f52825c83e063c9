import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

/** What tests read of a report of `recourse probe`. */
export interface ProbeReport {
  readonly score: number;
  /** The ids of the findings that take from the score. */
  readonly findings: readonly string[];
  /** The ids of the findings that a document forces. */
  readonly forced: readonly string[];
  /** Entries of the baseline that were not found. */
  readonly stale: readonly string[];
  readonly revisions: readonly string[];
}

/** Options of `probe`. */
export interface ProbeSettings {
  /** Headers of every request, such as `authorization: Bearer x`. @default none */
  readonly headers?: readonly string[];
  /** The file that lists what a document forces. @default none */
  readonly baseline?: URL;
}

const RECOURSE = fileURLToPath(new URL("../../cli/src/main.ts", import.meta.url));
const LIMIT_MS = 240_000;

interface Printed {
  readonly score: number;
  readonly checks: readonly { readonly id: string; readonly state: string; readonly severity: string }[];
  readonly stale: readonly string[];
  readonly target: { readonly revisions: readonly string[] };
}

/** Probes a server with the program, as a user would. */
export async function probe(url: string, { headers = [], baseline }: ProbeSettings = {}): Promise<ProbeReport> {
  const given = [
    ...headers.flatMap((header) => ["--header", header]),
    ...(baseline === undefined ? [] : ["--baseline", fileURLToPath(baseline)]),
  ];
  const args = ["--conditions=@recourse/source", RECOURSE, "probe", "--json", ...given, url];
  const { score, checks, stale, target } = JSON.parse(await runProbe(args)) as Printed;
  const having = (state: string) => checks.filter((one) => one.state === state && one.severity !== "info");
  return {
    score,
    findings: having("fail").map(({ id }) => id),
    forced: having("forced").map(({ id }) => id),
    stale,
    revisions: target.revisions,
  };
}

/** Exit 1 says that the baseline does not match; the report has the same. */
function runProbe(args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { timeout: LIMIT_MS, maxBuffer: 64_000_000 }, (error, stdout, stderr) => {
      if (error === null || error.code === 1) resolve(stdout);
      else reject(new Error(`recourse probe: ${stderr}`, { cause: error }));
    });
  });
}
