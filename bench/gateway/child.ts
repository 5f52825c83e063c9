import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, openSync } from "node:fs";
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

/** Starts a process of the bench; every one reports its CPU. */
export function forkBench({ file, args, flags = [], cwd }: ChildOptions): ChildProcess {
  const url = new URL(file, import.meta.url);
  // A file of another checkout has the report beside it, which must not answer twice.
  const beside = new URL(REPORT, url);
  const report = existsSync(beside) ? beside : new URL(REPORT, import.meta.url);
  return fork(fileURLToPath(url), [...args], {
    execArgv: [...flags, "--import", report.href],
    stdio: ["ignore", "ignore", LOG, "ipc"],
    ...(cwd !== undefined && { cwd }),
  });
}

/** The next message of a process; rejects where it ends instead, or takes too long. */
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
