// Child processes that always end: by themselves, at a time limit, or with this program.
import { type ChildProcess, spawn } from "node:child_process";

/** How to start a program. */
export interface Program {
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A program that has ended. */
export interface Ended {
  /** The exit code; null after a signal. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
  readonly timedOut: boolean;
}

const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) end(child);
});

/** Starts a program in a process group of its own. */
export function start(
  { command: [file, ...args], cwd, env }: Program,
  stdin: "ignore" | "pipe" = "ignore",
): ChildProcess {
  const child = spawn(file, args, {
    cwd,
    env,
    stdio: [stdin, "pipe", "pipe"],
    detached: process.platform !== "win32",
  });
  running.add(child);
  child.once("close", () => running.delete(child));
  return child;
}

/** Ends a program and what it has started. */
export function end(child: ChildProcess): void {
  try {
    if (child.pid !== undefined && process.platform !== "win32") process.kill(-child.pid, "SIGKILL");
    else child.kill();
  } catch {
    // It has ended already.
  }
}

/** Runs a program to its end. */
export function run(program: Program, timeoutMs: number): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = start(program);
    const output = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name]?.setEncoding("utf8").on("data", (text: string) => {
        output[name] += text;
      });
    }
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      end(child);
    }, timeoutMs);
    child.once("error", reject);
    child.once("close", (code) => {
      clearTimeout(timer);
      resolve({ code, ...output, ms: Math.round(performance.now() - started), timedOut });
    });
  });
}

/** Waits until a program prints the address that it listens on. Its output is read on, so that it never waits for a reader. */
export function addressIn(child: ChildProcess, pattern: RegExp, timeoutMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = "";
    const timer = setTimeout(() => reject(new Error(`it did not listen in time: ${printed}`)), timeoutMs);
    const read = (chunk: unknown) => {
      printed += String(chunk);
      const found = pattern.exec(printed);
      if (found === null) return;
      clearTimeout(timer);
      resolve(found[1] ?? found[0]);
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("close", () => {
      clearTimeout(timer);
      reject(new Error(`it ended before it listened: ${printed}`));
    });
  });
}
