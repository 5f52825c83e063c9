import { type ChildProcess, fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, openSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";

/** A process that listens and reports its CPU. */
export interface Child {
  readonly port: number;
  cpuUs(): Promise<number>;
  close(): void;
}

export interface ChildOptions {
  /** The file, beside this one, or an absolute path. */
  readonly file: string;
  readonly args: readonly string[];
  /** Flags of Node. */
  readonly flags?: readonly string[];
  readonly cwd?: string;
  /** It is measured, and has a core to itself. @default false */
  readonly isMeasured?: boolean;
}

mkdirSync(".cache", { recursive: true });
/** What the processes log: writing it is a part of what is measured, reading it is not. */
const LOG = openSync(".cache/gateway-bench.log", "w");
const REPORT = "report.ts";
/** A process that does not listen by then never will. */
const START_MS = 120_000;

/** Starts a process and waits until it listens. */
export async function startChild(options: ChildOptions): Promise<Child> {
  const child = forkBench(options);
  const { port } = await answerOf<{ port: number }>(child, options.file);
  return {
    port,
    cpuUs: async () => {
      const answer = answerOf<{ cpuUs: number }>(child, options.file);
      child.send("cpu");
      return (await answer).cpuUs;
    },
    close: () => void child.disconnect(),
  };
}

/**
 * What is measured has a core to itself, and everything else the other ones: a process that others interrupt costs more for
 * each call, and by how much differs from turn to turn. Undefined if the machine has one core, or cannot do so.
 */
const PINNING = availableParallelism() > 1 && spawnSync("taskset", ["--version"]).status === 0 ? "taskset" : undefined;
const MEASURED_CORE = String(availableParallelism() - 1);
const OTHER_CORES = `0-${availableParallelism() - 2}`;

/** Keeps this process, and those that it starts, from the core of what is measured. */
export function leaveMeasuredCore(): void {
  if (PINNING !== undefined) spawnSync(PINNING, ["-a", "-c", "-p", OTHER_CORES, String(process.pid)]);
}

/** Starts a process of the bench; every one reports its CPU. */
export function forkBench({ file, args, flags = [], cwd, isMeasured = false }: ChildOptions): ChildProcess {
  const url = new URL(file, import.meta.url);
  // A file of another checkout has the report beside it, which must not answer twice.
  const beside = new URL(REPORT, url);
  const report = existsSync(beside) ? beside : new URL(REPORT, import.meta.url);
  return fork(fileURLToPath(url), [...args], {
    ...(PINNING !== undefined && { execPath: PINNING }),
    execArgv: [
      ...(PINNING === undefined ? [] : ["-c", isMeasured ? MEASURED_CORE : OTHER_CORES, process.execPath]),
      ...flags,
      "--import",
      report.href,
    ],
    stdio: ["ignore", "ignore", LOG, "ipc"],
    ...(cwd !== undefined && { cwd }),
  });
}

/** The next message of a process; it rejects if the process ends instead, or takes too long. */
export async function answerOf<T>(child: ChildProcess, name: string, timeoutMs = START_MS): Promise<T> {
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(new Error(`${name} does not answer`)), timeoutMs);
  const ended = once(child, "exit", { signal: over.signal }).then(() =>
    Promise.reject(new Error(`${name} has ended; see .cache/gateway-bench.log`)),
  );
  ended.catch(() => {});
  try {
    const [message] = (await Promise.race([once(child, "message", { signal: over.signal }), ended])) as [T];
    return message;
  } finally {
    clearTimeout(timer);
    over.abort();
  }
}
