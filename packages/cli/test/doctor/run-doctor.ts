// Runs the command as a user does, and keeps what it wrote.
import { setTimeout as sleep } from "node:timers/promises";
import { COMMANDS } from "../../src/commands/index.ts";
import { runDoctor as runCommand } from "../../src/commands/run-doctor.ts";
import type { Diagnosis, DoctorWaits } from "../../src/doctor/diagnosis.ts";
import type { ExitName } from "../../src/program/command.ts";
import { runProgram } from "../../src/program/run.ts";

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
  /** @default that of the process */
  readonly platform?: string;
  /** Called with each write to stdout. */
  readonly onOutput?: (text: string) => void;
  /** Called with each write to stderr. */
  readonly onError?: (text: string) => void;
  /** @default those of the command */
  readonly waits?: Partial<DoctorWaits>;
}

/** For programs that run on after the end of their input, and of which nobody asks how they end. */
export const ENDED_AT_ONCE: Partial<DoctorWaits> = { closeMs: 0 };
/** For servers of which it is known that nothing fails in the background. */
export const SETTLED: Partial<DoctorWaits> = { settleMs: 20 };

/** Runs `recourse doctor` with these arguments. */
export async function runDoctor(args: readonly string[], options: RunOptions = {}): Promise<DoctorRun> {
  let stdout = "";
  let stderr = "";
  const { waits } = options;
  const commands = COMMANDS.map((command) =>
    command.name !== "doctor" || waits === undefined
      ? command
      : { ...command, run: (...given: Parameters<typeof command.run>) => runCommand(...given, waits) },
  );
  const exit = await runProgram(commands, ["doctor", ...args], {
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
        options.onError?.(text);
      },
    },
    env: options.env ?? process.env,
    cwd: options.cwd ?? process.cwd(),
    now: Date.now,
    signal: options.signal ?? new AbortController().signal,
    ...(options.platform !== undefined && { platform: options.platform }),
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

/**
 * Runs it with `--json` on a program that will not answer. The wait for an answer ends soon after stderr of the program
 * has this text: from then on time changes nothing.
 */
export async function diagnoseUntil(said: string, args: readonly string[]): ReturnType<typeof diagnose> {
  const { promise: isOver, resolve } = Promise.withResolvers<void>();
  return diagnose(["--verbose", ...args], {
    onError: (text) => void (text.includes(said) && resolve()),
    waits: {
      ...ENDED_AT_ONCE,
      sleep: (ms, signal) => {
        const timer = signal === undefined ? {} : { signal };
        const wait = (forMs: number) => sleep(forMs, undefined, timer); // a wait of the command itself
        return Promise.race([wait(ms), isOver.then(() => wait(Math.min(ms, SOON_MS)))]);
      },
    },
  });
}

/** What was written to stdout before is read by then. */
const SOON_MS = 100;
