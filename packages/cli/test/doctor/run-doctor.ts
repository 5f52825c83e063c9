// Runs the command as a user does, and keeps what it wrote.
import { COMMANDS } from "../../src/commands/index.ts";
import type { Diagnosis } from "../../src/doctor/diagnosis.ts";
import type { ExitName } from "../../src/program/exit-codes.ts";
import { run } from "../../src/program/run.ts";

/** What a run wrote, and how it ended. */
export interface DoctorRun {
  readonly exit: ExitName;
  readonly stdout: string;
  readonly stderr: string;
}

/** The world of a run. */
export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
  /** Called with each write to stdout. */
  readonly onOutput?: (text: string) => void;
}

/** Runs `recourse doctor` with these arguments. */
export async function runDoctor(args: readonly string[], options: RunOptions = {}): Promise<DoctorRun> {
  let stdout = "";
  let stderr = "";
  const exit = await run(COMMANDS, ["doctor", ...args], {
    stdin: (async function* () {})(),
    stdout: {
      write(text) {
        stdout += text;
        options.onOutput?.(text);
      },
    },
    stderr: {
      write(text) {
        stderr += text;
      },
    },
    env: options.env ?? process.env,
    cwd: options.cwd ?? process.cwd(),
    now: Date.now,
    signal: options.signal ?? new AbortController().signal,
  });
  return { exit, stdout, stderr };
}

/** Runs it with `--json` and reads the document. */
export async function diagnose(
  args: readonly string[],
  options: RunOptions = {},
): Promise<Diagnosis & { readonly exit: ExitName }> {
  const { exit, stdout, stderr } = await runDoctor(["--json", ...args], options);
  if (stdout === "") throw new Error(`no document: ${stderr}`);
  return { exit, ...(JSON.parse(stdout) as Diagnosis) };
}
